#include "gui/race/trial_bars.h"

#include <fmt/format.h>

#include <algorithm>

#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

constexpr float kPercentWidth = 56;  // points
constexpr float kPlainHeight = 14, kPairHeight = 12, kPairStep = 17;
constexpr float kStripes = 6;  // points from one to the next

void bar(const Ui& ui, ImVec2 low, ImVec2 high, Role role, bool striped) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    if (!striped) return into.AddRectFilled(low, high, ui.colour(role), ui.px(3));
    const float height = high.y - low.y;
    into.PushClipRect(low, high, true);
    into.AddRectFilled(low, high, ui.colour(Role::panel), ui.px(3));
    for (float x = low.x - height; x < high.x; x += ui.px(kStripes))
        into.AddLine({x, high.y}, {x + height, low.y}, ui.colour(role), ui.px(2.5F));
    into.PopClipRect();
    into.AddRect(low, high, ui.colour(role), ui.px(3), 0, ui.px(1.5F));
}

double share_of(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

void bar_with_percent(Ui& ui, ImVec2 point, float length, float height, double share, Role role,
                      bool striped) {
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const float high = ui.px(height);
    into.AddRectFilled(point, {point.x + length, point.y + high}, ui.colour(Role::idle_fill),
                       ui.px(3));
    const float filled = length * static_cast<float>(share);
    if (share > 0)
        bar(ui, point, {point.x + std::max(filled, ui.px(2)), point.y + high}, role, striped);
    const std::string percent = share > 0 ? rounded_percent(100 * share) : "0";
    label_at(ui, {point.x + length + ui.px(6), point.y + ui.px(height / 2 - 8)}, percent,
             ui.px(kPercentWidth));
}

// A sample of a bar, and what it is of.
void legend_line(Ui& ui, const std::string& text, bool striped, float width) {
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float sample = ui.px(22), top = point.y + ui.px(2);
    bar(ui, {point.x, top}, {point.x + sample, top + ui.px(11)}, Role::act, striped);
    ImGui::SetCursorScreenPos({point.x + sample + ui.px(8), point.y});
    ImGui::BeginGroup();
    wrapped(text, width - sample - ui.px(8));
    ImGui::EndGroup();
}

}  // namespace

float trial_bars_height(const Ui& ui, const results::Trials& trials) {
    return ui.px(trials.delays ? kPairStep + kPairHeight : kPlainHeight);
}

void trial_bars(Ui& ui, const results::Trials& trials, const results::TrialResult& result,
                bool foreseen, ImVec2 point, float room) {
    const float length = std::max(room - ui.px(kPercentWidth), ui.px(20));
    const Role role = foreseen ? Role::act : Role::race;
    bar_with_percent(ui, point, length, trials.delays ? kPairHeight : kPlainHeight,
                     share_of(result.count, trials.count), role, false);
    if (!trials.delays) return;
    point.y += ui.px(kPairStep);
    bar_with_percent(ui, point, length, kPairHeight, share_of(result.delayed, trials.delayed), role,
                     true);
}

void trial_legend(Ui& ui, const results::Trials& trials, float width) {
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    if (!trials.delays)
        return wrapped(ui.tr()("race.bars", fmt::arg("device", trials.device),
                               fmt::arg("count", trials.count)),
                       width);
    const auto wrong = [](std::uint64_t right, std::uint64_t all) {
        return right == all ? "0 %" : rounded_percent(100 * share_of(all - right, all));
    };
    const bool own = ui.session.settings().choice.user_kernel.has_value();
    wrapped(ui.tr()("race.bars_both", fmt::arg("device", trials.device)), width);
    legend_line(
        ui,
        ui.tr()(own ? "race.bars_plain_own" : "race.bars_plain", fmt::arg("count", trials.count),
                fmt::arg("wrong", wrong(trials.right(), trials.count))),
        false, width);
    legend_line(ui,
                ui.tr()(own ? "race.bars_delayed_own" : "race.bars_delayed",
                        fmt::arg("count", trials.delayed), fmt::arg("seed", *trials.delays),
                        fmt::arg("wrong", wrong(trials.delayed_right(), trials.delayed))),
                true, width);
}

}  // namespace lab::gui
