// The machine that a measurement ran on, as its result file tells it.
#pragma once

#include "measure/result.h"

namespace lab {

Host this_host();

}  // namespace lab
