#include "figures/figures/schedule_now.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "figures/figures/state_figure.h"
#include "figures/parts/schedule/schedule_drawing.h"

namespace lab::figures {
namespace {

using fmt::arg;

constexpr float kLeastNext = 72, kMostName = 150;  // points at scale 1
constexpr float kMostShare = 0.5F;                 // of the width, for words

class ScheduleNowFigure : public ScheduleDrawing {
  public:
    using ScheduleDrawing::ScheduleDrawing;

    ScheduleNow make(const analysis::StateView& state,
                     const std::vector<const analysis::WarpView*>& ready, std::size_t picked,
                     float button, float width) {
        // The next actions stand one below the other, as wide as the widest; so do words instead.
        float names = 0, next = s(kLeastNext), status = 0;
        for (const analysis::WarpView& warp : state.warps) {
            for (const auto& [words, style] : now_words(warp, state))
                names = std::max(names, page_.width(words, style));
            const bool acts = std::find(ready.begin(), ready.end(), &warp) != ready.end();
            if (warp.next)
                next = std::max(next, box_width(box_text(timeline_, *warp.next, tr_), page_));
            else if (acts)
                next = std::max(next, words_width(warp, width));
            else
                status = std::max(status, words_width(warp, width));
        }
        const float left = std::min({names, s(kMostName), kMostShare / 2 * width}) + s(14);
        const float beside =
            (ready.empty() ? status : std::max(next + s(8) + button, status)) + s(12);
        layout_ = lay_out_last_actions(timeline_, state, page_, left, width - beside);
        const float x = layout_.band_right[0];
        layout_.band_right[0] = std::max(x + beside, width - s(4));
        tops_.push_back(s(4));

        ScheduleNow now;
        for (std::size_t lane = 0; lane < state.warps.size(); ++lane) {
            const analysis::WarpView& warp = state.warps[lane];
            const float top = top_of(0, lane);
            add_strip(0, lane, {});
            add_now_words(warp, state, top);
            const Box box{x, top, x + next, top + layout_.lane_height};
            now.beside.push_back(
                {box.right + s(8), box.top, box.right + s(8) + button, box.bottom});
            const auto place = std::find(ready.begin(), ready.end(), &warp) - ready.begin();
            const bool acts = place < std::ssize(ready);
            if (acts && warp.next)
                add_next(warp, ready, static_cast<std::size_t>(place) == picked, box);
            else
                page_.fitted({x + s(4), top + layout_.lane_height / 2}, status_words(warp),
                             kSmallText, acts ? next - s(4) : beside - s(12));
        }
        add_actions();
        add_arcs();
        if (state.time > layout_.first) add_axis();
        now.scene = page_.finish(tr_("schedule.name"),
                                 state.last ? action_text(*state.last, tr_) : std::string());
        now.scene.height -= kPageMargin - s(2);
        now.scene.width = layout_.band_right[0] + s(2);
        return now;
    }

  private:
    // A warp's name, and where it is.
    std::array<std::pair<std::string, TextStyle>, 2> now_words(
        const analysis::WarpView& warp, const analysis::StateView& state) const {
        const bool warps = state.warp_lanes > 1 && state.group_items > state.warp_lanes;
        std::string name = warps ? tr_("figure.group", arg("n", state.space.group_name(warp.group)))
                                 : warp_text(warp, state, tr_);
        std::string below = warps ? tr_("lanes.warp", arg("n", warp.warp)) : std::string();
        if (warp.line != 0) {
            if (!below.empty()) below += " · ";
            below += tr_("state.line", arg("line", warp.line));
        }
        return {{{std::move(name), kCaptionText.sized(14).in(Role::text)},
                 {std::move(below), kSmallText}}};
    }

    void add_now_words(const analysis::WarpView& warp, const analysis::StateView& state,
                       float top) {
        float y = top + layout_.lane_height / 2 - s(10);
        for (const auto& [words, style] : now_words(warp, state)) {
            page_.fitted({0, y}, words, style, layout_.left - s(10));
            if (!words.empty())
                page_.scene.shapes.back().name = fmt::format("group {}", warp.group);
            y += s(20);
        }
    }

    // Of a warp without a next action.
    std::string status_words(const analysis::WarpView& warp) const {
        if (!warp.fault.empty()) return tr_("race.fault");
        if (warp.status == machine::Status::done) return tr_("race.ended");
        // One that could go on when the run was given up.
        return tr_(warp.status == machine::Status::waiting ? "race.waits" : "race.asks",
                   arg("line", warp.line));
    }

    float words_width(const analysis::WarpView& warp, float width) const {
        return std::min(page_.width(status_words(warp), kSmallText) + s(8), kMostShare * width);
    }

    void add_next(const analysis::WarpView& warp,
                  const std::vector<const analysis::WarpView*>& ready, bool picked, Box at) {
        const bool contended =
            std::any_of(ready.begin(), ready.end(), [&](const analysis::WarpView* other) {
                return other != &warp && analysis::contend(warp, *other);
            });
        std::string tip = tr_("race.next", arg("line", warp.line)) + tr_("figure.colon") +
                          action_text(*warp.next, tr_);
        if (contended) tip += "\n" + tr_("race.contested");
        add_next_box(page_, at, warp.next->kind, box_text(timeline_, *warp.next, tr_), picked,
                     contended, tip, fmt::format("next {} {}", warp.group, warp.warp));
    }
};

}  // namespace

ScheduleNow schedule_now(const analysis::Timeline& timeline, const analysis::StateView& state,
                         const std::vector<const analysis::WarpView*>& ready, std::size_t picked,
                         float button, const FigureOptions& options, const Fonts& fonts,
                         const Translations& tr) {
    return ScheduleNowFigure(timeline, options, fonts, tr)
        .make(state, ready, picked, button, options.width);
}

}  // namespace lab::figures
