# glad: finds GL's functions at run time. It is a generator in Python; what it writes, a loader for
# OpenGL 3.3 core without extensions, is made in the build folder. A folder that you name is glad's
# source tree, or one with a loader already written (include/glad/gl.h and src/gl.c).
lab_dependency(glad
  WANTED  "glad 2.0.2 or newer, for Python 3"
  FOR     "the app, reduction-lab (app/gui)"
  GET     "apt-get install python3-glad"
  RELEASE 2.0.2
  GIT     https://github.com/Dav1dde/glad.git
  COMMIT  f237a2bfcec0d9b82b90ec9af4af265c40de7183)

# lab_python_with_glad(OUT [FOLDER]): a Python that can run glad, FOLDER's or its own, or "". The
# first python3 of the PATH is often not the system's, and Debian's packages are for the system's.
function(lab_python_with_glad out)
  set(${out} "" PARENT_SCOPE)
  foreach(python python3 /usr/bin/python3)
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${ARGN} ${python} -B -c
        "import jinja2, glad; assert [int(n) for n in glad.__version__.split('.')] >= [2, 0, 2]"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(NOT failed)
      set(${out} ${python} PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

set(python "")
set(loader ${CMAKE_CURRENT_BINARY_DIR}/glad)
if(EXISTS ${DEP_DIR}/src/gl.c)
  set(loader ${DEP_DIR})
  set(origin ${DEP_DIR})
elseif(LAB_SYSTEM_PACKAGES AND NOT DEP_DIR)
  set(tree "")
  set(origin system)
  lab_python_with_glad(python)
endif()
if(NOT python AND NOT EXISTS ${DEP_DIR}/src/gl.c)
  lab_source_folder(tree glad/__main__.py)
  if(tree)
    set(origin ${tree})
    lab_python_with_glad(python ${tree})
  endif()
endif()

if(python)
  # --reproducible: from the specification that glad comes with, not the newest one from the web.
  add_custom_command(
    OUTPUT ${loader}/src/gl.c ${loader}/include/glad/gl.h ${loader}/include/KHR/khrplatform.h
    COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${tree} ${python} -B -m glad --quiet --reproducible
      --api gl:core=3.3 --extensions "" --out-path ${loader} c
    COMMENT "Writing the OpenGL loader" VERBATIM)
endif()
if(python OR EXISTS ${DEP_DIR}/src/gl.c)
  add_library(lab_glad STATIC ${loader}/src/gl.c ${loader}/include/glad/gl.h)
  target_include_directories(lab_glad SYSTEM PUBLIC ${loader}/include)
  target_link_libraries(lab_glad PUBLIC ${CMAKE_DL_LIBS})
  lab_used(${origin})
endif()
