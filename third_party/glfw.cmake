# GLFW: the window, the keyboard and mouse, the GL context. Built from source it needs the headers
# of X11: libx11-dev libxrandr-dev libxinerama-dev libxcursor-dev libxi-dev.
lab_dependency(glfw
  WANTED  "GLFW 3.3 or newer"
  FOR     "the app, reduction-lab (app/gui)"
  GET     "apt-get install libglfw3-dev"
  RELEASE 3.3.8
  GIT     https://github.com/glfw/glfw.git
  COMMIT  7482de6071d21db77a7236155da44c172a7f6c9e)

lab_use_package("glfw3 3.3" glfw)
lab_use_source(glfw OPTIONS GLFW_BUILD_DOCS=OFF GLFW_BUILD_TESTS=OFF GLFW_BUILD_EXAMPLES=OFF
  GLFW_INSTALL=OFF)
if(TARGET lab_glfw)
  # GL's functions come from glad, not from the system's header. Empty, as #define would have it.
  target_compile_definitions(lab_glfw INTERFACE "GLFW_INCLUDE_NONE=")
endif()
