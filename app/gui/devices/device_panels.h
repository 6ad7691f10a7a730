// The panel of the devices view.
#pragma once

#include "catalogue/variant.h"
#include "gui/shell/window_view.h"
#include "results/device_info.h"

namespace lab::gui {

// Why the device cannot run the variant with its usual toggles: "needs …, which this device lacks";
// empty if it can.
std::string obstacle_text(const Ui& ui, const results::DeviceInfo& device,
                          const catalogue::Variant& variant, catalogue::Type type);

void device_list(Ui& ui, const Area& area);

}  // namespace lab::gui
