# What `cmake --install` puts where, for users of the program and of the library.

include(CMakePackageConfigHelpers)

# --- the program, with what it finds beside itself
install(TARGETS armdyn COMPONENT program)
install(DIRECTORY robots/ DESTINATION ${CMAKE_INSTALL_DATADIR}/armdyn/robots COMPONENT program)
install(FILES docs/robot-file.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/armdyn COMPONENT program)
install(FILES README.md docs/accuracy.md docs/architecture.md docs/commands.md docs/derivation.md docs/errata.md docs/experiments.md
  docs/logs.md docs/many.md docs/papers.md docs/performance.md docs/python.md docs/reliability.md docs/robot-file.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES src/packaging/armdyn.bash RENAME armdyn
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT program)

find_program(SCDOC scdoc)
find_program(GZIP gzip)
if(SCDOC AND GZIP)
  set(man_page ${PROJECT_BINARY_DIR}/armdyn.1.gz)
  set(manual src/packaging/manual.sh docs/armdyn.1.scd)
  list(TRANSFORM manual PREPEND ${PROJECT_SOURCE_DIR}/)
  list(INSERT manual 1 $<TARGET_FILE:armdyn>)
  add_custom_command(OUTPUT ${man_page}
    COMMAND ${manual} | ${SCDOC} | ${GZIP} -9nc > ${man_page}
    DEPENDS armdyn src/packaging/manual.sh docs/armdyn.1.scd VERBATIM)
  add_custom_target(man ALL DEPENDS ${man_page})
  install(FILES ${man_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
else()
  message(STATUS "scdoc or gzip is missing: no manual page")
endif()

# --- the library: find_package(armdyn), then link armdyn::armdyn
add_library(armdyn_library INTERFACE)
target_link_libraries(armdyn_library INTERFACE armdyn_io armdyn_core)
set_target_properties(armdyn_library PROPERTIES EXPORT_NAME armdyn)
set_target_properties(armdyn_core PROPERTIES EXPORT_NAME core)
set_target_properties(armdyn_io PROPERTIES EXPORT_NAME io)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/armdyn)
install(TARGETS armdyn_core armdyn_io armdyn_library EXPORT armdyn_targets COMPONENT development)
install(DIRECTORY include/armdyn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT armdyn_targets NAMESPACE armdyn:: FILE armdynTargets.cmake
  DESTINATION ${config_dir} COMPONENT development)
configure_package_config_file(src/packaging/armdynConfig.cmake.in
  ${PROJECT_BINARY_DIR}/armdynConfig.cmake INSTALL_DESTINATION ${config_dir}
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/armdynConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/armdynConfig.cmake
              ${PROJECT_BINARY_DIR}/armdynConfigVersion.cmake
  DESTINATION ${config_dir} COMPONENT development)

configure_file(src/packaging/armdyn.pc.in ${PROJECT_BINARY_DIR}/armdyn.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/armdyn.pc
  DESTINATION ${CMAKE_INSTALL_DATADIR}/pkgconfig COMPONENT development)

# --- many runs with MPI
if(ARMDYN_MPI)
  install(TARGETS armdyn-mpi COMPONENT mpi)
  if(SCDOC AND GZIP)
    set(mpi_page ${PROJECT_BINARY_DIR}/armdyn-mpi.1.gz)
    set(mpi_manual ${PROJECT_SOURCE_DIR}/docs/armdyn-mpi.1.scd)
    add_custom_command(OUTPUT ${mpi_page}
      COMMAND ${SCDOC} < ${mpi_manual} | ${GZIP} -9nc > ${mpi_page} DEPENDS ${mpi_manual} VERBATIM)
    add_custom_target(mpi_man ALL DEPENDS ${mpi_page})
    install(FILES ${mpi_page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi)
  endif()
endif()

# --- the Python module
if(ARMDYN_PYTHON)
  install(TARGETS armdyn_python LIBRARY DESTINATION ${python_folder} COMPONENT python)
  foreach(source __init__.py __init__.pyi py.typed)
    install(FILES src/python/armdyn/${source} DESTINATION ${python_folder} COMPONENT python)
  endforeach()
endif()
