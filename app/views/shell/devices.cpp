// The device badge of the top bar, and the panel that hangs from it.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>

#include "base/platform.h"
#include "catalogue/number.h"
#include "gui/choice_fields.h"
#include "gui/widgets.h"
#include "results/device_info.h"
#include "views/shell/shell.h"
#include "views/step/step.h"

namespace lab::gui {

namespace {

// Where the badge was drawn last; all zero if it never was.
struct BadgeArea {
    ImVec2 low, high;
};

constexpr float kHeight = 32, kBefore = 30, kSign = 28;  // points; round the words

// What the device says of the run that is shown: in words, and where it is bad by the shape of the
// sign too.
struct DeviceStatus {
    std::string device, verdict, tip;
    enum class Sign : std::uint8_t { good, unknown, bad } sign = Sign::good;
    bool explained = false;  // a click shows the run that is as on the device
};

std::string tip_of(const Ui& ui, const analysis::DeviceComparison& witness, const char* key) {
    return ui.tr()(key, arg("rows", witness.agreement.rows), arg("result", witness.result),
                   arg("row", witness.agreement.row), arg("cell", witness.agreement.cell),
                   arg("device", witness.agreement.device), arg("run", witness.agreement.machine),
                   arg("why", witness.why));
}

void add_verdict(const Ui& ui, const analysis::DeviceComparison& witness, DeviceStatus& status) {
    const auto& table = ui.view<session::StepView>().table.answer;
    const std::string key = witness_key(witness, table && !table->fault.empty());
    if (key.empty()) return;
    using Verdict = analysis::DeviceComparison::Verdict;
    if (witness.verdict == Verdict::absent || key == "witness.unknown" || key == "witness.stopped")
        status.sign = DeviceStatus::Sign::unknown;
    if (witness.verdict == Verdict::unexplained) status.sign = DeviceStatus::Sign::bad;
    status.explained = witness.verdict == Verdict::explained;
    status.verdict = " · " + ui.tr()(key);
    status.tip = tip_of(ui, witness, (key + ".tip").c_str());
}

DeviceStatus status_of(const Ui& ui) {
    DeviceStatus status;
    status.tip = ui.tr()("status.tip");
    const session::FoundDevices& asked = ui.session.devices;
    const session::WitnessState& witness = ui.view<session::StepView>().witness;
    if (asked.answer && asked.answer->devices.empty()) {
        status.device = ui.tr()(platform::kBrowser ? "status.browser" : "status.no_device");
        status.sign = DeviceStatus::Sign::unknown;
        return status;
    }
    const std::string in_use = device_in_use(ui.session);
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
    } else if (witness.answer) {
        add_verdict(ui, *witness.answer, status);
    }
    return status;
}

// A circle, a ring or a triangle: it is told without its colour, too.
void draw_sign(const Ui& ui, DeviceStatus::Sign sign, ImVec2 dot) {
    const Pen pen(ui);
    if (sign == DeviceStatus::Sign::good)
        pen.disc(dot, ui.px(5), Role::wrote);
    else if (sign == DeviceStatus::Sign::unknown)
        pen.circle(dot, ui.px(5), Role::idle, ui.px(2));
    else
        pen.triangle({dot.x, dot.y - ui.px(6)}, {dot.x + ui.px(6), dot.y + ui.px(5)},
                     {dot.x - ui.px(6), dot.y + ui.px(5)}, Role::race);
}

Role ground_of(DeviceStatus::Sign sign) {
    return sign == DeviceStatus::Sign::good      ? Role::wrote_fill
           : sign == DeviceStatus::Sign::unknown ? Role::idle_fill
                                                 : Role::race_fill;
}

// The triangle at the end, which says that something opens below.
void draw_arrow(const Ui& ui, ImVec2 centre, bool open, Role role) {
    const float y = open ? -1.0F : 1.0F;
    Pen(ui).triangle({centre.x - ui.px(5), centre.y - ui.px(3) * y},
                     {centre.x + ui.px(5), centre.y - ui.px(3) * y},
                     {centre.x, centre.y + ui.px(4) * y}, role);
}

}  // namespace

