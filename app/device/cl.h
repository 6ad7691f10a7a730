// The OpenCL C++ bindings, with errors as problems. Only for files of this room.
#pragma once

#include <CL/opencl.hpp>
#include <string>

#include "base/problem.h"

namespace lab::device {

const char* error_name(cl_int error);  // "CL_OUT_OF_RESOURCES"

// `doing` as in "running the kernel". A device that is gone or out of memory has Exit::no_device
// or Exit::usage; a hint says what to do.
Problem problem_of(const cl::Error& error, const std::string& doing, const std::string& where);

// Calls `act`; an OpenCL error in it becomes a Problem.
template <typename Act>
auto guarded(const std::string& doing, const std::string& where, Act&& act) {
    try {
        return act();
    } catch (const cl::Error& error) {
        throw problem_of(error, doing, where);
    }
}

}  // namespace lab::device
