// In a browser GL is WebGL 2, whose functions are linked like any others.
#pragma once

#include <GLES3/gl3.h>

#define GLAD_GL_VERSION_3_3 1  // it has samplers
