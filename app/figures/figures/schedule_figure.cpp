#include "figures/figures/schedule_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "figures/parts/schedule_layout.h"
#include "figures/parts/schedule_marks.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

using fmt::arg;
using machine::ActionKind;

constexpr std::size_t kMostDrawnArcs = 12, kMostSaid = 2;
constexpr std::array<const char*, 5> kScheduleKinds{"schedule.load", "schedule.store",
                                                    "schedule.atomic", "schedule.barrier",
                                                    "schedule.collective"};

class ScheduleFigure {
  public:
    ScheduleFigure(const analysis::Timeline& timeline, const RunSubject& subject,
                   const FigureOptions& options, const Fonts& fonts, const Translations& tr)
        : timeline_(timeline), subject_(subject), tr_(tr), page_(options, fonts, tr) {}

    Scene make() {
        float y = page_.heading(subject_, kPageMargin);
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
        return page_.finish(title_of(subject_, tr_) + ": " + tr_("schedule.name"), words);
    }

  private:
    float s(float points) const { return page_.s(points); }
    bool boxes() const { return layout_.level == ScheduleLevel::boxes; }

    float lanes_height(std::size_t band) const {
        const auto lanes = static_cast<float>(layout_.band_lanes[band].size());
        return lanes * layout_.lane_height + (lanes - 1) * layout_.lane_gap;
    }
    float top_of(std::size_t band, std::size_t lane) const {
        const auto& lanes = layout_.band_lanes[band];
        const auto position = std::find(lanes.begin(), lanes.end(), lane) - lanes.begin();
        return tops_[band] +
               static_cast<float>(position) * (layout_.lane_height + layout_.lane_gap);
    }

