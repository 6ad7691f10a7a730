#include "figures/plot/chart_frame.h"

#include <cmath>

#include "figures/scene/paragraph.h"

namespace lab::figures {
namespace {

constexpr float kTitle = 19, kTitleLine = 25, kSubtitle = 13, kSubtitleLine = 18,
                kFootnoteLine = 17;

std::vector<std::string> joined_lines(const std::vector<std::string>& sentences, float width,
                                      float size, const Fonts& fonts) {
    std::string all;
    for (const std::string& sentence : sentences) {
        // Chinese stops bring their own room.
        const bool full_width = all.ends_with("。") || all.ends_with("；");
        if (!all.empty() && !full_width) all += ' ';
        all += sentence;
    }
    return lines_of(all, width, size, Face::sans, fonts);
}

}  // namespace

ChartFrame::ChartFrame(const std::string& title, const std::string& subtitle,
                       const std::vector<std::string>& notes, float width, float scale,
                       bool heading, const Fonts& fonts)
    : width_(width),
      scale_(scale),
      top_(heading ? kChartMargin : kChartMargin / 2),
      below_(kChartMargin),
      fonts_(fonts) {
    const float room = right() - left();
    if (heading) {
        title_ = lines_of(title, room, kTitle * scale, Face::bold, fonts);
        subtitle_ = lines_of(subtitle, room, kSubtitle * scale, Face::sans, fonts);
        top_ += scale * (kTitleLine * static_cast<float>(title_.size()) +
                         kSubtitleLine * static_cast<float>(subtitle_.size()) + 10);
    }
    notes_ = joined_lines(notes, room, kNoteSize * scale, fonts);
    if (!notes_.empty()) below_ += scale * (kFootnoteLine * static_cast<float>(notes_.size()) + 8);
    if (!heading) below_ -= kChartMargin / 2;
}

void ChartFrame::add_heading(Scene& scene) const {
    float y = kChartMargin;
    const auto add = [&](const std::vector<std::string>& lines, float size, float line_height,
                         Face face, Role role) {
        for (const std::string& words : lines) {
            const float baseline = y + fonts_.ascent(size * scale_, face);
            scene.add(Text{left(), baseline, words, size * scale_, face, role, Anchor::start});
            y += line_height * scale_;
        }
    };
    add(title_, kTitle, kTitleLine, Face::bold, Role::text);
    add(subtitle_, kSubtitle, kSubtitleLine, Face::sans, Role::muted);
}

void ChartFrame::add_notes(Scene& scene, float y) const {
    scene.height = std::ceil(y + below_);
    const float size = kNoteSize * scale_;
    float baseline = y + 8 * scale_ + fonts_.ascent(size, Face::sans);
    for (const std::string& words : notes_) {
        scene.add(Text{left(), baseline, words, size, Face::sans, Role::muted, Anchor::start});
        baseline += kFootnoteLine * scale_;
    }
}

}  // namespace lab::figures
