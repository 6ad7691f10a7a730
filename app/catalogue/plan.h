// The job that a kernel's launch plan comes to for one n: every buffer and every launch, ready for
// anything that can run kernels; and the text that is compiled for it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/job.h"
#include "catalogue/kernel.h"
#include "catalogue/shape.h"
#include "lang/compile.h"

namespace lab::catalogue {

// The device as a plan may know it.
struct Target {
    std::uint64_t units = 1;        // compute units
    std::uint64_t max_group = 256;  // work-items per group
    bool cpu = true;
    std::uint64_t kernel_group = 256;  // the largest that suits the kernel: a power of two
};

using CompiledKernel = std::shared_ptr<const lang::Code>;
// The kernel's code with the operator, type and toggles of `shape`. Throws Problem: the macros of
// its host that a form lacks, or else all errors of the text.
CompiledKernel compile(const Kernel& kernel, const Shape& shape);

// The job of `n` elements in groups of shape.group; a form knows its own sizes. By a header, the
// elements are not in it yet (see fill()), nor is the code, if none is given. Throws Problem
// (where = the kernel's file) if the header does not allow that n or group, if a toggle of `shape`
// is unknown, or an argument of the form does not fit.
Job plan_job(const Kernel& kernel, const Shape& shape, std::uint64_t n, const Target& target,
             const CompiledKernel& code = nullptr);

// Puts the elements and all that is filled into the buffers' `initial`, as the simulator needs it.
// The elements of the input are the leaves of lineage; if the plan iterates, the initial cells are.
void fill(Job& job, const Values& input);

// The shape with small groups (4) if it sets no size, so that there are several to see; if the
// kernel does not allow 4, its default, else one group of n.
Shape small_shape(const Kernel& kernel, Shape shape, std::uint64_t n, const Target& target);

// The value of each toggle, as chosen or by default. Throws Problem for an unknown one.
std::map<std::string, std::string> toggle_settings(const Kernel& kernel, const Shape& shape);

// Returns what the kernel needs from a device with the shape's toggles. Throws Problem for an
// unknown one.
std::vector<Need> needs_of(const Kernel& kernel, const Shape& shape);

// The kernel's text with the macros that it needs before it. `element` overrides the lines that
// define T, COMBINE, IDENTITY and all else that follows from T.
lang::Text text_of(const Kernel& kernel, const Shape& shape,
                   const std::optional<std::string>& element = {});

Scalar scalar_of(Type type);
std::vector<std::byte> bytes_in(const Values& values);

}  // namespace lab::catalogue
