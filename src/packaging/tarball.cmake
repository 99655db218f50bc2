# `cpack -G TGZ` makes a tarball that runs on any Linux of this kind of processor: the program linked
# statically, what it finds beside itself, and the license of each part.

set(static_libraries yaml-cpp expat sqlite3 z zstd lz4)
find_static_libraries(missing_libraries ${static_libraries})

# What is in the program, and the package whose file `copyright` has its license.
file(GLOB of_the_compiler /usr/share/doc/libstdc++-*-dev/copyright)
set(licenses fmt:libfmt-dev yaml-cpp:libyaml-cpp-dev expat:libexpat1-dev sqlite:libsqlite3-dev
  zlib:zlib1g-dev zstd:libzstd-dev lz4:liblz4-dev glibc:libc6-dev eigen:libeigen3-dev
  boost:libboost-dev cli11:libcli11-dev nlohmann-json:nlohmann-json3-dev random123:librandom123-dev)
list(TRANSFORM licenses REPLACE "^(.*):(.*)$" "\\1:/usr/share/doc/\\2/copyright")
list(APPEND licenses armdyn:${PROJECT_SOURCE_DIR}/LICENSE)
foreach(text ${of_the_compiler})
  list(APPEND licenses libstdc++:${text})
endforeach()
foreach(text LGPL-2.1 GPL-3)  # which those of glibc and libstdc++ refer to
  list(APPEND licenses ${text}:/usr/share/common-licenses/${text})
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

set(static_parts armdyn_verbs armdyn_log armdyn_report armdyn_fmu armdyn_io armdyn_core)
add_executable(armdyn_static src/cli/main.cpp ${PROJECT_BINARY_DIR}/static/format.cpp)
set_target_properties(armdyn_static PROPERTIES
  OUTPUT_NAME armdyn RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/static)
target_include_directories(armdyn_static PRIVATE src include)
target_compile_definitions(armdyn_static PRIVATE
  $<TARGET_PROPERTY:armdyn_verbs,INTERFACE_COMPILE_DEFINITIONS>)
# Not -static, whose first exception sorts all functions: 4 ms.
target_link_options(armdyn_static PRIVATE -static-pie)
add_dependencies(armdyn_static ${static_parts})
foreach(part ${static_parts})
  target_link_libraries(armdyn_static PRIVATE $<TARGET_FILE:${part}>)
  set_property(TARGET armdyn_static APPEND PROPERTY LINK_DEPENDS $<TARGET_FILE:${part}>)
endforeach()
foreach(library ${static_libraries})
  target_link_libraries(armdyn_static PRIVATE ${static_${library}})
endforeach()

install(TARGETS armdyn_static COMPONENT tarball EXCLUDE_FROM_ALL)
install_beside_the_program(tarball EXCLUDE_FROM_ALL)
foreach(license ${licenses})
  string(REGEX MATCH "^([^:]*):(.*)$" whole ${license})
  set(name ${CMAKE_MATCH_1})
  file(REAL_PATH ${CMAKE_MATCH_2} text)
  install(FILES ${text} RENAME ${name} DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses
    COMPONENT tarball EXCLUDE_FROM_ALL)
endforeach()
set(ARMDYN_TARBALL ON)
