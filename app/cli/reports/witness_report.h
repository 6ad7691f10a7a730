// What the device has to say of the run that is shown, in words.
#pragma once

#include <string>

#include "analysis/outcomes/witness.h"

namespace lab::cli {

// A line or two; empty where no device was asked.
std::string text_of(const analysis::Witness& witness);

}  // namespace lab::cli
