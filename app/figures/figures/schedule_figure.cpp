#include "figures/figures/schedule_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "figures/parts/schedule/schedule_drawing.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

using fmt::arg;
using machine::ActionKind;

constexpr std::size_t kMostSaid = 2;

class ScheduleFigure : public ScheduleDrawing {
  public:
    using ScheduleDrawing::ScheduleDrawing;

    Scene make(const RunSubject& subject) {
        float y = page_.heading(subject, kPageMargin);
        // Boxes are high enough for two lines of words before them.
        layout_ = lay_out_schedule(timeline_, page_, page_.left() + labels_width(false) + s(14));
        if (boxes())
            layout_ = lay_out_schedule(timeline_, page_, page_.left() + labels_width(true) + s(14));
        captions_ = timeline_.launches.size() > 1 ? s(20) : 0;
        for (std::size_t band = 0; band < layout_.band_right.size(); ++band) {
            tops_.push_back(y + captions_ + layout_.lane_gap);
            y = tops_.back() + lanes_height(band) + layout_.lane_gap + s(34);
        }
        for (std::size_t band = 0; band < tops_.size(); ++band)
            add_lanes(band);
        add_launches();
        if (layout_.level == ScheduleLevel::columns)
            add_columns();
        else
            add_actions();
        add_arcs();
        add_axis();
        if (layout_.per_column > 1) y += s(14);
        y = page_.legend(schedule_legend(timeline_, layout_.level, parts_, page_), y) + s(10);
        const std::string words = sentence();
        page_.paragraph(words, kSentenceText, y);
        return page_.finish(title_of(subject, tr_) + ": " + tr_("schedule.name"), words);
    }

  private:
    std::string group_words(const SwimLane& lane) const {
        if (lane.group == lane.last_group)
            return tr_("figure.group", arg("n", timeline_.space.group_name(lane.group)));
        return tr_("schedule.groups", arg("first", timeline_.space.group_name(lane.group)),
                   arg("last", timeline_.space.group_name(lane.last_group)));
    }
    float labels_width(bool two_lines) const {
        const std::vector<SwimLane> lanes = swim_lanes(timeline_);
        float groups = 0, warps = 0;
        for (const SwimLane& lane : lanes) {
            groups = std::max(groups, page_.width(group_words(lane), kCaptionText));
            if (lane.of_warp)
                warps = std::max(warps,
                                 page_.width(tr_("lanes.warp", arg("n", lane.warp)), kSmallText));
        }
        if (two_lines || warps == 0) return std::max(groups, warps);
        return groups + s(8) + warps;
    }

    void add_lanes(std::size_t band) {
        std::uint32_t before = ~0U;
        for (const std::size_t i : layout_.band_lanes[band]) {
            const SwimLane& lane = layout_.lanes[i];
            add_strip(band, i, group_words(lane));
            add_lane_words(lane, lane.group != before, top_of(band, i));
            before = lane.group;
        }
    }
    // The group's name stands at its first lane only, where lanes are warps.
    void add_lane_words(const SwimLane& lane, bool first, float top) {
        const float x = layout_.left - s(10), middle = top + layout_.lane_height / 2;
        const TextStyle group = kCaptionText.in(Role::text).at(Anchor::end);
        const TextStyle warp = kSmallText.at(Anchor::end);
        if (!lane.of_warp) {
            page_.text({x, middle}, group_words(lane), group);
            return;
        }
        const std::string words = tr_("lanes.warp", arg("n", lane.warp));
        if (boxes()) {
            if (first) page_.text({x, middle - s(9)}, group_words(lane), group);
            page_.text({x, first ? middle + s(9) : middle}, words, warp);
        } else {
            page_.text({x, middle}, words, warp);
            const float beside = x - page_.width(words, warp) - s(8);
            if (first) page_.text({beside, middle}, group_words(lane), group);
        }
    }

