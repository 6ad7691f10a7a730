// The names of a chart's lines: at their right ends where there is room, else in columns below.
#pragma once

#include <string>
#include <vector>

#include "figures/plot/axes.h"
#include "figures/plot/chart.h"

namespace lab::figures {

// At the lines' ends.
class EndNames {
  public:
    EndNames(const Chart& chart, float scale, const Fonts& fonts);

    float width() const { return width_; }  // what they need to the right of the plot
    float height() const;                   // the least, below each other

    // Between the plot and what lies `width()` to the right of it.
    void add_to(Scene& scene, const Plot& plot) const;

  private:
    float scale_;
    const Fonts& fonts_;
    std::vector<const ChartSeries*> shown_;  // those that have a point
    float width_ = 0;
};

// In columns, in the order of the chart's series.
class NameColumns {
  public:
    NameColumns(const Chart& chart, float width, float scale, const Fonts& fonts);

    float height() const;
    void add_to(Scene& scene, float left, float top) const;

  private:
    // Each as wide as its widest name.
    std::vector<float> columns_of(std::size_t rows) const;

    float scale_;
    const Fonts& fonts_;
    std::vector<const ChartSeries*> shown_;
    std::size_t rows_ = 0;
    std::vector<float> columns_;  // their widths
};

}  // namespace lab::figures
