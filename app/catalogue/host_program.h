// A kernel's host part: one complete C++ program that builds the kernel's file, launches it as the
// header says, and checks and times the result. Its text is assets/host_program.cpp.in.
#pragma once

#include <filesystem>
#include <string>

#include "catalogue/kernel.h"
#include "catalogue/shape.h"

namespace lab::catalogue {

struct HostProgram {
    std::string name;  // relaunch, of relaunch.cpp and relaunch.cl
    std::string text;  // C++17 with CLHPP; reads the kernel's file from the folder where it runs
    std::string kernel_file, kernel_text;
};

// With the group that suits a small n if the shape sets none, as in a step. Throws Problem if the
// variant does not allow the shape, or there is nothing to reduce.
HostProgram host_program(const Kernel& variant, const Shape& shape);

// Writes the program to `file` and the kernel beside it. Throws Problem, with nothing written, if
// another text stands where the kernel would.
void save_program(const HostProgram& program, const std::filesystem::path& file);

}  // namespace lab::catalogue
