// The lanes, actions, arcs and axis of a schedule, for the figures that show one.
#pragma once

#include <string>
#include <vector>

#include "analysis/lanes/timeline.h"
#include "figures/parts/figure_page.h"
#include "figures/parts/schedule/schedule_layout.h"
#include "figures/parts/schedule/schedule_marks.h"

namespace lab::figures {

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

}  // namespace lab::figures
