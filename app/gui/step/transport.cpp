#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "figures/parts/pass_words.h"
#include "gui/parts/widgets.h"
#include "gui/shell/panel_list.h"
#include "session/race/race.h"
#include "session/step/machine_run.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

void speed(Ui& ui) {
    const double now = ui.session.step().passes_per_second;
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(7)});
    if (ImGui::Button(fmt::format("{:g}x###speed", now).c_str(), {ui.px(56), ui.px(32)}))
        session::run(ui.session, session::command("step.speed"));
    ImGui::PopStyleVar();
    command_tip(ui, session::command("step.speed"));
}

// A place of the scrubber that one may want to go to.
struct Stop {
    float part = 0;  // of the whole way, 0 to 1
    session::Mark::Kind kind = session::Mark::Kind::barrier;
    std::string name;  // may be empty
};

float part_of(std::uint64_t at, std::uint64_t of) {
    return of == 0 ? 0 : static_cast<float>(at) / static_cast<float>(of);
}

// In passes: their ends, and those in which a race showed.
std::vector<Stop> pass_stops(const Ui& ui, const analysis::Passes& passes) {
    std::vector<Stop> made;
    const std::size_t last = passes.passes.size() - 1;
    for (std::size_t pass = 0; pass <= last; ++pass) {
        const bool stale = !passes.passes[pass].stale.empty();
        const bool fault = pass == last && !passes.fault.empty();
        made.push_back({part_of(pass, last),
                        fault   ? session::Mark::Kind::fault
                        : stale ? session::Mark::Kind::race
                                : session::Mark::Kind::barrier,
                        figures::pass_title(passes, pass, ui.tr())});
    }
    return made;
}

const char* name_of(session::Mark::Kind kind) {
    static constexpr std::array<const char*, 4> kNames{"mark.barrier", "mark.launch", "mark.race",
                                                       "mark.fault"};
    return kNames.at(static_cast<std::size_t>(kind));
}

// In lines and actions: barriers, launches, races and faults.
std::vector<Stop> time_stops(const Ui& ui, const session::MachineRun& run) {
    std::vector<Stop> made;
    for (const session::Mark& mark : run.marks)
        made.push_back({part_of(mark.time, run.actions()), mark.kind, ui.tr()(name_of(mark.kind))});
    return made;
}

std::vector<Stop> race_stops(const Ui& ui, const session::Race& race) {
    std::vector<Stop> made;
    for (const analysis::StaleArc& arc : race.timeline().stale)
        made.push_back({part_of(arc.read + 1, race.length()), session::Mark::Kind::race,
                        ui.tr()("mark.race")});
    if (race.fault()) made.push_back({1, session::Mark::Kind::fault, ui.tr()("mark.fault")});
    return made;
}

std::vector<Stop> stops(const Ui& ui) {
    const session::Session& session = ui.session;
    if (session.settings().view == "race")
        return session.race().race() ? race_stops(ui, *session.race().race()) : std::vector<Stop>();
    if (session.step().grain != session::Grain::pass)
        return session.machine().run ? time_stops(ui, *session.machine().run) : std::vector<Stop>();
    return session.step().passes.answer ? pass_stops(ui, *session.step().passes.answer)
                                        : std::vector<Stop>();
}

// A bar at the line; of a race or a fault a triangle over it, so that it is told by shape too.
void paint_stop(const Ui& ui, ImDrawList& into, const Stop& stop, float x, float y) {
    using Kind = session::Mark::Kind;
    const bool wrong = stop.kind == Kind::race || stop.kind == Kind::fault;
    const float half = ui.px(stop.kind == Kind::launch ? 2.5F : 1.5F);
    into.AddRectFilled({x - half, y - ui.px(9)}, {x + half, y + ui.px(9)},
                       ui.colour(wrong ? Role::race : Role::barrier));
    if (wrong)
        into.AddTriangleFilled({x - ui.px(6), y - ui.px(15)}, {x + ui.px(6), y - ui.px(15)},
                               {x, y - ui.px(7)}, ui.colour(Role::race));
}

