# Dear ImGui: the interface. It is compiled here, with our choices: FreeType draws the glyphs, what
# upstream calls obsolete is gone, and so is the demo. Debian's libimgui-dev is built with other
# choices and Debian 12 has 1.89, so the package is not used; its sources of a newer release are.
lab_dependency(imgui
  WANTED  "the sources of Dear ImGui 1.92 or newer"
  FOR     "the app, reduction-lab (app/gui)"
  GET     "third_party/fetch.sh imgui"
  RELEASE 1.92.2b
  GIT     https://github.com/ocornut/imgui.git
  COMMIT  45acd5e0e82f4c954432533ae9985ff0e1aad6d5)

lab_source_folder(imgui imgui.h)
if(imgui)
  file(STRINGS ${imgui}/imgui.h version REGEX "define IMGUI_VERSION +\"")
  string(REGEX MATCH "[0-9.]+" version "${version}")
  if(version VERSION_LESS 1.92)
    set(imgui "")
  endif()
endif()
if(imgui)
  add_library(lab_imgui STATIC
    ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp ${imgui}/imgui_widgets.cpp
    ${imgui}/misc/cpp/imgui_stdlib.cpp ${imgui}/misc/freetype/imgui_freetype.cpp
    ${imgui}/backends/imgui_impl_glfw.cpp ${imgui}/backends/imgui_impl_opengl3.cpp imgui_hooks.cpp)
  target_include_directories(lab_imgui SYSTEM PUBLIC
    ${imgui} ${imgui}/backends ${imgui}/misc/cpp ${imgui}/misc/freetype)
  target_compile_definitions(lab_imgui PUBLIC
    IMGUI_ENABLE_FREETYPE IMGUI_DISABLE_OBSOLETE_FUNCTIONS IMGUI_DISABLE_DEMO_WINDOWS
    IMGUI_ENABLE_TEST_ENGINE)  # its items can be listed, by hooks that tests/support defines
  target_link_libraries(lab_imgui PUBLIC lab::glfw lab::freetype ${CMAKE_DL_LIBS})
  lab_used("${version}, ${imgui}")
endif()
