// A number as people type it: "2048", "2,048", "2 048", "2^11", "2*1024", "2Ki", "0x800", "55,9".
#pragma once

#include <string_view>
#include <vector>

namespace lab::lessons {

// What it may mean: one number, or two where a comma is a decimal one or stands between thousands.
// Empty: it is no number.
std::vector<double> typed_numbers(std::string_view text);

}  // namespace lab::lessons
