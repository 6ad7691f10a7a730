#include <fmt/format.h>

#include <array>
#include <utility>

#include "gui/parts/fill.h"
#include "gui/parts/widgets.h"
#include "gui/shell/top_bar.h"
#include "session/devices/devices_view.h"
#include "session/step/step_view.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

// What the device says of the run that is shown: in words, and where it is bad by the shape of the
// sign too.
struct DeviceStatus {
    std::string device, verdict, tip;
    enum class Sign : std::uint8_t { good, unknown, bad } sign = Sign::good;
    bool explained = false;  // a click shows the run that is as on the device
};

std::string tip_of(const Ui& ui, const analysis::Witness& witness, const char* key) {
    return ui.tr()(key, fmt::arg("rows", witness.agreement.rows),
                   fmt::arg("result", witness.result), fmt::arg("row", witness.agreement.row),
                   fmt::arg("cell", witness.agreement.cell),
                   fmt::arg("device", witness.agreement.device),
                   fmt::arg("run", witness.agreement.machine), fmt::arg("why", witness.why));
}

void add_verdict(const Ui& ui, const analysis::Witness& witness, DeviceStatus& status) {
    using Verdict = analysis::Witness::Verdict;
    std::string key;
    switch (witness.verdict) {
        case Verdict::absent:
            if (witness.why.empty()) return;
            key = "witness.absent";
            status.sign = DeviceStatus::Sign::unknown;
            break;
        case Verdict::unknown:
            key = "witness.unknown";
            status.sign = DeviceStatus::Sign::unknown;
            break;
        case Verdict::same:
            key = witness.origin == analysis::Witness::Origin::device ? "witness.device"
                  : witness.agreement.kind == analysis::Agreement::Kind::rounding
                      ? "witness.rounding"
                      : "witness.same";
            break;
        case Verdict::lucky:
            key = "witness.lucky";
            break;
        case Verdict::explained:
            key = "witness.explained";
            status.explained = true;
            break;
        case Verdict::unexplained:
            key = witness.complete ? "witness.unexplained" : "witness.unfound";
            status.sign = DeviceStatus::Sign::bad;
            break;
    }
    status.verdict = " · " + ui.tr()(key);
    status.tip = tip_of(ui, witness, (key + ".tip").c_str());
}

DeviceStatus status_of(const Ui& ui) {
    DeviceStatus status;
    status.tip = ui.tr()("status.tip");
    const session::Asked<results::Devices>& asked = ui.view<session::DevicesView>().devices();
    const session::WitnessState& witness = ui.view<session::StepView>().witness();
    if (asked.answer && asked.answer->devices.empty()) {
        status.device = ui.tr()("status.no_device");
        status.sign = DeviceStatus::Sign::unknown;
        return status;
    }
    const std::string in_use = ui.view<session::DevicesView>().in_use();
    if (asked.answer)
        for (const results::DeviceInfo& device : asked.answer->devices)
            if (device.id == in_use) status.device = device.name;
    if (witness.answer && !witness.answer->device.empty()) status.device = witness.answer->device;
    if (status.device.empty()) {
        const bool looking = asked.waiting || !asked.answer;
        status.device = ui.tr()(looking ? "status.looking" : "status.no_device");
        status.sign = looking ? DeviceStatus::Sign::unknown : DeviceStatus::Sign::bad;
        return status;
    }
    // It is of the run that the step view shows, and of no other.
    if (!ui.session.shows<session::StepView>()) return status;
    if (witness.waiting) {
        status.verdict = " · " + ui.tr()("witness.waiting");
        status.tip = ui.tr()("witness.waiting.tip");
        status.sign = DeviceStatus::Sign::unknown;
    } else if (ui.session.settings().choice.user_kernel) {
        status.tip = ui.tr()("user_kernel.machine_only.tip");
    } else if (witness.answer) {
        add_verdict(ui, *witness.answer, status);
    }
    return status;
}

void device_status(Ui& ui, ImVec2 point, float width) {
    using Sign = DeviceStatus::Sign;
    const DeviceStatus status = status_of(ui);
    const std::string& verdict = status.verdict;
    std::string text = status.device;
    const float height = ui.px(kTouch);
    const TextStyle style(ui, Face::sans, kSmallSize);
    // For a long name the beginning; the verdict stays whole as long as there is room for it.
    const float words = (width - ui.px(44)) / ui.scale;
    const float rest = words - ui.metrics.text_width(verdict, kSmallSize, Face::sans);
    text = rest > 60 ? ui.metrics.shortened(text, rest, kSmallSize, Face::sans) + verdict
                     : ui.metrics.shortened(text + verdict, words, kSmallSize, Face::sans);
    const float w = std::min(width, ImGui::CalcTextSize(text.c_str()).x + ui.px(44));
    point.x += width - w;
    ImGui::SetCursorScreenPos(point);
    if (ImGui::InvisibleButton("status", {w, height})) {
        if (status.explained)
            ui.run("order.device");
        else
            ui.run("view.devices");
    }
    tip(ui, status.tip, ui.session.command(status.explained ? "order.device" : "view.devices").key);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(point, {point.x + w, point.y + height},
                       ui.colour(status.sign == Sign::good      ? Role::wrote_fill
                                 : status.sign == Sign::unknown ? Role::idle_fill
                                                                : Role::race_fill),
                       height / 2);
    const ImVec2 dot{point.x + ui.px(18), point.y + height / 2};
    if (status.sign == Sign::good)
        into.AddCircleFilled(dot, ui.px(5), ui.colour(Role::wrote));
    else if (status.sign == Sign::unknown)
        into.AddCircle(dot, ui.px(5), ui.colour(Role::idle), 0, ui.px(2));
    else
        into.AddTriangleFilled({dot.x, dot.y - ui.px(6)}, {dot.x + ui.px(6), dot.y + ui.px(5)},
                               {dot.x - ui.px(6), dot.y + ui.px(5)}, ui.colour(Role::race));
    into.AddText({point.x + ui.px(30), point.y + (height - ImGui::GetFontSize()) / 2},
                 ui.colour(Role::text), text.c_str());
}

