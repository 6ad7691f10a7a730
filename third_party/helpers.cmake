# What the recipes are written with. A recipe says what it wants with lab_dependency(); each verb
# after that is one place to look, does nothing once lab::NAME exists, and makes it if it can:
#
#   lab_use_package()     an installed copy: -DLAB_<NAME>_DIR=<prefix>, the system, .cache/<name>-*
#   lab_use_pkg_config()  the same for a library that comes with a .pc file
#   lab_use_source()      the sources: -DLAB_<NAME>_DIR=<tree>, .cache/<name>-*, the pinned release
#   lab_source_folder()   the same for a recipe that compiles them itself

set(LAB_CACHE ${CMAKE_CURRENT_LIST_DIR}/.cache)

# lab_dependency(NAME WANTED text FOR text GET command [RELEASE version GIT url COMMIT sha])
#   WANTED says which versions will do, FOR who needs it, GET how to install it; a dependency
#   without GIT is never fetched.
macro(lab_dependency name)
  cmake_parse_arguments(DEP "" "WANTED;FOR;GET;RELEASE;GIT;COMMIT" "" ${ARGN})
  set(DEP ${name})
  string(TOUPPER LAB_${name}_DIR DEP_DIR_OPTION)
  string(MAKE_C_IDENTIFIER ${DEP_DIR_OPTION} DEP_DIR_OPTION)
  set(${DEP_DIR_OPTION} "" CACHE PATH "${name}: a source tree or an installed prefix to use")
  set(DEP_DIR "${${DEP_DIR_OPTION}}")

  set(text " \n  ${DEP}: ${DEP_WANTED}\n    needed by  ${DEP_FOR}\n    get it     ${DEP_GET}\n")
  if(DEP_DIR)
    string(APPEND text "    note       nothing that will do is in ${DEP_DIR_OPTION}=${DEP_DIR}\n")
  endif()
  set_property(GLOBAL APPEND PROPERTY LAB_DEPENDENCIES ${DEP})
  set_property(GLOBAL PROPERTY LAB_MISSING_${DEP} "${text}")
endmacro()

# lab_use(ORIGIN library…): lab::NAME is these libraries. ORIGIN is what configure prints.
function(lab_use origin)
  add_library(lab_${DEP} INTERFACE)
  target_link_libraries(lab_${DEP} INTERFACE ${ARGN})
  lab_used("${origin}")
endfunction()

# The same for a recipe that has made the library lab_NAME itself.
function(lab_used origin)
  add_library(lab::${DEP} ALIAS lab_${DEP})
  string(STRIP "${origin}" origin)  # not every package tells its version
  message(STATUS "${DEP}: ${origin}")
endfunction()

# lab_prefixes(OUT): the places to look for an installed copy; the word "system" is the usual ones.
function(lab_prefixes out)
  set(prefixes "")
  if(DEP_DIR)
    set(prefixes ${DEP_DIR})
  else()
    file(GLOB prefixes ${LAB_CACHE}/${DEP}-*)
    if(LAB_SYSTEM_PACKAGES)
      list(PREPEND prefixes system)
    endif()
  endif()
  set(${out} "${prefixes}" PARENT_SCOPE)
endfunction()

# Makes the searches that follow in the same function begin in this one of lab_prefixes().
macro(lab_search_first prefix)
  if(NOT "${prefix}" STREQUAL "system")
    list(PREPEND CMAKE_PREFIX_PATH ${prefix})
  endif()
endmacro()

# lab_in_prefix(OUT PREFIX target…): whether these come from PREFIX, and not from elsewhere because
# PREFIX has none.
function(lab_in_prefix out prefix)
  set(found FALSE)
  foreach(target IN LISTS ARGN)
    get_target_property(folders ${target} INTERFACE_INCLUDE_DIRECTORIES)
    get_target_property(library ${target} IMPORTED_LOCATION)
    foreach(folder IN LISTS folders library)
      cmake_path(IS_PREFIX prefix "${folder}" NORMALIZE inside)
      if(inside)
        set(found TRUE)
      endif()
    endforeach()
  endforeach()
  if(prefix STREQUAL "system")
    set(found TRUE)
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

# lab_use_package("PACKAGE [VERSION] [find_package argument…]" target…)
function(lab_use_package request)
  separate_arguments(request UNIX_COMMAND "${request}")
  list(GET request 0 package)
  lab_prefixes(prefixes)
  foreach(prefix IN LISTS prefixes)
    if(TARGET lab::${DEP} OR EXISTS "${prefix}/CMakeLists.txt")
      continue()
    endif()
    lab_search_first(${prefix})
    find_package(${request} QUIET)
    if(${package}_FOUND)
      lab_in_prefix(inside ${prefix} ${ARGN})
      if(inside)
        lab_use("${${package}_VERSION} (${prefix})" ${ARGN})
      endif()
    endif()
  endforeach()
endfunction()

# lab_use_pkg_config(module…): the same for a library that comes with a .pc file.
function(lab_use_pkg_config)
  find_package(PkgConfig QUIET)
  lab_prefixes(prefixes)
  foreach(prefix IN LISTS prefixes)
    if(TARGET lab::${DEP} OR NOT PkgConfig_FOUND)
      continue()
    endif()
    lab_search_first(${prefix})
    string(MAKE_C_IDENTIFIER "LAB_${DEP}_${prefix}" found)  # its results are kept in the cache
    pkg_check_modules(${found} QUIET IMPORTED_TARGET GLOBAL ${ARGN})
    if(${found}_FOUND)
      lab_in_prefix(inside ${prefix} PkgConfig::${found})
      if(inside)
        list(GET ARGN 0 module)
        string(REGEX REPLACE "[<>=].*" "" module ${module})
        lab_use("${${found}_VERSION}${${found}_${module}_VERSION} (${prefix})" PkgConfig::${found})
      endif()
    endif()
  endforeach()
