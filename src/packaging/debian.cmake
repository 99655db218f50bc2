# `cpack` makes Debian packages and, where tarball.cmake can, a tarball: armdyn, the program;
# libarmdyn-dev, the library; python3-armdyn, the Python module, where it is made; armdyn-mpi, for many
# runs with MPI, where it is made.

set(CPACK_GENERATOR DEB)
if(ARMDYN_TARBALL)
  list(APPEND CPACK_GENERATOR TGZ)
  set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/src/packaging/cpack_tarball.cmake)
endif()
set(CPACK_ARMDYN_PROCESSOR ${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGE_CONTACT "armdyn authors <${ARMDYN_CONTACT}>")
set(CPACK_COMPONENTS_ALL program development)
set(packages program:armdyn development:libarmdyn-dev)
if(ARMDYN_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
  list(APPEND packages python:python3-armdyn)
endif()
if(ARMDYN_MPI)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  list(APPEND packages mpi:armdyn-mpi)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # else the first line of each package's description
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_DEBUGINFO_PACKAGE OFF)

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME armdyn)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS gnuplot-nox)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"dynamics of robot arms
From a YAML robot file (Denavit-Hartenberg table, masses, inertias, friction,
motors) and a CSV trajectory, armdyn computes joint torques, shows the
equations of motion term by term, compares formulations, makes motions and
checks models. Published arms are included.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libarmdyn-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "armdyn (= ${PROJECT_VERSION}-1), libfmt-dev, libyaml-cpp-dev, libexpat1-dev, libsqlite3-dev, zlib1g-dev, libzstd-dev, liblz4-dev, pkg-config")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
"dynamics of robot arms (C++ library)
Headers, static libraries and CMake package of armdyn: inverse dynamics,
mass matrices, kinematics and more of robot arms, from C++20.")

if(ARMDYN_PYTHON)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-armdyn)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON_PACKAGE_SHLIBDEPS ON)
  math(EXPR next_python "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
    "armdyn (= ${PROJECT_VERSION}-1), python3-numpy, python3 (>= 3.${Python_VERSION_MINOR}), python3 (<< 3.${next_python})")
  set(CPACK_COMPONENT_PYTHON_DESCRIPTION
"dynamics of robot arms (Python 3 module)
NumPy arrays of joint motions in, torques, motions and equations out: what
the program armdyn computes, to the last bit.")
endif()

if(ARMDYN_MPI)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME armdyn-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_SECTION science)
  set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "armdyn (= ${PROJECT_VERSION}-1), openmpi-bin")
  set(CPACK_COMPONENT_MPI_DESCRIPTION
"dynamics of robot arms (many runs with MPI)
Monte Carlo over the tolerances of an arm, and batches of simulations, on
the ranks of an MPI job: the same bytes as armdyn writes by itself.")
endif()

# What Debian wants to find beside the files of each package.
find_program(GZIP gzip)
if(GZIP)
  configure_file(src/packaging/debian/changelog.in ${PROJECT_BINARY_DIR}/changelog @ONLY)
  set(changelog ${PROJECT_BINARY_DIR}/changelog.Debian.gz)
  execute_process(COMMAND ${GZIP} -9nc ${PROJECT_BINARY_DIR}/changelog OUTPUT_FILE ${changelog})
  foreach(package ${packages})
    string(REPLACE ":" ";" package ${package})
    list(GET package 0 component)
    list(GET package 1 name)
    install(FILES ${changelog} src/packaging/debian/copyright
      DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} COMPONENT ${component})
    # There is no request for packaging to close: this is not an upload to Debian.
    file(WRITE ${PROJECT_BINARY_DIR}/overrides/${name} "${name}: initial-upload-closes-no-bugs\n")
    if(component STREQUAL program)
      # FMUs are copied to machines that have no expat.
      file(APPEND ${PROJECT_BINARY_DIR}/overrides/${name} "${name}: embedded-library expat *\n")
    endif()
    if(component STREQUAL python)
      # A folder that is searched under /usr as under /usr/local.
      file(APPEND ${PROJECT_BINARY_DIR}/overrides/${name} "${name}: python-module-in-wrong-location *\n")
    endif()
    install(FILES ${PROJECT_BINARY_DIR}/overrides/${name}
      DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT ${component})
  endforeach()
endif()

include(CPack)
