// What the race view says below its picture.
#include <fmt/format.h>

#include "figures/figures/schedule_now.h"
#include "figures/figures/state_figure.h"
#include "figures/parts/run_text/pass_text.h"
#include "gui/race/race_panels.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/step/step_view.h"

namespace lab::gui {
namespace {

// That no schedule makes it wrong. The contents of a user kernel can be long.
std::string safe_words(const Ui& ui, const std::string& result) {
    constexpr std::size_t kMost = 60;
    if (!ui.session.settings().choice.user_kernel) {
        const std::string safe = ui.tr()("race.safe", fmt::arg("result", result));
        if (!ui.view<session::StepView>().counterpart()) return safe;
        return safe + ui.tr()("figure.space") + ui.tr()("race.safe_press_b");
    }
    const bool cut = result.size() > kMost;
    const std::size_t end = cut ? result.rfind(' ', kMost) : result.size();
    return ui.tr()("user_kernel.one_result",
                   fmt::arg("result", result.substr(0, end) + (cut ? " …" : "")));
}

// That a person has brought about what no schedule is forbidden to: how, and how it could be done
// in fewer turns.
Moment success(const Ui& ui, std::string text) {
    const session::RaceView& view = ui.view<session::RaceView>();
    const auto place = view.ended_in();
    if (!place || !view.turns_by_hand()) return {std::move(text), Tone::wrong};
    const analysis::PossibleResult& result = view.outcomes().answer->results[*place];
    const std::size_t mine = *view.turns_by_hand();
    if (result.shortest && mine > result.turns.size() && !result.turns.empty())
        text += ui.tr()("figure.space") +
                ui.tr()(result.turns.size() == 1 ? "race.fewer_turns_one" : "race.fewer_turns",
                        fmt::arg("mine", mine), fmt::arg("least", result.turns.size()));
    const session::Challenge asked = view.challenge();
    if (asked.place != *place)
        text += ui.tr()("figure.space") + challenge_text(ui) + ui.tr()("figure.stop");
    return {std::move(text), Tone::good};
}

}  // namespace

std::string challenge_text(const Ui& ui) {
    using Kind = session::Challenge::Kind;
    const session::RaceView& view = ui.view<session::RaceView>();
    const session::Challenge challenge = view.challenge();
    if (challenge.kind == Kind::none) return {};
    if (challenge.kind == Kind::hang) return ui.tr()("race.challenge_hang");
    if (challenge.kind == Kind::go_wrong) return ui.tr()("race.challenge_wrong");
    return ui.tr()(
        "race.challenge_result",
        fmt::arg("result", view.outcomes().answer->results[challenge.place].ending.result));
}

Moment race_moment(const Ui& ui, const session::Race& race) {
    const auto& tr = ui.tr();
    // What never ends, at its end and, where no order helps, at once.
    const bool at_start = race.cursor() == 0 && ui.view<session::RaceView>().cannot_end();
    if (race.fault() && (race.at_end() || at_start)) {
        const Problem fault = translated(*race.fault(), tr);
        const std::string words =
            (race.never_ends() ? tr(at_start ? "race.cannot_end" : "race.never_ends")
                               : fault.what_happened + tr("figure.stop")) +
            figures::fault_reasons(race.fault()->phrases, tr);
        if (at_start) return {words};
        return race.never_ends() ? success(ui, words) : Moment{words, Tone::wrong};
    }
    if (race.at_end() && race.ending()) {
        const analysis::Ending& end = *race.ending();
        if (!end.right) return {tr("race.end", fmt::arg("result", end.result))};
        if (*end.right && ui.view<session::RaceView>().mending())
            return {tr("race.mended", fmt::arg("result", end.result)), Tone::good};
        // A float that is not the exact one, rounded.
        if (*end.right)
            return {tr(end.result == race.expected() ? "race.end_right" : "race.end_within",
                       fmt::arg("result", end.result), fmt::arg("expected", race.expected()))};
        const bool mine = ui.view<session::RaceView>().turns_by_hand().value_or(0) > 0;
        return success(
            ui, tr(mine ? "race.end_wrong" : "race.end_wrong_shown", fmt::arg("result", end.result),
                   fmt::arg("expected", race.expected())));
    }
    if (race.cursor() == 0) {
        const auto& all = ui.view<session::RaceView>().outcomes().answer;
        const bool safe = all && all->complete && all->results.size() == 1 &&
                          !all->results[0].fault && all->results[0].ending.right != false;
        // A toggle that breaks it is on already; what saves it is the machine, for now.
        if (safe && ui.view<session::StepView>().broken())
            return {tr("race.safe_races", fmt::arg("result", all->results[0].ending.result),
                       fmt::arg("lanes", ui.session.settings().choice.machine.lanes)),
                    Tone::plain};
        if (safe) return {safe_words(ui, all->results[0].ending.result)};
        const bool own = ui.session.settings().choice.user_kernel.has_value();
        return {tr(own ? "race.goal_own" : "race.goal_text")};
    }
    for (const analysis::StaleArc& arc : race.timeline().stale)
        if (arc.read + 1 == race.cursor())
            return {tr(arc.too_new ? "race.stale_new" : "race.stale",
                       fmt::arg("item", race.timeline().space.item_name(arc.item)),
                       fmt::arg("cell", arc.cell), fmt::arg("took", arc.took),
                       fmt::arg("missed", arc.missed),
                       fmt::arg("writer", race.timeline().space.item_name(arc.writer))),
                    Tone::wrong};
    const analysis::StateView& state = race.state_view();
    if (!state.last) return {};
    analysis::WarpView who;
    who.group = state.last->group;
    who.warp = state.last->warp;
    who.first_item = state.last->touches.empty() ? 0 : state.last->touches[0].item;
    return {fmt::format("{}: {}", figures::warp_text(who, state, tr),
                        figures::action_text(*state.last, tr))};
}

}  // namespace lab::gui
