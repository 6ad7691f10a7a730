#include "views/devices/devices.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "session/shell/answer_handler.h"
#include "session/shell/session.h"

namespace lab::session {

std::string device_in_use(const Session& session) {
    const std::string& chosen = session.settings().choice.shape.device;
    const FoundDevices& found = session.devices();
    return chosen.empty() && found.answer ? standard_device(*found.answer) : chosen;
}

const results::DeviceInfo* info_in_use(const Session& session) {
    if (!session.devices().answer) return nullptr;
    const auto& all = session.devices().answer->devices;
    const auto found = std::find_if(
        all.begin(), all.end(),
        [id = device_in_use(session)](const results::DeviceInfo& each) { return each.id == id; });
    return found == all.end() ? nullptr : &*found;
}

void look_for_devices(Session& session) {
    FoundDevices& found = session.devices();
    if (found.waiting) return;
    found.waiting = true;
    session.worker().send("devices", nlohmann::json::object(), handler(found));
}

}  // namespace lab::session