// The way through all that was run, with marks: click or drag it.
void scrubber(Ui& ui, float width) {
    const std::size_t last = ui.session.last_position();
    const std::size_t now = ui.session.position();
    const float height = ui.px(40);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float pad = ui.px(10);
    const float x0 = at.x + pad;
    const float length = width - 2 * pad;
    const float y = at.y + ui.px(14);
    ImGui::InvisibleButton("scrubber", {width, height});
    if (ImGui::IsItemActive() && last > 0) {
        const float part = std::clamp((ImGui::GetIO().MousePos.x - x0) / length, 0.0F, 1.0F);
        ui.session.play(false);
        ui.session.go_to(static_cast<std::size_t>(part * static_cast<float>(last) + 0.5F));
    }
    tip(ui, ui.tr()("scrubber.tip"), "Home  Left  Right  End");
    const float knob_x = x0 + length * part_of(now, last);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled({x0, y - ui.px(3)}, {x0 + length, y + ui.px(3)}, ui.colour(Role::idle),
                       ui.px(3));
    into.AddRectFilled({x0, y - ui.px(3)}, {knob_x, y + ui.px(3)}, ui.colour(Role::act), ui.px(3));
    const TextStyle style(ui, Face::sans, kSmallSize);
    float free_from = at.x;
    for (const Stop& stop : stops(ui)) {
        const float x = x0 + length * stop.part;
        if (stop.part > 0) paint_stop(ui, into, stop, x, y);
        const float w = ImGui::CalcTextSize(stop.name.c_str()).x;
        const float left = std::clamp(x - w / 2, at.x, at.x + width - w);
        if (left < free_from) continue;
        free_from = left + w + ui.px(10);
        const bool here = last > 0 && std::abs(stop.part - part_of(now, last)) < 1e-4F;
        into.AddText({left, y + ui.px(13)}, ui.colour(here ? Role::text : Role::muted),
                     stop.name.c_str());
    }
    into.AddCircleFilled({knob_x, y}, ui.px(8), ui.colour(Role::panel));
    into.AddCircle({knob_x, y}, ui.px(8), ui.colour(Role::act), 0, ui.px(2.5F));
}

// How far one step goes, as three tabs; where these do not fit, as one that goes round.
void grains(Ui& ui) {
    static constexpr std::array<std::pair<session::Grain, const char*>, 3> kGrains{
        {{session::Grain::pass, "grain.pass"},
         {session::Grain::line, "grain.line"},
         {session::Grain::action, "grain.action"}}};
    float words = 0;
    for (const auto& [grain, key] : kGrains) {
        const Face face = ui.session.step().grain == grain ? Face::bold : Face::sans;
        words += ui.px(ui.metrics.text_width(ui.tr()(key), kTextSize, face));
    }
    ImGui::SameLine(0, ui.px(4));
    const float room = line_end() - ImGui::GetCursorPosX();
    const bool all = room > words + ui.px(3 * 2 * 6);
    const float around = room > words + ui.px(3 * 2 * 12) ? 12 : 6;
    bool first = true;
    for (const auto& [grain, key] : kGrains) {
        const bool chosen = ui.session.step().grain == grain;
        if (!all && !chosen) continue;
        if (!first) ImGui::SameLine(0, 0);
        first = false;
        if (pill(ui, key, ui.tr()(key), chosen, around)) {
            if (all)
                ui.session.set_grain(grain);
            else
                session::run(ui.session, session::command("step.grain"));
        }
        command_tip(ui, session::command("step.grain"));
    }
}

std::string where(const Ui& ui) {
    const bool race = ui.session.settings().view == "race";
    const char* key = race || ui.session.step().grain == session::Grain::action ? "transport.action"
                      : ui.session.step().grain == session::Grain::line         ? "transport.line"
                                                                                : "transport.where";
    return ui.tr()(key, fmt::arg("k", ui.session.position()),
                   fmt::arg("n", ui.session.last_position()));
}

}  // namespace

void transport(Ui& ui, PanelState&, const Area& area) {
    begin_card(ui, "transport", area.at, area.size, ImGuiWindowFlags_NoScrollbar);
    const bool playing = ui.session.playing();
    sign_button(ui, "step.first", Sign::first);
    ImGui::SameLine();
    sign_button(ui, "step.back", Sign::back);
    ImGui::SameLine();
    sign_button(ui, "step.play", playing ? Sign::pause : Sign::play,
                ui.tr()(playing ? "transport.pause" : "transport.play"));
    ImGui::SameLine();
    sign_button(ui, "step.forward", Sign::forward);
    ImGui::SameLine();
    sign_button(ui, "step.last", Sign::last);
    ImGui::SameLine();
    speed(ui);
    if (ui.session.settings().view == "step") grains(ui);
    if (ui.session.last_position() > 0) {
        const std::string words = where(ui);
        ImGui::SameLine();
        const float x = line_end() - ImGui::CalcTextSize(words.c_str()).x;
        if (x > ImGui::GetCursorPosX()) {
            ImGui::SetCursorPosX(x);
            ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(7));
            const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
            ImGui::TextUnformatted(words.c_str());
        } else {
            ImGui::NewLine();
        }
        if (!ui.low()) {
            ImGui::SetCursorPosY(ui.px(14 + 32 + 6));
            scrubber(ui, ImGui::GetContentRegionAvail().x);
        }
    }
    end_card();
}

}  // namespace lab::gui