endfunction()

# lab_use_source(target… [OPTIONS NAME=VALUE…]): builds the dependency with its own CMakeLists.txt.
function(lab_use_source)
  cmake_parse_arguments(ARG "" "" "OPTIONS" ${ARGN})
  lab_source_folder(source CMakeLists.txt)
  if(NOT source)
    return()
  endif()
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW)  # the options below outrank the defaults of the sources
  set(CMAKE_WARN_DEPRECATED OFF)
  set(BUILD_SHARED_LIBS OFF)
  set(BUILD_TESTING OFF)
  foreach(option IN LISTS ARG_OPTIONS)
    string(REGEX MATCH "^([^=]+)=(.*)$" _ ${option})
    set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
  endforeach()
  add_subdirectory(${source} ${CMAKE_CURRENT_BINARY_DIR}/${DEP} EXCLUDE_FROM_ALL SYSTEM)
  lab_use("built from ${source}" ${ARG_UNPARSED_ARGUMENTS})
endfunction()

# lab_source_folder(OUT MARK): the folder of the sources, known by the file MARK in it, or "".
function(lab_source_folder out mark)
  set(${out} "" PARENT_SCOPE)
  if(TARGET lab::${DEP})
    return()
  endif()
  if(DEP_DIR)
    set(folders ${DEP_DIR})
  else()
    file(GLOB folders ${LAB_CACHE}/${DEP}-*)
    list(SORT folders COMPARE NATURAL ORDER DESCENDING)
    list(PREPEND folders ${LAB_CACHE}/${DEP}-${DEP_RELEASE})  # the tested release before any other
  endif()
  foreach(folder IN LISTS folders)
    if(EXISTS ${folder}/${mark})
      set(${out} ${folder} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  if(LAB_FETCH AND DEP_GIT AND NOT DEP_DIR)
    lab_fetch()
    if(EXISTS ${LAB_CACHE}/${DEP}-${DEP_RELEASE}/${mark})
      set(${out} ${LAB_CACHE}/${DEP}-${DEP_RELEASE} PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Brings the pinned commit into .cache/, where every build folder finds it. The host is asked first
# and has ten seconds to answer, so that without a network you read our list and not git's error.
function(lab_fetch)
  find_package(Git QUIET)
  string(REGEX REPLACE "^https://([^/]+)/.*" "\\1" host ${DEP_GIT})
  get_property(silent GLOBAL PROPERTY LAB_SILENT_${host})
  if(NOT Git_FOUND OR silent)
    return()
  endif()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env GIT_TERMINAL_PROMPT=0 ${GIT_EXECUTABLE} ls-remote ${DEP_GIT} HEAD
    TIMEOUT 10 RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set_property(GLOBAL PROPERTY LAB_SILENT_${host} TRUE)
    set_property(GLOBAL APPEND PROPERTY LAB_SILENT_HOSTS ${host})
    return()
  endif()

  message(STATUS "${DEP}: fetching ${DEP_RELEASE} from ${DEP_GIT}")
  include(FetchContent)
  set(work ${CMAKE_CURRENT_BINARY_DIR}/fetch/${DEP})
  file(REMOVE_RECURSE ${work})
  FetchContent_Declare(lab-${DEP}
    GIT_REPOSITORY ${DEP_GIT}
    GIT_TAG ${DEP_COMMIT}
    GIT_SUBMODULES ""
    SOURCE_DIR ${work}/source
    SOURCE_SUBDIR none  # there is no such folder: it is only fetched, not added to the build
    SUBBUILD_DIR ${work}/steps
    BINARY_DIR ${work}/unused)
  FetchContent_MakeAvailable(lab-${DEP})
  file(REMOVE_RECURSE ${work}/source/.git)
  # Into its place in one step; another build folder may have been faster, and then its copy stays.
  string(RANDOM LENGTH 8 mark)
  file(COPY ${work}/source/ DESTINATION ${LAB_CACHE}/.new-${mark})
  file(RENAME ${LAB_CACHE}/.new-${mark} ${LAB_CACHE}/${DEP}-${DEP_RELEASE} RESULT problem)
  file(REMOVE_RECURSE ${LAB_CACHE}/.new-${mark} ${work})
  if(NOT EXISTS ${LAB_CACHE}/${DEP}-${DEP_RELEASE})
    message(FATAL_ERROR "${LAB_CACHE} does not take what was fetched: ${problem}")
  endif()
endfunction()

# Once all recipes have been read: stops with the list of what no recipe could find.
function(lab_stop_if_missing)
  get_property(names GLOBAL PROPERTY LAB_DEPENDENCIES)
  set(missing "")
  foreach(name IN LISTS names)
    if(NOT TARGET lab::${name})
      get_property(text GLOBAL PROPERTY LAB_MISSING_${name})
      string(APPEND missing "${text}")
    endif()
  endforeach()
  if(NOT missing)
    return()
  endif()
  get_property(hosts GLOBAL PROPERTY LAB_SILENT_HOSTS)
  if(hosts)
    string(APPEND missing " \n  ${hosts} did not answer, so nothing was fetched from there.\n")
  endif()
  message(FATAL_ERROR "Missing:\n${missing} \n"
    "  third_party/setup.sh gets them on Debian and Ubuntu, and names the packages elsewhere.\n"
    "  To use a copy of your own: -DLAB_<NAME>_DIR=<its source tree or installed prefix>")
endfunction()
