// Decodes a PNG, for pictures that come with the program.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace lab::figures {

struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // four bytes each, the top row first
};

// Throws Problem if these bytes are no PNG.
Pixels pixels_of_png(std::string_view png);

}  // namespace lab::figures
