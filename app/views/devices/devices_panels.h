// The device badge of the top bar, and the panel that hangs from it: the devices found, what this
// computer lacks and how to get it, and which kernels run where.
#pragma once

#include <string>

#include "analysis/outcomes/witness.h"
#include "catalogue/variant.h"
#include "gui/shell/ui.h"
#include "results/device_info.h"

namespace lab::gui {

// Why the device cannot run the variant with its usual toggles: "needs …, which this device lacks";
// empty if it can.
std::string obstacle_text(const Ui& ui, const results::DeviceInfo& device,
                          const catalogue::Variant& variant, catalogue::Type type);

// What the badge says of the device beside the run that is shown, which was stopped or not: a key
// that has a tip, or nothing.
std::string witness_key(const analysis::Witness& witness, bool stopped);

// Ends at the right of the room that begins at `point`, `width` pixels.
void device_badge(Ui& ui, ImVec2 point, float width);
void device_panel(Ui& ui);  // an overlay

}  // namespace lab::gui