std::string witness_key(const analysis::DeviceComparison& witness, bool stopped) {
    using Verdict = analysis::DeviceComparison::Verdict;
    // A run that breaks off or never ends has no result that another one could be lucky beside.
    if (stopped && (witness.verdict == Verdict::unknown || witness.verdict == Verdict::lucky))
        return "witness.stopped";
    switch (witness.verdict) {
        case Verdict::absent:
            return witness.why.empty() ? "" : "witness.absent";
        case Verdict::unknown:
            return "witness.unknown";
        case Verdict::same:
            if (witness.origin == analysis::DeviceComparison::Origin::device)
                return "witness.device";
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
    const float w = std::min(width, words_width(text) + ui.px(kBefore + kSign));
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
    const bool open = ui.session.overlay == panel.id;
    const Pen pen(ui);
    pen.fill(point, high, ground_of(status.sign), height / 2);
    pen.frame(point, high, lit || open ? Role::act : Role::border, height / 2,
              ui.px(lit || open ? 1.6F : 1));
    draw_sign(ui, status.sign, {point.x + ui.px(18), point.y + height / 2});
    pen.text({point.x + ui.px(kBefore), point.y + (height - ImGui::GetFontSize()) / 2}, text,
             Role::text);
    if (status.explained)
        pen.line({high.x - ui.px(kSign), point.y + ui.px(7)},
                 {high.x - ui.px(kSign), high.y - ui.px(7)}, Role::border, ui.px(1));
    draw_arrow(ui, {high.x - ui.px(kSign / 2 + 1), point.y + height / 2}, open,
               lit || open ? Role::act : Role::muted);
}

namespace {

// A package that brings something, as Debian and Ubuntu call it.
struct Package {
    const char* brings;  // a translation
    const char* name;
};
constexpr Package kProcessor{"missing.processor", "pocl-opencl-icd"};
constexpr Package kIntel{"missing.intel", "intel-opencl-icd"};
constexpr Package kAmd{"missing.amd", "mesa-opencl-icd"};
constexpr Package kNvidia{"missing.nvidia", "nvidia-opencl-icd"};

constexpr std::array kForAny{kProcessor, kIntel, kAmd, kNvidia};
constexpr std::array kForGpu{kIntel, kAmd, kNvidia};

// In the order of results::MissingCapability. The texts are "missing.<id>" and "missing.<id>.why".
struct Advice {
    const char* id;
    std::span<const Package> packages;
};
constexpr std::array<Advice, 3> kAdvice{
    {{"device", kForAny}, {"gpu", kForGpu}, {"sub_groups", {}}}};

// Which kernels run there, and what the others lack.
void kernels_of(Ui& ui, const results::DeviceInfo& device) {
    const auto& variants = ui.session.catalogue().variants;
    std::vector<std::string> others;
    for (const catalogue::Kernel& variant : variants)
        if (std::string why = obstacle_text(ui, device, variant, catalogue::Type::int_);
            !why.empty())
            others.push_back(title_of(ui, variant) + ui.tr()("figure.colon") + why);
    const float width = ImGui::GetContentRegionAvail().x;
    if (others.empty())
        return wrapped(ui.tr()("device.runs_all", arg("count", variants.size())), width);
    wrapped(ui.tr()("device.runs", arg("count", variants.size() - others.size()),
                    arg("all", variants.size())),
            width);
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    for (const std::string& other : others)
        wrapped(other, width);
}

using Facts = std::vector<std::pair<const char*, std::string>>;

Facts facts_of(const Ui& ui, const results::DeviceInfo& device) {
    const auto yes_no = [&](bool has) { return ui.tr()(has ? "word.yes" : "word.no"); };
    return {{"device.id", device.id},
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
}

// Pixels of the widest name of a fact, and what is between it and the value.
float names_width(const Ui& ui, const Facts& facts) {
    float widest = 0;
    for (const auto& [key, value] : facts)
        widest = std::max(widest, ui.metrics.text_width(ui.tr()(key), kSmallSize, Face::sans));
    return ui.px(widest + 16);
}

// In two columns where there is room; the platform's text, which is long, over both.
void fact_lines(const Ui& ui, const Facts& facts) {
    const float names = names_width(ui, facts), room = ImGui::GetContentRegionAvail().x;
    const float left = ImGui::GetCursorPosX();
    const bool two = room > 2 * (names + ui.px(96));
    const float column = two ? room / 2 : room;
    bool second = false;
    for (const auto& [key, value] : facts) {
        const bool wide = std::string_view(key) == "device.platform" || !two;
        if (second && !wide)
            ImGui::SameLine(left + column);
        else
            second = false;
        const float from = ImGui::GetCursorPosX();
        label(ui, ui.tr()(key));
        ImGui::SameLine(from + names);
        wrapped(value, wide ? room - names : column - names - ui.px(8));
        second = !second && !wide;
    }
}

void use_button(Ui& ui, const results::DeviceInfo& device, float end) {
    const bool chosen = device_in_use(ui.session) == device.id;
    const std::string words = ui.tr()(chosen ? "device.used" : "device.use");
    const float width = words_width(words) + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SameLine();
    ImGui::SetCursorPosX(std::max(ImGui::GetCursorPosX(), end - width));
    ImGui::BeginDisabled(chosen);
    if (ImGui::Button((words + "###use" + device.id).c_str())) {
        session::RunChoice choice = ui.choice();
        choice.shape.device = device.id;
        ui.change().choose(std::move(choice));
    }
    ImGui::EndDisabled();
    tip(ui, ui.tr()("device.use.tip"));
}

void device_part(Ui& ui, const results::DeviceInfo& device) {
    const float end = line_end();
    ImGui::AlignTextToFramePadding();
    fitted_line(ui, device.name, end - ImGui::GetCursorPosX() - ui.px(170), Face::bold, kTitleSize);
    tip(ui, device.name);
    use_button(ui, device, end);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(3)});
    fact_lines(ui, facts_of(ui, device));
    ImGui::Dummy({0, ui.px(4)});
    kernels_of(ui, device);
    ImGui::PopStyleVar();
    ImGui::Dummy({0, ui.px(10)});
}

// "Intel GPU   sudo apt-get install …   Copy"
void package_line(Ui& ui, const Package& package, float names) {
    const std::string command = fmt::format("sudo apt-get install {}", package.name);
    const float left = ImGui::GetCursorPosX();
    ImGui::AlignTextToFramePadding();
    label(ui, ui.tr()(package.brings));
    ImGui::SameLine(left + names);
    framed_line(ui, command, Face::mono, kSmallSize);
    ImGui::SameLine(0, ui.px(10));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), touch_padding(ui)});
    const bool pressed =
        ImGui::Button(fmt::format("{}###copy.{}", ui.tr()("log.copy"), package.name).c_str());
    ImGui::PopStyleVar();
    if (pressed) ui.copy(command);
    tip(ui, ui.tr()("missing.copy.tip"));
}

