// The schedule of a run as swim lanes: a lane per group or warp, actions from left to right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/timeline.h"
#include "figures/figure_page.h"
namespace lab::figures {

// Few actions are boxes with cells and values, in several bands if one would be too wide; more
// actions are marks; with very many, a column stands for several.
Scene schedule_figure(const analysis::Timeline& timeline, const RunSubject& subject,
                      const FigureOptions& options, const Fonts& fonts, const Translations& tr);

// A schedule while a person makes it: what each group or warp did last, and what it can do next.

// The end of a schedule that is still being made: the last actions of each warp of `state`, and,
// dashed, the next ones of those that can act, with the values that they would find or store.
struct ScheduleNow {
    Scene scene;
    std::vector<Box> beside;  // by warp of `state`: room for a button beside its next action
};
// `ready`: the warps that can act, in the order of state.warps; `picked`: an index into it.
// `button`: the width (points) to leave free beside the next actions.
ScheduleNow schedule_now(const analysis::Timeline& timeline, const analysis::StateView& state,
                         const std::vector<const analysis::WarpView*>& ready, std::size_t picked,
                         float button, const FigureOptions& options, const Fonts& fonts,
                         const Translations& tr);

// Where the actions of a schedule stand: in which swim lane, in which band of the page, how wide.

// Few actions are boxes with words; more are marks; of very many a column stands for several.
enum class ScheduleLevel : std::uint8_t { boxes, marks, columns };
inline constexpr std::size_t kMostBoxes = 120, kMostMarks = 1500;

struct SwimLane {
    std::uint32_t group = 0, last_group = 0;
    std::uint32_t warp = 0;
    bool of_warp = false;  // else of whole groups
};

struct PlacedAction {
    std::size_t band = 0, lane = 0;
    float x = 0, width = 0;
};

struct ScheduleLayout {
    ScheduleLevel level = ScheduleLevel::boxes;
    std::vector<SwimLane> lanes;
    // By time; of `columns` one for each column, lane 0. Those before `first` have no place.
    std::vector<PlacedAction> actions;
    std::uint64_t first = 0;        // time of the first action that is shown
    std::uint64_t per_column = 1;   // actions
    std::vector<float> band_right;  // where each band ends
    // For each band, the lanes in it: where there are several bands, those that act in it.
    std::vector<std::vector<std::size_t>> band_lanes;
    float left = 0;  // of all bands
    float lane_height = 0, lane_gap = 0;

