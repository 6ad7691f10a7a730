// The log of problems, at the bottom of the window while it is wanted.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "gui/parts/widgets.h"
#include "gui/shell/log_panel.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

std::string time_of(const session::LogEntry& entry) {
    const std::time_t at = std::chrono::system_clock::to_time_t(entry.at);
    std::tm parts{};
    localtime_r(&at, &parts);
    return fmt::format("{:%H:%M:%S}", parts);
}

std::string where_of(const Ui& ui, const session::LogEntry& entry) {
    return ui.tr().get("log." + entry.where, entry.where);
}

std::string text_of(const Ui& ui, const session::LogEntry& entry) {
    const std::string times = entry.times > 1 ? fmt::format(" ({}x)", entry.times) : "";
    return fmt::format("{} {}{}\n{}\n", time_of(entry), where_of(ui, entry), times,
                       entry.problem.text());
}

void entry_lines(const Ui& ui, const session::LogEntry& entry, float width) {
    {
        const TextStyle style(ui, Face::mono, kSmallSize, Role::muted);
        ImGui::TextUnformatted(time_of(entry).c_str());
    }
    ImGui::SameLine(0, ui.px(10));
    {
        const TextStyle style(ui, Face::bold, kSmallSize, Role::race);
        const std::string times = entry.times > 1 ? fmt::format(" ×{}", entry.times) : "";
        ImGui::TextUnformatted(("! " + where_of(ui, entry) + times).c_str());
    }
    ImGui::SameLine(ui.px(170));
    ImGui::BeginGroup();
    const float room = width - ui.px(170);
    const Problem problem = translated(entry.problem, ui.tr());
    {
        const TextStyle style(ui, Face::bold, kTextSize);
        wrapped(as_sentence(ui, problem.what_happened), room);
    }
    const auto small = [&](const std::string& words, Face face) {
        if (words.empty()) return;
        const TextStyle style(ui, face, kSmallSize, Role::muted);
        wrapped(words, room);
    };
    small(problem.where, Face::mono);
    small(problem.why, problem.why.find('\n') == std::string::npos ? Face::sans : Face::mono);
    if (!problem.hint.empty()) {
        const TextStyle style(ui, Face::sans, kTextSize);
        wrapped(as_sentence(ui, problem.hint), room);
    }
    ImGui::EndGroup();
}

void header(Ui& ui) {
    const auto& log = ui.session.notices().log();
    {
        const TextStyle style(ui, Face::bold, kTextSize + 1);
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(ui.tr()("command.log").c_str());
    }
    ImGui::SameLine(0, ui.px(16));
    ImGui::BeginDisabled(log.empty());
    if (ImGui::Button((ui.tr()("log.copy_all") + "###copy_all").c_str())) {
        std::string all;
        for (const session::LogEntry& entry : log)
            all += text_of(ui, entry) + "\n";
        ui.session.copy(all);
        ui.change().notices().say(ui.tr()("toast.copied"));
    }
    tip(ui, ui.tr()("log.copy_all.tip"));
    ImGui::SameLine();
    if (ImGui::Button((ui.tr()("log.clear") + "###clear").c_str()))
        ui.change().notices().clear_log();
    tip(ui, ui.tr()("log.clear.tip"));
    ImGui::EndDisabled();
    if (close_button(ui, "close", line_end())) ui.change().show_log(false);
    command_tip(ui, ui.session.command("log"));
}

}  // namespace

float log_height(const Ui& ui) {
    return ui.px(std::clamp(ui.window().y * 0.27F, 110.0F, 240.0F));
}

void log_panel(Ui& ui, const Area& area) {
    begin_card(ui, "log", area.at, area.size);
    header(ui);
    ImGui::BeginChild("entries");
    const float width = ImGui::GetContentRegionAvail().x;
    const auto& log = ui.session.notices().log();
    if (log.empty()) {
        const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
        wrapped(ui.tr()("log.empty"), width);
    }
    const float button = ImGui::CalcTextSize(ui.tr()("log.copy").c_str()).x + ui.px(40);
    for (std::size_t i = log.size(); i-- > 0;) {  // the newest first
        ImGui::PushID(static_cast<int>(i));
        const ImVec2 point = ImGui::GetCursorPos();
        entry_lines(ui, log[i], width - button);
        const float next = ImGui::GetCursorPosY();
        ImGui::SetCursorPos({width - button + ui.px(8), point.y});
        if (ImGui::SmallButton((ui.tr()("log.copy") + "###copy").c_str())) {
            ui.session.copy(text_of(ui, log[i]));
            ui.change().notices().say(ui.tr()("toast.copied"));
        }
        tip(ui, ui.tr()("log.copy.tip"));
        ImGui::SetCursorPos({point.x, std::max(next, ImGui::GetCursorPosY()) + ui.px(2)});
        ImGui::Separator();
        ImGui::PopID();
    }
    ImGui::EndChild();
    end_card();
}

}  // namespace lab::gui
