// The edge of a program, where errors become words and an exit status.
#pragma once

#include <functional>

namespace lab {

// What `body` returns. An exception is told on standard error, and its exit status returned.
int run_main(const std::function<int()>& body);

}  // namespace lab
