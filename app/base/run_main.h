// The edge of a program, where errors become words and an exit status.
#pragma once

#include <functional>

namespace lab {

// What `body` returns. Of an exception it prints what happened on standard error and returns the
// exit status.
int run_main(const std::function<int()>& body);

}  // namespace lab