    std::string group_words(const SwimLane& lane) const {
        if (lane.group == lane.last_group) return tr_("figure.group", arg("n", lane.group));
        return tr_("schedule.groups", arg("first", lane.group), arg("last", lane.last_group));
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
            const float top = top_of(band, i);
            Rect strip = box(layout_.left, top - s(2), layout_.band_right[band] - layout_.left,
                             layout_.lane_height + s(4), Role::panel);
            strip.stroke = {Role::border, 1, Dash::solid};
            strip.radius = s(4);
            page_.scene.add(strip, group_words(lane));
            add_lane_words(lane, lane.group != before, top);
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

    // The place of an action, or of the column that it is in.
    const PlacedAction& place_of(std::uint64_t time) const {
        return layout_.actions[time / layout_.per_column];
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

    std::string tip(std::uint64_t time) const {
        const analysis::TimelineAction& action = timeline_.actions[time];
        std::string what = tr_(kScheduleKinds.at(static_cast<std::size_t>(action.kind)));
        if (!action.cells.empty()) {
            what += " " + timeline_.arrays[action.name] + action.cells;
            if (!action.values.empty())
                what += (action.kind == ActionKind::load ? " → " : " ← ") + action.values;
            if (action.lanes > 1)
                what += tr_("figure.comma") + tr_("schedule.lanes", arg("count", action.lanes));
        }
        for (const analysis::StaleArc& arc : timeline_.stale)
            if (arc.read == time) {
                what += "; " +
                        tr_("schedule.tip_stale", arg("took", arc.took), arg("missed", arc.missed));
                break;
            }
        return tr_("schedule.tip", arg("time", time), arg("group", action.group),
                   arg("warp", action.warp), arg("pass", action.pass), arg("line", action.line),
                   arg("what", what));
    }

    Box box_at(std::uint64_t time) const {
        const PlacedAction& place = layout_.actions[time];
        const float top = top_of(place.band, place.lane);
        return {place.x, top, place.x + place.width, top + layout_.lane_height};
    }

    void add_actions() {
        for (std::uint64_t time = 0; time < timeline_.actions.size(); ++time) {
            const analysis::TimelineAction& action = timeline_.actions[time];
            if (boxes())
                add_action_box(page_, box_at(time), action, box_text(timeline_, time, tr_),
                               tip(time));
            else
                add_action_mark(page_, box_at(time), action, tip(time));
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

    // From a write to the read that should have seen it, or that saw it too early: along the gap
    // beside the write's lane to the column of the read, where nothing else stands, and along that.
    void add_arcs() {
        if (layout_.level == ScheduleLevel::columns || timeline_.stale.size() > kMostDrawnArcs)
            return;
        std::size_t number = 0;
        for (std::size_t i = 0; i < timeline_.stale.size(); ++i) {
            const analysis::StaleArc& arc = timeline_.stale[i];
            if (!arc.write) continue;
            const PlacedAction& read = layout_.actions[arc.read];
            const PlacedAction& write = layout_.actions[*arc.write];
            if (read.band != write.band) {
                if (!boxes()) continue;
                ++number;
                parts_.numbers = true;
                for (const std::uint64_t time : {arc.read, *arc.write}) {
                    const Box box = box_at(time);
                    add_number(page_, {box.left + s(2), box.top}, number);
                }
                continue;
            }
            parts_.arcs = true;
            add_arc(arc, read, write, i);
        }
    }

    void add_arc(const analysis::StaleArc& arc, const PlacedAction& read, const PlacedAction& write,
                 std::size_t i) {
        const Box from = box_at(*arc.write), to = box_at(arc.read);
        const bool below = write.lane > read.lane;  // the write's lane lies below the read's
        const bool same = write.lane == read.lane;
        const float offset = (static_cast<float>(i % 3) - 1) * s(3);
        const float gap = layout_.lane_gap / 2;
        const float along = (below || same ? from.top - gap : from.bottom + gap) + offset;
        const Point start{(from.left + from.right) / 2, below || same ? from.top : from.bottom};
        const Point end{(to.left + to.right) / 2, same ? to.top : below ? to.bottom : to.top};
        Path path;
        path.points = {start, {start.x, along}, {end.x, along}, end};
        path.stroke = {Role::race, boxes() ? 2.5F : 2.0F, Dash::dotted};
        page_.scene.add(path, sentence_of(arc));
        const float down = below && !same ? -1.0F : 1.0F, size = s(boxes() ? 7 : 4);
        page_.scene.add(polygon({{end.x - size * 0.6F, end.y - down * size},
                                 {end.x + size * 0.6F, end.y - down * size},
                                 end},
                                Role::race));
    }

    void add_axis() {
        const TextStyle style = kCodeText.sized(10).in(Role::muted).at(Anchor::middle);
        const std::uint64_t count = timeline_.actions.size();
        if (count == 0) return;
        const float number = page_.width(std::to_string(count), style) + s(8);
        std::size_t band = ~std::size_t{0};
        float free_from = 0;
        // Round numbers only, where not each action has room for its own.
        std::uint64_t step = 1;
        const float pitch = place_of(0).width / static_cast<float>(layout_.per_column);
        constexpr std::array<std::uint64_t, 3> kRound{2, 5, 10};
        for (std::uint64_t ten = 1; !boxes() && pitch * static_cast<float>(step) < number;
             ten *= 10)
            for (const std::uint64_t each : kRound)
                if (pitch * static_cast<float>(step) < number) step = each * ten;
        for (std::uint64_t time = 0; time < count; time += step) {
            const PlacedAction& action = place_of(time);
            const float x = action.x + action.width / 2,
                        y = tops_[action.band] + lanes_height(action.band);
            if (action.band != band) {
                band = action.band;
                free_from = 0;
            }
            if (boxes() && timeline_.actions[time].kind == ActionKind::barrier) continue;
            if (x - number / 2 < free_from) continue;
            page_.scene.add(line({x, y + s(4)}, {x, y + s(9)}, {Role::idle, 1, Dash::solid}));
            page_.text({x, y + s(17)}, std::to_string(time), style);
            free_from = x + number / 2;
        }
        for (std::size_t i = 0; i < tops_.size(); ++i)
            page_.text({layout_.left - s(10), tops_[i] + lanes_height(i) + s(17)},
                       tr_("schedule.action"), kSmallText.sized(11).at(Anchor::end));
        if (layout_.per_column > 1)
            page_.text({layout_.left, tops_.back() + lanes_height(tops_.size() - 1) + s(33)},
                       tr_("schedule.bin", arg("count", layout_.per_column)), kSmallText.sized(11));
    }

    std::string sentence_of(const analysis::StaleArc& arc) const {
        return tr_(arc.too_new ? "schedule.sentence_early" : "schedule.sentence_late",
                   arg("item", arc.item), arg("cell", arc.cell), arg("took", arc.took),
                   arg("read", arc.read), arg("missed", arc.missed), arg("writer", arc.writer),
                   arg("write", arc.write ? *arc.write : 0));
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

    const analysis::Timeline& timeline_;
    const RunSubject& subject_;
    const Translations& tr_;
    Page page_;
    ScheduleLayout layout_;
    ScheduleParts parts_;
    std::vector<float> tops_;  // of the first lane in each band
    float captions_ = 0;
};

}  // namespace

Scene schedule_figure(const analysis::Timeline& timeline, const RunSubject& subject,
                      const FigureOptions& options, const Fonts& fonts, const Translations& tr) {
    return ScheduleFigure(timeline, subject, options, fonts, tr).make();
}

}  // namespace lab::figures
