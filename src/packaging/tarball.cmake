# `cpack -G TGZ` makes a tarball that runs on any Linux of this kind of processor: the program linked
# statically, what it finds beside itself, and the license of each part.

find_static_libraries(missing_libraries ${program_libraries})

# What is in the program: a name, the package whose file `copyright` has its license, and the license by
# its name in SPDX.
string(REGEX MATCH "^[0-9]+" compiler ${CMAKE_CXX_COMPILER_VERSION})
set(contents fmt:libfmt-dev:MIT yaml-cpp:libyaml-cpp-dev:MIT expat:libexpat1-dev:MIT
  sqlite:libsqlite3-dev:blessing zlib:zlib1g-dev:Zlib zstd:libzstd-dev:BSD-3-Clause
  lz4:liblz4-dev:BSD-2-Clause glibc:libc6-dev:LGPL-2.1-or-later
  "libstdc++:libstdc++-${compiler}-dev:GPL-3.0-or-later WITH GCC-exception-3.1" eigen:libeigen3-dev:MPL-2.0
  boost:libboost-dev:BSL-1.0 cli11:libcli11-dev:BSD-3-Clause nlohmann-json:nlohmann-json3-dev:MIT
  random123:librandom123-dev:BSD-3-Clause)
set(licenses armdyn:${PROJECT_SOURCE_DIR}/LICENSE uPlot:${PROJECT_SOURCE_DIR}/src/report/page/uPlot.LICENSE)
foreach(text LGPL-2.1 GPL-3)  # which those of glibc and libstdc++ refer to
  list(APPEND licenses ${text}:/usr/share/common-licenses/${text})
endforeach()
foreach(part ${contents})
  string(REGEX REPLACE "^(.*):(.*):.*$" "\\1:/usr/share/doc/\\2/copyright" license ${part})
  list(APPEND licenses ${license})
endforeach()
foreach(license ${licenses})
  string(REGEX REPLACE "^[^:]*:" "" text ${license})
  if(NOT EXISTS ${text})
    list(APPEND missing_libraries ${text})
  endif()
endforeach()
if(missing_libraries OR ARMDYN_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  message(STATUS "No tarball: it needs g++, no sanitizer, and ${missing_libraries}")
  return()
endif()

add_executable(armdyn_static src/cli/main.cpp)
set_target_properties(armdyn_static PROPERTIES
  OUTPUT_NAME armdyn RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/static)
target_include_directories(armdyn_static PRIVATE src include)
target_compile_definitions(armdyn_static PRIVATE
  $<TARGET_PROPERTY:armdyn_verbs,INTERFACE_COMPILE_DEFINITIONS>)
# Not -static, whose first exception sorts all functions: 4 ms.
target_link_options(armdyn_static PRIVATE -static-pie)
link_statically(armdyn_static PARTS ${program_parts} LIBRARIES ${program_libraries})

install(TARGETS armdyn_static COMPONENT tarball EXCLUDE_FROM_ALL)
install_beside_the_program(tarball EXCLUDE_FROM_ALL)
foreach(license ${licenses})
  string(REGEX MATCH "^([^:]*):(.*)$" whole ${license})
  set(name ${CMAKE_MATCH_1})
  file(REAL_PATH ${CMAKE_MATCH_2} text)
  install(FILES ${text} RENAME ${name} DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses
    COMPONENT tarball EXCLUDE_FROM_ALL)
endforeach()

# For the bill of materials, by bill.py.
list(JOIN contents "\n" lines)
file(WRITE ${PROJECT_BINARY_DIR}/contents "${lines}\n")
set(ARMDYN_TARBALL ON)
