#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "catalogue/number.h"
#include "gui/devices/device_panels.h"
#include "gui/kernels/kernel_panels.h"
#include "gui/parts/widgets.h"
#include "results/device_needs.h"
#include "session/devices/devices_view.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

// Which kernels run there, and what the others lack.
void kernels_of(Ui& ui, const results::DeviceInfo& device) {
    const auto& variants = ui.session.catalogue().variants;
    std::vector<std::string> others;
    for (const catalogue::Variant& variant : variants)
        if (std::string why = obstacle_text(ui, device, variant, catalogue::Type::int_);
            !why.empty())
            others.push_back(title_of(ui, variant) + ui.tr()("figure.colon") + why);
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::Dummy({0, ui.px(4)});
    if (others.empty())
        return wrapped(ui.tr()("device.runs_all", fmt::arg("count", variants.size())), width);
    wrapped(ui.tr()("device.runs", fmt::arg("count", variants.size() - others.size()),
                    fmt::arg("all", variants.size())),
            width);
    for (const std::string& other : others)
        wrapped(other, width);
}

void device_card(Ui& ui, const results::DeviceInfo& device) {
    {
        const TextStyle style(ui, Face::bold, kTitleSize);
        wrapped(device.name, ImGui::GetContentRegionAvail().x);
    }
    const auto yes_no = [&](bool has) { return ui.tr()(has ? "word.yes" : "word.no"); };
    const std::vector<std::pair<const char*, std::string>> facts{
        {"device.id", device.id},
        {"device.platform", fmt::format("{}, {}", device.platform, device.version)},
        {"device.driver", device.driver},
        {"device.kind", device.kind},
        {"device.units", std::to_string(device.compute_units)},
        {"device.group", std::to_string(device.max_group)},
        {"device.local", catalogue::bytes_text(device.local_bytes)},
        {"device.memory", catalogue::bytes_text(device.global_bytes)},
        {"device.buffer", catalogue::bytes_text(device.largest_buffer)},
        {"device.timer", fmt::format("{} ns", device.timer_ns)},
        {"device.double", yes_no(device.doubles)},
        {"device.sub_groups", yes_no(device.sub_groups)},
        {"device.collectives", yes_no(device.group_collectives)}};
    float widest = 0;
    for (const auto& [key, value] : facts)
        widest = std::max(widest, ui.metrics.text_width(ui.tr()(key), kSmallSize, Face::sans));
    for (const auto& [key, value] : facts) {
        label(ui, ui.tr()(key));
        ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + ui.px(widest + 28));
        wrapped(value, ImGui::GetContentRegionAvail().x);
    }
    kernels_of(ui, device);
    const bool chosen = ui.view<session::DevicesView>().in_use() == device.id;
    ImGui::BeginDisabled(chosen);
    if (ImGui::Button(
            (ui.tr()(chosen ? "device.used" : "device.use") + "###use" + device.id).c_str())) {
        session::Choice choice = ui.session.settings().choice;
        choice.shape.device = device.id;
        ui.change().choose(std::move(choice));
    }
    ImGui::EndDisabled();
    tip(ui, ui.tr()("device.use.tip"));
    ImGui::Dummy({0, ui.px(14)});
}

}  // namespace

std::string obstacle_text(const Ui& ui, const results::DeviceInfo& device,
                          const catalogue::Variant& variant, catalogue::Type type) {
    // In the order of Need.
    static constexpr std::array kKeys{"lacks.sub_groups", "lacks.group_collectives",
                                      "lacks.atomics", "lacks.ptx"};
    catalogue::Shape shape;  // with the toggles as the header has them
    shape.type = type;
    const std::vector<catalogue::Need> missing = missing_needs(device, variant, shape);
    return missing.empty() ? "" : ui.tr()(kKeys.at(static_cast<std::size_t>(missing.front())));
}

void device_list(Ui& ui, const Area& area) {
    begin_card(ui, "devices", area.at, area.size);
    const session::Asked<results::Devices>& asked = ui.view<session::DevicesView>().devices();
    const float width = std::min(ImGui::GetContentRegionAvail().x, ui.px(900));
    if (asked.problem) problem_card(ui, *asked.problem, width);
    if (asked.answer) {
        for (const Problem& problem : asked.answer->problems)
            problem_card(ui, problem, width);
        for (const results::DeviceInfo& device : asked.answer->devices)
            device_card(ui, device);
    }
    if (asked.waiting) label(ui, ui.tr()("status.looking"));
    command_button(ui, "devices.ask", ui.tr()("command.devices.ask"));
    end_card();
}

}  // namespace lab::gui
