# What the page for browsers is built on: the same libraries, for WebAssembly, in place of all the other
# recipes. Headers are the system's; third_party/fetch.sh web brings the sources of what has to be
# compiled. There is no OpenCL, Cairo or Boost in a browser. GLFW is Emscripten's own.

# lab_headers(NAME folder…): lab::NAME is these folders of the system's headers, and no others.
function(lab_headers name)
  set(view ${CMAKE_CURRENT_BINARY_DIR}/headers/${name})
  file(MAKE_DIRECTORY ${view})
  foreach(folder IN LISTS ARGN)
    find_path(found_${folder} NAMES ${folder} PATHS /usr/include /usr/local/include
      NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
    if(NOT found_${folder})
      message(FATAL_ERROR "The headers of ${name} are missing; third_party/setup.sh web gets them")
    endif()
    file(CREATE_LINK ${found_${folder}}/${folder} ${view}/${folder} SYMBOLIC)
  endforeach()
  add_library(lab_${name} INTERFACE)
  target_include_directories(lab_${name} SYSTEM INTERFACE ${view})
  add_library(lab::${name} ALIAS lab_${name})
endfunction()

# lab_sources(OUT NAME): the folder of its sources.
function(lab_sources out name)
  file(GLOB found ${LAB_CACHE}/${name}-*)
  if(NOT found)
    message(FATAL_ERROR "The sources of ${name} are missing; third_party/fetch.sh web gets them")
  endif()
  list(GET found -1 found)
  set(${out} ${found} PARENT_SCOPE)
endfunction()

lab_headers(fmt fmt)
target_compile_definitions(lab_fmt INTERFACE FMT_HEADER_ONLY)
lab_headers(json nlohmann)
lab_headers(cli11 CLI)
add_library(lab_process INTERFACE)
add_library(lab::process ALIAS lab_process)

lab_sources(md4c md4c)
add_library(lab_md4c STATIC ${md4c}/src/md4c.c)
target_include_directories(lab_md4c SYSTEM PUBLIC ${md4c}/src)
add_library(lab::md4c ALIAS lab_md4c)

lab_sources(zlib zlib)
add_library(lab_zlib STATIC ${zlib}/adler32.c ${zlib}/compress.c ${zlib}/crc32.c ${zlib}/deflate.c
  ${zlib}/inffast.c ${zlib}/inflate.c ${zlib}/inftrees.c ${zlib}/trees.c ${zlib}/uncompr.c ${zlib}/zutil.c)
target_include_directories(lab_zlib SYSTEM PUBLIC ${zlib})
target_compile_options(lab_zlib PRIVATE -w)
add_library(lab::zlib ALIAS lab_zlib)

lab_sources(qrcodegen qr-code-generator)
add_library(lab_qrcodegen STATIC ${qrcodegen}/cpp/qrcodegen.cpp)
target_include_directories(lab_qrcodegen SYSTEM PUBLIC ${qrcodegen}/cpp)
add_library(lab::qrcodegen ALIAS lab_qrcodegen)

lab_sources(freetype freetype)
set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)
set(CMAKE_WARN_DEPRECATED OFF)
set(ZLIB_LIBRARY lab_zlib)
set(ZLIB_INCLUDE_DIR ${zlib})
foreach(library BZIP2 PNG HARFBUZZ BROTLI)
  set(FT_DISABLE_${library} ON)
endforeach()
set(SKIP_INSTALL_ALL ON)
add_subdirectory(${freetype} ${CMAKE_CURRENT_BINARY_DIR}/freetype EXCLUDE_FROM_ALL SYSTEM)
add_library(lab_freetype INTERFACE)
target_link_libraries(lab_freetype INTERFACE freetype)
target_include_directories(lab_freetype SYSTEM INTERFACE ${freetype}/include)
add_library(lab::freetype ALIAS lab_freetype)

add_library(lab_glfw INTERFACE)
target_compile_definitions(lab_glfw INTERFACE "GLFW_INCLUDE_NONE=")
target_link_options(lab_glfw INTERFACE -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2)
add_library(lab::glfw ALIAS lab_glfw)

add_library(lab_glad INTERFACE)
target_include_directories(lab_glad SYSTEM INTERFACE ${CMAKE_CURRENT_LIST_DIR}/web)
add_library(lab::glad ALIAS lab_glad)

include(fonts.cmake)
include(imgui.cmake)
