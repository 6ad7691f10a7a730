# OpenCL in three parts: the C headers, the C++ ones (CLHPP) and the loader that finds the drivers.
# LAB_OPENCL_DIR names a folder that holds all three, as Khronos' OpenCL SDK installs them. The
# drivers themselves come with the machine; Debian's pocl-opencl-icd is one for any CPU.
set(LAB_OPENCL_DIR "" CACHE PATH "opencl: an installed prefix with the headers and the loader")
if(LAB_OPENCL_DIR)
  foreach(part HEADERS CLHPP LOADER)
    set(LAB_OPENCL_${part}_DIR ${LAB_OPENCL_DIR})
  endforeach()
endif()

lab_dependency(opencl-headers
  WANTED  "the OpenCL 3.0 C headers"
  FOR     "reduction-lab-cli (app/compute)"
  GET     "apt-get install opencl-headers"
  RELEASE 2023.02.06
  GIT     https://github.com/KhronosGroup/OpenCL-Headers.git
  COMMIT  4c82e9cfaaad18c340f48af3cf5d09ff33e8c1b7)
lab_use_package(OpenCLHeaders OpenCL::Headers)
lab_use_source(OpenCL::Headers)

lab_dependency(opencl-clhpp
  WANTED  "the OpenCL 3.0 C++ headers (CL/opencl.hpp)"
  FOR     "reduction-lab-cli (app/compute)"
  GET     "apt-get install opencl-clhpp-headers"
  RELEASE 2023.02.06
  GIT     https://github.com/KhronosGroup/OpenCL-CLHPP.git
  COMMIT  4a1157466afe72a87e8abc59537ef577534ccadf)
lab_use_package("OpenCLHeadersCpp 3.0" OpenCL::HeadersCpp)
lab_use_source(OpenCL::HeadersCpp OPTIONS BUILD_DOCS=OFF BUILD_EXAMPLES=OFF)

lab_dependency(opencl-loader
  WANTED  "an OpenCL ICD loader (libOpenCL)"
  FOR     "reduction-lab-cli (app/compute)"
  GET     "apt-get install ocl-icd-opencl-dev"
  RELEASE 2023.02.06
  GIT     https://github.com/KhronosGroup/OpenCL-ICD-Loader.git
  COMMIT  2cde5d09953a041786d1cfdcb1c08704a82cb904)
lab_use_package(OpenCL OpenCL::OpenCL)
lab_use_source(OpenCL::OpenCL OPTIONS OPENCL_ICD_LOADER_BUILD_SHARED_LIBS=OFF)

add_library(lab_opencl INTERFACE)
add_library(lab::opencl ALIAS lab_opencl)
target_link_libraries(lab_opencl INTERFACE lab::opencl-clhpp lab::opencl-headers lab::opencl-loader)
# We need OpenCL 1.2, yet the minimum says 1.1: with 120 the CLHPP of 2023 leaves out a function of
# its own that it goes on to call (getContextPlatformVersion).
target_compile_definitions(lab_opencl INTERFACE
  CL_HPP_ENABLE_EXCEPTIONS CL_HPP_MINIMUM_OPENCL_VERSION=110 CL_HPP_TARGET_OPENCL_VERSION=300
  CL_TARGET_OPENCL_VERSION=300)