    std::size_t lane_of(const analysis::TimelineAction& action) const;
    bool lanes_left_out() const;
};

// The text in a box, line by line.
struct BoxText {
    std::string kind, cells, value;
};
BoxText box_text(const analysis::Timeline& timeline, std::uint64_t time, const Translations& tr);
// Returns the text of an action that has not been taken.
BoxText box_text(const analysis::Timeline& timeline, const analysis::ActionView& action,
                 const Translations& tr);
float box_width(const BoxText& words, const Page& page);

ScheduleLayout lay_out_schedule(const analysis::Timeline& timeline, const Page& page, float left);
// A lane for each warp of `state`, and of the launch's actions before state.time as many of the
// last ones as fit between `left` and `right`, as boxes in one band.
ScheduleLayout lay_out_last_actions(const analysis::Timeline& timeline,
                                    const analysis::StateView& state, const Page& page, float left,
                                    float right);
std::vector<SwimLane> swim_lanes(const analysis::Timeline& timeline);

inline constexpr TextStyle kBoxKind{11, Face::sans, Role::muted, Anchor::middle};
inline constexpr TextStyle kBoxCells{11, Face::mono, Role::text, Anchor::middle};
inline constexpr TextStyle kBoxValue{12, Face::mono, Role::text, Anchor::middle};

// How a single action of a schedule looks, as a box with words and as a mark; its legend.

// Reads are light blue, writes green, a stale read vermilion with an exclamation mark; barriers are
// orange bars. Marks tell reads from writes by the half of the lane that they stand in.
void add_action_box(Page& page, const Box& box, const analysis::TimelineAction& action,
                    const BoxText& words, const std::string& tip, const std::string& name);
// An action that can come next: a dashed frame, vermilion where another one stands before the same
// cell.
void add_next_box(Page& page, const Box& box, machine::ActionKind kind, const BoxText& words,
                  bool picked, bool contended, const std::string& tip, const std::string& name);
void add_action_mark(Page& page, const Box& box, const analysis::TimelineAction& action,
                     const std::string& tip, const std::string& name = {});
// For a column of several actions: how many there are of each, in parts of the most in any column.
struct ColumnCounts {
    float loads = 0, writes = 0;
    bool barrier = false, stale = false;
};
void add_action_column(Page& page, const Box& box, const ColumnCounts& counts,
                       const std::string& tip);

// A disc with a number, for two ends of what no line can join.
void add_number(Page& page, Point middle, std::size_t number);

// The parts that a figure has beside its actions.
struct ScheduleParts {
    bool arcs = false, numbers = false;
};
// Returns what occurs in the timeline at that level. The entries draw on `page`.
std::vector<LegendEntry> schedule_legend(const analysis::Timeline& timeline, ScheduleLevel level,
                                         const ScheduleParts& parts, Page& page);

// The lanes, actions, arcs and axis of a schedule, for the figures that show one.

class ScheduleDrawing {
  public:
    ScheduleDrawing(const analysis::Timeline& timeline, const FigureOptions& options,
                    const Fonts& fonts, const Translations& tr)
        : timeline_(timeline), tr_(tr), page_(options, fonts, tr) {}

  protected:
    float s(float points) const { return page_.s(points); }
    bool boxes() const { return layout_.level == ScheduleLevel::boxes; }
    float lanes_height(std::size_t band) const;
    float top_of(std::size_t band, std::size_t lane) const;
    // The place of an action, or of the column that it is in.
    const PlacedAction& place_of(std::uint64_t time) const {
        return layout_.actions[time / layout_.per_column];
    }

    void add_strip(std::size_t band, std::size_t lane, const std::string& tip);
    void add_actions();  // not of columns
    // From a write to the read that should have seen it, or that saw it too early.
    void add_arcs();
    void add_axis();

    std::string sentence_of(const analysis::StaleArc& arc) const;

    const analysis::Timeline& timeline_;
    const Translations& tr_;
    Page page_;
    ScheduleLayout layout_;
    ScheduleParts parts_;      // what was drawn
    std::vector<float> tops_;  // of the first lane in each band

  private:
    std::string tip(std::uint64_t time) const;
    bool is_placed(std::uint64_t time) const;
    Box box_at(std::uint64_t time) const;
    void add_arc(const analysis::StaleArc& arc, const PlacedAction& read, const PlacedAction& write,
                 std::size_t i);
};

// One moment of a run: memory, who has just touched which cell, and what the work-items are doing.

struct StateFigureOptions {
    FigureOptions figure;
    bool items = true;  // a disc for each work-item, by group
    bool next = true;   // mark cells that would be touched next, and where groups collide
    bool legend = true;
};

// Cells stand in lines of a power of two, as wide as their values need. A cell that one group would
// write next and another one touch next has a vermilion frame: their order matters.
Scene state_figure(const analysis::StateView& state, const StateFigureOptions& options,
                   const Fonts& fonts, const Translations& tr);

// "load data[4] → 11", "store data[0] ← 33", "barrier", "end": an action on one line. With several
// lanes, their cells and values: "load data[0,2…6] → 7 6 5 7".
std::string action_text(const analysis::ActionView& action, const Translations& tr);
// "group 0", "group 0, warp 1", "item 5": a warp's name, depending on how groups consist of warps.
std::string warp_text(const analysis::WarpView& warp, const analysis::StateView& state,
                      const Translations& tr);

}  // namespace lab::figures
