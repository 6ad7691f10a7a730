// Numbers as C writes them, as plain ones.
#pragma once

#include <string>
#include <string_view>

namespace lab::simulation {

// 0xff, 16u, 3UL, 0.5f, 1.f, 'a', '\n' and true in a list, each as digits alone; whatever is not
// such a number stays as it is. `floating`: what they are for.
std::string plain_numbers(std::string_view list, bool floating);

}  // namespace lab::simulation
