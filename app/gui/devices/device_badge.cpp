#include <fmt/format.h>

#include "base/platform.h"
#include "gui/devices/device_panel.h"
#include "gui/parts/widgets.h"
#include "session/devices/devices.h"
#include "session/step/step_view.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

constexpr float kHeight = 32, kBefore = 30, kSign = 28;  // points; round the words

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
    const auto& table = ui.view<session::StepView>().table().answer;
    const std::string key = witness_key(witness, table && !table->fault.empty());
    if (key.empty()) return;
    using Verdict = analysis::Witness::Verdict;
    if (witness.verdict == Verdict::absent || witness.verdict == Verdict::unknown)
        status.sign = DeviceStatus::Sign::unknown;
    if (witness.verdict == Verdict::unexplained) status.sign = DeviceStatus::Sign::bad;
    status.explained = witness.verdict == Verdict::explained;
    status.verdict = " · " + ui.tr()(key);
    status.tip = tip_of(ui, witness, (key + ".tip").c_str());
}

DeviceStatus status_of(const Ui& ui) {
    DeviceStatus status;
    status.tip = ui.tr()("status.tip");
    const session::Asked<results::Devices>& asked = ui.session.devices().found();
    const session::WitnessState& witness = ui.view<session::StepView>().witness();
    if (asked.answer && asked.answer->devices.empty()) {
        status.device = ui.tr()(platform::kBrowser ? "status.browser" : "status.no_device");
        status.sign = DeviceStatus::Sign::unknown;
        return status;
    }
    const std::string in_use = ui.session.devices().in_use();
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

// A circle, a ring or a triangle: it is told without its colour, too.
void draw_sign(const Ui& ui, DeviceStatus::Sign sign, ImVec2 dot) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    if (sign == DeviceStatus::Sign::good)
        into.AddCircleFilled(dot, ui.px(5), ui.colour(Role::wrote));
    else if (sign == DeviceStatus::Sign::unknown)
        into.AddCircle(dot, ui.px(5), ui.colour(Role::idle), 0, ui.px(2));
    else
        into.AddTriangleFilled({dot.x, dot.y - ui.px(6)}, {dot.x + ui.px(6), dot.y + ui.px(5)},
                               {dot.x - ui.px(6), dot.y + ui.px(5)}, ui.colour(Role::race));
}

Role ground_of(DeviceStatus::Sign sign) {
    return sign == DeviceStatus::Sign::good      ? Role::wrote_fill
           : sign == DeviceStatus::Sign::unknown ? Role::idle_fill
                                                 : Role::race_fill;
}

// The triangle at the end, which says that something opens below.
void draw_arrow(const Ui& ui, ImVec2 centre, bool open, ImU32 colour) {
    const float y = open ? -1.0F : 1.0F;
    ImGui::GetWindowDrawList()->AddTriangleFilled({centre.x - ui.px(5), centre.y - ui.px(3) * y},
                                                  {centre.x + ui.px(5), centre.y - ui.px(3) * y},
                                                  {centre.x, centre.y + ui.px(4) * y}, colour);
}

}  // namespace

std::string witness_key(const analysis::Witness& witness, bool stopped) {
    using Verdict = analysis::Witness::Verdict;
    switch (witness.verdict) {
        case Verdict::absent:
            return witness.why.empty() ? "" : "witness.absent";
        case Verdict::unknown:
            return stopped ? "witness.stopped" : "witness.unknown";
        case Verdict::same:
            if (witness.origin == analysis::Witness::Origin::device) return "witness.device";
            return witness.agreement.kind == analysis::Agreement::Kind::rounding
                       ? "witness.rounding"
                       : "witness.same";
        case Verdict::lucky:
            return "witness.lucky";
        case Verdict::explained:
            return "witness.explained";
        case Verdict::unexplained:
            return witness.complete ? "witness.unexplained" : "witness.unfound";
    }
    return {};
}

void device_badge(Ui& ui, ImVec2 point, float width) {
    const DeviceStatus status = status_of(ui);
    const TextStyle style(ui, Face::sans, kSmallSize);
    // For a long name the beginning; the verdict stays whole as long as there is room for it.
    const float words = width / ui.scale - kBefore - kSign;
    const float rest = words - ui.metrics.text_width(status.verdict, kSmallSize, Face::sans);
    const std::string text =
        rest > 60
            ? ui.metrics.shortened(status.device, rest, kSmallSize, Face::sans) + status.verdict
            : ui.metrics.shortened(status.device + status.verdict, words, kSmallSize, Face::sans);
    const float height = ui.px(kHeight);
    const float w = std::min(width, ImGui::CalcTextSize(text.c_str()).x + ui.px(kBefore + kSign));
    point.x += width - w;
    const ImVec2 high{point.x + w, point.y + height};
    const session::Command& panel = ui.session.command("devices");
    const session::Command& shows =
        ui.session.command(status.explained ? "order.device" : "devices");
    // Two buttons: the words, a click on which shows the run that is as on the device, if there is
    // one; and the arrow. Else both open the panel.
    ImGui::SetCursorScreenPos(point);
    if (ImGui::InvisibleButton("status", {w - ui.px(kSign), height})) ui.run(shows);
    bool lit = ImGui::IsItemHovered();
    tip(ui, status.tip, shows.key);
    ImGui::SetCursorScreenPos({high.x - ui.px(kSign), point.y});
    if (ImGui::InvisibleButton(panel.id, {ui.px(kSign), height})) ui.run(panel);
    lit = lit || ImGui::IsItemHovered();
    command_tip(ui, panel);
    ui.state<BadgeArea>() = {point, high};
    const bool open = ui.session.overlay() == panel.id;
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(point, high, ui.colour(ground_of(status.sign)), height / 2);
    into.AddRect(point, high, ui.colour(lit || open ? Role::act : Role::border), height / 2, 0,
                 ui.px(lit || open ? 1.6F : 1));
    draw_sign(ui, status.sign, {point.x + ui.px(18), point.y + height / 2});
    into.AddText({point.x + ui.px(kBefore), point.y + (height - ImGui::GetFontSize()) / 2},
                 ui.colour(Role::text), text.c_str());
    if (status.explained)
        into.AddLine({high.x - ui.px(kSign), point.y + ui.px(7)},
                     {high.x - ui.px(kSign), high.y - ui.px(7)}, ui.colour(Role::border), ui.px(1));
    draw_arrow(ui, {high.x - ui.px(kSign / 2 + 1), point.y + height / 2}, open,
               ui.colour(lit || open ? Role::act : Role::muted));
}

}  // namespace lab::gui
