// The OpenCL side's requests, by the names that the worker's pipe has for them.
#pragma once

#include <map>
#include <string>

#include "worker/protocol.h"

namespace lab::device {

// The methods of `reduction-lab-cli serve`: devices, step, measure, check, outcomes, trials,
// record. Each may be given "opened": [{"file", "text"}], kernels from elsewhere that it then
// knows, too, or one where one run is asked for; and all but devices and check "own", a form, in
// place of a variant.
std::map<std::string, worker::Method> methods();

}  // namespace lab::device
