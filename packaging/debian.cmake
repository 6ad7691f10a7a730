# The Debian package. It has what `cmake --install` gives, its licences and changelog; and instead of
# the fonts' copies links to those of Debian's own packages, which it depends on.
set(LAB_MAINTAINER "The Reduction Lab authors <maintainers@reduction-lab.invalid>" CACHE STRING
  "Who answers for the package: Name <address>")

set(CPACK_PACKAGE_NAME reduction-lab)
set(CPACK_PACKAGE_VENDOR "The Reduction Lab authors")
set(CPACK_PACKAGE_CONTACT "${LAB_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "step through parallel reductions in OpenCL, and time them")
set(CPACK_PACKAGE_DESCRIPTION
"How do a thousand work-items add up a million numbers, and what goes wrong
when they do not wait for each other? Reduction Lab steps through parallel
reductions in OpenCL, pass by pass, on a few numbers that you choose, and then
times the same kernel text at full size on your own device.

Kernels are also stepped on a virtual device that needs no driver, under a
schedule that you choose; every race is shown by its two lines, and every
result that some schedule can give is found.

The package has the window, reduction-lab, and the command line,
reduction-lab-cli.")
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# GLFW loads these if they are there, and draws by Mesa where there is no other OpenGL. Without an
# OpenCL device the virtual one is left.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "pocl-opencl-icd | opencl-icd, libgl1-mesa-dri, \
libxcursor1, libxi6, libxinerama1, libxrandr2")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "z3")  # proofs for all sizes
set(depends libgl1)

# The packages that the fonts are from. If one is from none, copies of all go into the package.
set(font_component fonts)
set(links "")
find_program(LAB_DPKG_QUERY dpkg-query)
foreach(part sans bold mono mono-bold cjk)
  get_target_property(font lab_fonts LAB_FONT_${part})
  if(LAB_DPKG_QUERY)
    execute_process(COMMAND ${LAB_DPKG_QUERY} -S ${font} OUTPUT_VARIABLE owner ERROR_QUIET)
  endif()
  if(owner AND font MATCHES "^/usr/share/")
    string(REGEX REPLACE "[:,].*" "" owner "${owner}")
    list(APPEND depends ${owner})
    cmake_path(GET font EXTENSION LAST_ONLY suffix)
    set(link ${CMAKE_CURRENT_BINARY_DIR}/fonts/${part}${suffix})
    # Right from /usr/share/reduction-lab/fonts, where it will lie.
    string(REGEX REPLACE "^/usr/share" "../.." font ${font})
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fonts)
    file(REMOVE ${link})
    file(CREATE_LINK ${font} ${link} SYMBOLIC)
    list(APPEND links ${link})
  endif()
endforeach()
list(LENGTH links found)
if(found EQUAL 5)
  set(font_component "")
  install(FILES ${links} DESTINATION ${CMAKE_INSTALL_DATADIR}/reduction-lab/fonts
    COMPONENT debian EXCLUDE_FROM_ALL)
endif()
list(REMOVE_DUPLICATES depends)
list(JOIN depends ", " CPACK_DEBIAN_PACKAGE_DEPENDS)

set(documents ${CMAKE_INSTALL_DATADIR}/doc/reduction-lab)
set(changelog ${CMAKE_CURRENT_BINARY_DIR}/changelog)
add_custom_command(OUTPUT ${changelog}.gz
  COMMAND ${LAB_GZIP} -9nc ${CMAKE_CURRENT_SOURCE_DIR}/changelog > ${changelog}.gz
  DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/changelog VERBATIM)
list(APPEND compressed ${changelog}.gz)
install(FILES ${changelog}.gz copyright DESTINATION ${documents} COMPONENT debian EXCLUDE_FROM_ALL)

foreach(component Unspecified ${font_component} debian)
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS ${PROJECT_BINARY_DIR} ${PROJECT_NAME} ${component} /)
endforeach()
include(CPack)
