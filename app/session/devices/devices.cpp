#include "session/devices/devices.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "session/shell/answer_handler.h"
#include "session/shell/session.h"

namespace lab::session {

std::string Devices::in_use() const {
    const std::string& chosen = session_.settings().choice.shape.device;
    if (!chosen.empty() || !found_.answer) return chosen;
    return standard_device(*found_.answer);
}

const results::DeviceInfo* Devices::device_in_use() const {
    if (!found_.answer) return nullptr;
    const auto& all = found_.answer->devices;
    const auto found = std::find_if(
        all.begin(), all.end(),
        [id = in_use()](const results::DeviceInfo& device) { return device.id == id; });
    return found == all.end() ? nullptr : &*found;
}

void Devices::start() {
    if (found_.waiting) return;
    found_.waiting = true;
    session_.worker().send("devices", nlohmann::json::object(), handler(found_));
}

std::vector<PlacedProblem> Devices::problems() const {
    std::vector<PlacedProblem> problems;
    add_problem(problems, "devices", found_.problem);
    return problems;
}

}  // namespace lab::session
