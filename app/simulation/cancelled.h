// What is said of something that its user cancelled.
#pragma once

#include "base/problem.h"

namespace lab::simulation {

Problem run_cancelled();
Problem search_cancelled();

}  // namespace lab::simulation
