#include "session/devices/devices_view.h"

#include <nlohmann/json.hpp>

#include "session/shell/answer_handler.h"
#include "session/shell/session.h"

namespace lab::session {

std::string DevicesView::in_use() const {
    const std::string& chosen = session_.settings().choice.shape.device;
    if (!chosen.empty() || !devices_.answer) return chosen;
    return standard_device(*devices_.answer);
}

void DevicesView::start() {
    if (devices_.waiting) return;
    devices_.waiting = true;
    session_.worker().send("devices", nlohmann::json::object(), handler(devices_));
}

std::vector<PlacedProblem> DevicesView::problems() const {
    std::vector<PlacedProblem> found;
    add_problem(found, "devices", devices_.problem);
    return found;
}

constinit const ViewType kDevicesView{.id = "devices", .create = create_view<DevicesView>};

}  // namespace lab::session
