// What a variant gains over the one before it, in the user's language: predicted, and as measured.
#pragma once

#include <string>

#include "gui/parts/widgets.h"

namespace lab::gui {

// "After “Step 1: modulo”, predicted: 2.7× on a GPU; 1× on a CPU. Measured: 1.7× on NVIDIA H200, n
// = 256 Mi." What was measured is of the results that are loaded, if both are in them. Empty where
// the variant comes after none.
std::string gain_text(const Ui& ui, const catalogue::Variant& variant);

// Why it does; empty as above.
std::string why_text(const Ui& ui, const catalogue::Variant& variant);

}  // namespace lab::gui
