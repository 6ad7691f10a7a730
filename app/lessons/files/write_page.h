// Adds a page to a lesson's file, so that a lesson can be made of moments worth showing.
#pragma once

#include <filesystem>
#include <string>

#include "lessons/answers/show.h"

namespace lab::lessons {

// The `show` block of it, without its fences: only what is not as it would be anyway.
std::string show_text(const Show& show);

// Appends a page with that heading, whole or not at all; the first one begins the file. `kernel`:
// the text of show.kernel where that is a file, which is written beside it. Throws Problem: the
// heading is empty or there already, a file cannot be written, or there is a kernel file of that
// name with another text.
void add_page(const std::filesystem::path& folder, const std::string& heading, const Show& show,
              const std::string& kernel = {});

}  // namespace lab::lessons
