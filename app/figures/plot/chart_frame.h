// The frame of every chart: the heading above and the notes below.
#pragma once

#include <string>
#include <vector>

#include "figures/scene/font.h"
#include "figures/scene/scene.h"

namespace lab::figures {

// Text sizes and lengths, in points at scale 1.
inline constexpr float kChartMargin = 20;
inline constexpr float kNameSize = 13, kTickSize = 12, kNoteSize = 12;

class ChartFrame {
  public:
    // Measures the words. A chart without a heading has its subtitle among the notes.
    ChartFrame(const std::string& title, const std::string& subtitle,
               const std::vector<std::string>& notes, float width, float scale, bool heading,
               const Fonts& fonts);

    float top() const { return top_; }      // where what is below the heading may begin
    float below() const { return below_; }  // the height of the notes and the margin under them
    float left() const { return kChartMargin; }
    float right() const { return width_ - kChartMargin; }

    void add_heading(Scene& scene) const;
    // `y`: where the part below begins. Sets the scene's height.
    void add_notes(Scene& scene, float y) const;

  private:
    float width_, scale_, top_, below_;
    const Fonts& fonts_;
    std::vector<std::string> title_, subtitle_, notes_;  // lines
};

}  // namespace lab::figures
