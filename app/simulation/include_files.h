// The files that a kernel's text includes.
#pragma once

#include <string>
#include <vector>

#include "lang/source.h"

namespace lab::simulation {

// Those that lines with #include name, and that these name in turn, each once: looked for beside
// the file that names it, beside `file`, then in `folders`. What is not found is left out.
lang::Sources include_files(const std::string& file, const std::string& text,
                            const std::vector<std::string>& folders);

// The text with what it includes in the place of each #include, for a compiler that has no files.
std::string with_includes(const std::string& text, const lang::Sources& files);

}  // namespace lab::simulation
