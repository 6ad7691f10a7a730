// What the measure view times on, where there are several devices; and how close all of them
// together come to linear.
#include <fmt/format.h>

#include <algorithm>

#include "catalogue/number.h"
#include "gui/measure/measure_panels.h"
#include "gui/parts/widgets.h"
#include "results/device_team.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

const std::vector<results::DeviceInfo>& devices_of(const Ui& ui) {
    static const std::vector<results::DeviceInfo> none;
    const session::FoundDevices& asked = ui.session.devices();
    return asked.answer ? asked.answer->devices : none;
}

std::string percent(double part) {
    return fmt::format("{:.1f}", part * 100);
}

std::string ms_text(const Ui& ui, const std::vector<double>& samples) {
    return fmt::format("{} {}", catalogue::figure_text(results::median(samples)),
                       ui.tr()("unit.ms"));
}

}  // namespace

bool offers_devices(const Ui& ui) {
    return devices_of(ui).size() > 1;
}

void measure_device(Ui& ui, session::MeasureChoice& choice, float width) {
    const std::vector<results::DeviceInfo>& devices = devices_of(ui);
    std::vector<std::string> words;
    int now = -1;
    for (const results::DeviceInfo& device : devices) {
        if (device.id == device_in_use(ui.session)) now = static_cast<int>(words.size());
        words.push_back(fmt::format("{}  {}", device.id, device.name));
    }
    words.push_back(ui.tr()("measure.all_devices", fmt::arg("count", devices.size())));
    if (results::names_several(choice.shape.device)) now = static_cast<int>(devices.size());
    const int chosen = combo(ui, "###mdevice", words, now, width);
    tip(ui, ui.tr()("field.device.tip"));
    if (chosen < 0) return;
    if (static_cast<std::size_t>(chosen) == devices.size()) {
        choice.shape.device = results::kAllDevices;
        return;
    }
    choice.shape.device.clear();
    session::Choice one = ui.session.settings().choice;
    one.shape.device = devices[static_cast<std::size_t>(chosen)].id;
    if (one.shape.device != device_in_use(ui.session)) ui.change().choose(std::move(one));
}

std::string linear_text(const Ui& ui, const results::Row& row) {
    const auto device = row.device_efficiency(), wall = row.wall_efficiency();
    if (row.parts.size() < 2 || !device || !wall) return {};
    return ui.tr()("measure.linear", fmt::arg("count", row.parts.size()),
                   fmt::arg("percent", percent(*device)), fmt::arg("wall", percent(*wall)));
}

std::string parts_text(const Ui& ui, const results::Row& row) {
    std::string text = linear_text(ui, row);
    if (text.empty()) return {};
    text += "\n" + ui.tr()("measure.linear.why");
    for (const results::RowPart& part : row.parts)
        text += "\n" +
                ui.tr()("measure.part", fmt::arg("device", part.device),
                        fmt::arg("name", part.name), fmt::arg("n", catalogue::size_text(part.n)),
                        fmt::arg("ms", ms_text(ui, part.device_ms)),
                        fmt::arg("alone", ms_text(ui, part.alone_device_ms))) +
                "  " + catalogue::settings_text(part.chosen);
    return text;
}

}  // namespace lab::gui