// What a tab is for, beside the tabs: below them it would cover what they lead to.
void tab_tip(const Ui& ui, const session::Command& command, ImVec2 point) {
    const float room = ImGui::GetMainViewport()->Size.x - point.x - ui.px(28);
    if (room < ui.px(260)) return command_tip(ui, command);
    const TextStyle style(ui, Face::sans, kTextSize);
    ImGui::SetNextWindowPos(point);
    if (!ImGui::BeginTooltip()) return;
    const float key = ui.px(ui.metrics.text_width(command.key, kSmallSize, Face::mono) + 14);
    wrapped(ui.tr()(fmt::format("command.{}.tip", command.id)), room - key);
    ImGui::SameLine(0, ui.px(14));
    {
        const TextStyle small(ui, Face::mono, kSmallSize, Role::muted);
        ImGui::TextUnformatted(command.key);
    }
    ImGui::EndTooltip();
}

void small_command(Ui& ui, const char* id, const std::string& text) {
    if (pill(ui, id, text, false)) ui.run(id);
    command_tip(ui, ui.session.command(id));
}

}  // namespace

void top_bar(Ui& ui, const Area& area) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    fill_area(into, area.at, {area.at.x + area.size.x, area.at.y + area.size.y},
              ui.colour(Role::panel));
    into.AddLine({area.at.x, area.at.y + area.size.y},
                 {area.at.x + area.size.x, area.at.y + area.size.y}, ui.colour(Role::border));
    const float y = area.at.y + (area.size.y - ui.px(kTouch)) / 2;
    float x = area.at.x + ui.px(12);
    ImGui::SetCursorScreenPos({x, y});
    menu_button(ui, {ui.px(kTouch), ui.px(kTouch)});
    x = ImGui::GetItemRectMax().x + ui.px(10);
    float tabs = 0;
    for (const WindowView& view : ui.views) {
        const std::string words = ui.tr()(std::string("command.view.") + view.type->id);
        tabs += ui.px(ui.metrics.text_width(words, kTextSize, Face::bold));
    }
    const auto count = static_cast<float>(ui.views.size());
    const float title_width =
        ui.px(ui.metrics.text_width(ui.tr()("app.title"), kTitleSize - 1, Face::bold) + 24);
    const float rest = area.size.x - x - ui.px(12);
    const bool titled = title_width + tabs + count * ui.px(28) < rest;
    const float around = tabs + count * ui.px(28) < rest ? 12 : 4;
    if (titled) {
        const TextStyle title(ui, Face::bold, kTitleSize - 1);
        ImGui::SetCursorScreenPos({x, area.at.y + (area.size.y - ImGui::GetFontSize()) / 2});
        ImGui::TextUnformatted(ui.tr()("app.title").c_str());
        x = ImGui::GetItemRectMax().x + ui.px(24);
    }
    ImGui::SetCursorScreenPos({x, y});
    const session::Command* pointed = nullptr;
    for (const WindowView& view : ui.views) {
        const std::string id = std::string("view.") + view.type->id;
        const session::Command& command = ui.session.command(id);
        if (pill(ui, command.id, ui.tr()("command." + id), view.type == &ui.session.shown_type(),
                 around))
            ui.run(command);
        if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) pointed = &command;
        ImGui::SameLine(0, ui.px(4));
    }
    const float tabs_end = ImGui::GetItemRectMax().x;
    if (pointed != nullptr) tab_tip(ui, *pointed, {tabs_end + ui.px(12), area.at.y + ui.px(9)});

    const std::array<std::pair<const char*, std::string>, 4> settings{{
        {"language.next", ui.tr()("language.name")},
        {"theme.next", ui.tr()("theme." + ui.session.settings().theme)},
        {"scale.smaller", "A−"},
        {"scale.larger", "A+"},
    }};
    float settings_x = area.at.x + area.size.x - ui.px(12);
    for (const auto& [id, text] : settings)
        settings_x -= ImGui::CalcTextSize(text.c_str()).x + ui.px(24);
    if (settings_x > tabs_end) {
        ImGui::SetCursorScreenPos({settings_x, y});
        for (const auto& [id, text] : settings) {
            small_command(ui, id, text);
            ImGui::SameLine(0, 0);
        }
    } else {
        settings_x = area.at.x + area.size.x;
    }
    if (const float room = settings_x - tabs_end - ui.px(24); room > ui.px(90))
        device_status(ui, {tabs_end + ui.px(12), y}, room);
}

}  // namespace lab::gui
