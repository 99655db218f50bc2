# What `cmake --install` puts where, for users of the program and of the library.

include(CMakePackageConfigHelpers)

# --- the program, with what it finds beside itself, its pages, completion and manual
install(TARGETS armdyn COMPONENT program)

# In README's links, pages are where they are in the sources, and the rest is where it is installed.
file(READ README.md readme)
string(REPLACE "](robots)" "](../../armdyn/robots)" readme "${readme}")
string(REPLACE "](LICENSE)" "](copyright)" readme "${readme}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/README.md CONTENT "${readme}" @ONLY)

find_program(SCDOC scdoc)
find_program(GZIP gzip)
if(SCDOC AND GZIP)
  set(man_folder ${PROJECT_BINARY_DIR}/man1)
  set(manual src/packaging/manual.sh docs/armdyn.1.scd)
  list(TRANSFORM manual PREPEND ${PROJECT_SOURCE_DIR}/)
  list(INSERT manual 1 $<TARGET_FILE:armdyn>)
  add_custom_command(OUTPUT ${man_folder}/armdyn.1.gz COMMAND ${manual} ${man_folder}
    DEPENDS armdyn src/packaging/manual.sh docs/armdyn.1.scd VERBATIM)
  add_custom_target(man ALL DEPENDS ${man_folder}/armdyn.1.gz)
else()
  message(STATUS "scdoc or gzip is missing: no manual page")
endif()

function(install_beside_the_program component)
  set(as COMPONENT ${component} ${ARGN})
  install(DIRECTORY robots/ DESTINATION ${CMAKE_INSTALL_DATADIR}/armdyn/robots ${as})
  install(FILES docs/robot-file.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/armdyn ${as})
  if(TARGET armdyn_fmu_binary)
    install(TARGETS armdyn_fmu_binary LIBRARY DESTINATION lib/armdyn/fmu ${as} OPTIONAL)
  endif()
  install(FILES LICENSE RENAME copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} ${as})
  install(FILES ${PROJECT_BINARY_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} ${as})
  install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} ${as})
  install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} ${as} FILES_MATCHING
    PATTERN *.md PATTERN robot-file.schema.json PATTERN site EXCLUDE)
  install(DIRECTORY docs/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs ${as})
  install(FILES src/packaging/armdyn.bash RENAME armdyn
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions ${as})
  install(FILES src/packaging/armdyn.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d ${as})
  foreach(folder site-functions vendor-completions)  # the latter is Debian's
    install(FILES src/packaging/armdyn.zsh RENAME _armdyn
      DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${folder} ${as})
  endforeach()
  if(man_folder)
    install(DIRECTORY ${man_folder}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 ${as})
  endif()
endfunction()
install_beside_the_program(program)

# --- the library: find_package(armdyn), then link armdyn::armdyn
add_library(armdyn_library INTERFACE)
target_link_libraries(armdyn_library INTERFACE armdyn_verbs armdyn_log armdyn_report armdyn_fmu armdyn_io armdyn_core)
set_target_properties(armdyn_library PROPERTIES EXPORT_NAME armdyn)
set_target_properties(armdyn_core PROPERTIES EXPORT_NAME core)
set_target_properties(armdyn_fmu PROPERTIES EXPORT_NAME fmu)
set_target_properties(armdyn_io PROPERTIES EXPORT_NAME io)
set_target_properties(armdyn_log PROPERTIES EXPORT_NAME log)
set_target_properties(armdyn_report PROPERTIES EXPORT_NAME report)
set_target_properties(armdyn_verbs PROPERTIES EXPORT_NAME verbs)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/armdyn)
install(TARGETS armdyn_core armdyn_io armdyn_fmu armdyn_report armdyn_log armdyn_verbs armdyn_library EXPORT armdyn_targets COMPONENT development)
install(DIRECTORY include/armdyn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(EXPORT armdyn_targets NAMESPACE armdyn:: FILE armdynTargets.cmake
  DESTINATION ${config_dir} COMPONENT development)
configure_package_config_file(src/packaging/armdynConfig.cmake.in
  ${PROJECT_BINARY_DIR}/armdynConfig.cmake INSTALL_DESTINATION ${config_dir}
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/armdynConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
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
  install(DIRECTORY src/python/armdyn/ DESTINATION ${python_folder} COMPONENT python)
endif()