    // A line through all lanes where a launch begins, named as far as there is room.
    void add_launches() {
        if (timeline_.launches.size() < 2) return;
        for (std::size_t i = 0; i < timeline_.launches.size(); ++i) {
            const PlacedAction& action = place_of(timeline_.launches[i].first);
            const float x = action.x - s(boxes() ? 8 : 3), top = tops_[action.band];
            const std::string name = tr_("schedule.launch", arg("n", i + 1));
            const std::string& variables = timeline_.launches[i].variables;
            const std::string whole =
                variables.empty() ? name : fmt::format("{} · {}", name, variables);
            const bool first = i == 0;
            if (!first)
                page_.scene.add(line({x, top - layout_.lane_gap / 2 - s(14)},
                                     {x, top + lanes_height(action.band) + s(6)},
                                     {Role::barrier, 3, Dash::solid}),
                                whole);
            float end = layout_.band_right[action.band];
            if (i + 1 < timeline_.launches.size()) {
                const PlacedAction& next = place_of(timeline_.launches[i + 1].first);
                if (next.band == action.band) end = next.x - s(12);
            }
            const float left = first ? layout_.left : x + s(6);
            const TextStyle style = kCaptionText.in(Role::barrier_text);
            // As many of the words as there is room for.
            for (const std::string& each : {whole, name, std::to_string(i + 1)}) {
                if (page_.width(each, style) > end - left) continue;
                page_.text({left, top - layout_.lane_gap / 2 - s(8)}, each, style, whole);
                break;
            }
        }
    }

    struct Counted {
        std::uint64_t loads = 0, writes = 0, barriers = 0;
        bool stale = false;
    };
    void add_columns() {
        const std::size_t columns = layout_.actions.size(), lanes = layout_.lanes.size();
        std::vector<Counted> counts(columns * lanes);
        std::vector<std::uint64_t> most(lanes, 1);  // in a column
        for (std::uint64_t time = 0; time < timeline_.actions.size(); ++time) {
            const analysis::TimelineAction& action = timeline_.actions[time];
            const std::size_t lane = layout_.lane_of(action);
            Counted& to = counts[lane * columns + time / layout_.per_column];
            ++(action.kind == ActionKind::load      ? to.loads
               : action.kind == ActionKind::barrier ? to.barriers
                                                    : to.writes);
            to.stale = to.stale || action.stale;
            most[lane] = std::max({most[lane], to.loads, to.writes});
        }
        const auto share = [&](std::uint64_t count, std::size_t lane) {
            return static_cast<float>(count) / static_cast<float>(most[lane]);
        };
        for (std::size_t lane = 0; lane < lanes; ++lane)
            for (std::size_t i = 0; i < columns; ++i) {
                const Counted& counted = counts[lane * columns + i];
                if (counted.loads + counted.writes + counted.barriers == 0) continue;
                const PlacedAction& place = layout_.actions[i];
                const float top = top_of(0, lane);
                const std::uint64_t first = i * layout_.per_column;
                const std::uint64_t last =
                    std::min<std::uint64_t>(first + layout_.per_column, timeline_.actions.size()) -
                    1;
                add_action_column(page_,
                                  {place.x, top, place.x + place.width, top + layout_.lane_height},
                                  {share(counted.loads, lane), share(counted.writes, lane),
                                   counted.barriers > 0, counted.stale},
                                  tr_("schedule.tip_bin", arg("first", first), arg("last", last),
                                      arg("loads", counted.loads), arg("stores", counted.writes),
                                      arg("barriers", counted.barriers)));
            }
    }

    std::string sentence() const {
        std::string text =
            tr_("schedule.sentence_actions", arg("actions", timeline_.actions.size()));
        const auto add = [&](const std::string& words) { text += tr_("figure.space") + words; };
        if (layout_.lanes_left_out()) add(tr_("schedule.sentence_left_out"));
        if (!timeline_.stale_known) add(tr_("schedule.sentence_not_looked"));
        if (timeline_.stale_known && timeline_.stale_reads == 0) add(tr_("schedule.sentence_none"));
        std::size_t told = 0;
        for (const analysis::StaleArc& arc : timeline_.stale)
            if (arc.write && told < kMostSaid) {
                add(sentence_of(arc));
                ++told;
            }
        if (timeline_.stale_reads > told)
            add(tr_("schedule.sentence_more", arg("count", timeline_.stale_reads)));
        return text;
    }

    float captions_ = 0;
};

}  // namespace

Scene schedule_figure(const analysis::Timeline& timeline, const RunSubject& subject,
                      const FigureOptions& options, const Fonts& fonts, const Translations& tr) {
    return ScheduleFigure(timeline, options, fonts, tr).make(subject);
}

}  // namespace lab::figures
