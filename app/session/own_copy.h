// A shipped variant as a kernel of one's own, and where such a copy is kept.
#pragma once

#include <filesystem>
#include <string>

#include "catalogue/shape.h"
#include "catalogue/variant.h"
#include "simulation/own_kernel.h"

namespace lab::session {

std::string copy_name(const Variant& variant);  // "relaunch-copy.cl"

// Plain OpenCL C, its macros written out as the shape has them, with the variant's first launch of
// `n` elements. Throws Problem where the variant cannot be launched so.
simulation::OwnKernel plain_copy(const Variant& variant, const Shape& shape, std::uint64_t n);

// The user's documents ($XDG_DOCUMENTS_DIR, ~/Documents), else the home folder.
std::filesystem::path documents_folder();
// That file, or where there is one already with a number more: "a-2.cl".
std::filesystem::path free_name(std::filesystem::path file);

}  // namespace lab::session
