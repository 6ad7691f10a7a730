// The devices that OpenCL finds on this computer, and the one that kernels run on.
#pragma once

#include <string>

#include "results/device_info.h"
#include "session/shell/asked.h"

namespace lab::session {

class Session;

// Their panel over the view, and the name of the view that it was until version 0.1: settings and
// moments may still have it.
inline constexpr char kDevicesPanel[] = "devices";

using FoundDevices = Asked<results::Devices>;

std::string device_in_use(const Session& session);  // an id; empty while they are not known
const results::DeviceInfo* info_in_use(const Session& session);  // null while it is not known
void look_for_devices(Session& session);                         // also again

}  // namespace lab::session