void advice_part(Ui& ui, const Advice& advice) {
    const std::string key = fmt::format("missing.{}", advice.id);
    const float width = ImGui::GetContentRegionAvail().x;
    wrapped(ui, ui.tr()(key), width, Face::bold, kTextSize);
    wrapped(ui.tr()(key + ".why"), width);
    float names = 0;
    for (const Package& package : advice.packages)
        names = std::max(
            names, ui.metrics.text_width(ui.tr()(package.brings), kSmallSize, Face::sans) + 16);
    for (const Package& package : advice.packages)
        package_line(ui, package, ui.px(names));
    ImGui::Dummy({0, ui.px(6)});
}

void missing_part(Ui& ui, const results::Devices& devices) {
    bold_line(ui, ui.tr()("missing"), kTextSize + 1, Role::act);
    const float width = ImGui::GetContentRegionAvail().x;
    for (const Problem& problem : devices.problems)
        problem_card(ui, problem, width);
    if (platform::kBrowser) return;
    const std::vector<results::MissingCapability> missing = missing_on(devices);
    for (const results::MissingCapability each : missing)
        advice_part(ui, kAdvice.at(static_cast<std::size_t>(each)));
    if (missing.empty() && devices.problems.empty()) wrapped(ui.tr()("missing.nothing"), width);
}

void contents(Ui& ui) {
    const session::FoundDevices& found = ui.session.devices;
    if (found.problem) problem_card(ui, *found.problem, ImGui::GetContentRegionAvail().x);
    if (found.answer) {
        for (const results::DeviceInfo& device : found.answer->devices)
            device_part(ui, device);
        missing_part(ui, *found.answer);
    }
    if (found.waiting) label(ui, ui.tr()("status.looking"));
}

}  // namespace

void device_panel(Ui& ui) {
    const BadgeArea& badge = ui.state<BadgeArea>();
    const ImVec2 window = ui.window();
    const float top = 60, width = std::min(720.0F, window.x - 24);
    const float right = badge.high.x > 0 ? badge.high.x / ui.scale : window.x - 12;
    const float left = std::clamp(right - width, 12.0F, std::max(window.x - 12 - width, 12.0F));
    // A press on the badge closes the panel by the badge's own doing.
    const Scope overlay = begin_overlay(ui, "devices", {ui.px(left), ui.px(top)}, {ui.px(width), 0},
                                        !ImGui::IsMouseHoveringRect(badge.low, badge.high, false));
    framed_line(ui, ui.tr()("command.devices"), Face::bold, kTitleSize);
    ImGui::SameLine(0, ui.px(16));
    command_button(ui, "devices.ask", ui.tr()("command.devices.ask"));
    ImGui::SameLine();
    close_overlay_button(ui);
    const float rest = ui.px(window.y - top - 14) - ImGui::GetCursorPosY() - ui.px(14);
    ImGui::SetNextWindowSizeConstraints({0, 0}, {FLT_MAX, std::max(rest, ui.px(80))});
    ImGui::BeginChild("contents", {0, 0}, ImGuiChildFlags_AutoResizeY);
    contents(ui);
    ImGui::EndChild();
}

}  // namespace lab::gui
