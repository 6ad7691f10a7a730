#include "figures/parts/figure_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "figures/plot/badge.h"
#include "figures/scene/paragraph.h"

namespace lab::figures {
namespace {

constexpr float kLegendIndent = 31, kLegendGap = 22, kLegendLine = 24;  // points at scale 1

void include(Box& box, const Point& point, float edge) {
    box = {std::min(box.left, point.x - edge), std::min(box.top, point.y - edge),
           std::max(box.right, point.x + edge), std::max(box.bottom, point.y + edge)};
}

}  // namespace

Box bounds_of(const Shape& shape, const Fonts& fonts) {
    if (const auto* text = std::get_if<Text>(&shape.what)) return fonts.bounds(*text);
    if (const auto* rect = std::get_if<Rect>(&shape.what)) {
        const float edge = rect->stroke.role == Role::none ? 0 : rect->stroke.width / 2;
        return {rect->x - edge, rect->y - edge, rect->x + rect->width + edge,
                rect->y + rect->height + edge};
    }
    const auto& path = std::get<Path>(shape.what);
    Box box{1e9F, 1e9F, -1e9F, -1e9F};
    for (const Point& point : path.points)
        include(box, point, path.stroke.role == Role::none ? 0 : path.stroke.width / 2);
    return box;
}

float Page::width(const std::string& words, TextStyle style) const {
    return fonts_.text_width(words, s(style.size), style.face);
}

void Page::text(Point point, const std::string& words, TextStyle style, std::string tip) {
    if (words.empty()) return;
    const float size = s(style.size);
    scene.add(Text{point.x, point.y + fonts_.cap_height(size, style.face) / 2, words, size,
                   style.face, style.role, style.anchor},
              std::move(tip));
}

void Page::fitted(Point point, const std::string& words, TextStyle style, float room,
                  const std::string& tip) {
    const std::string fitting =
        fonts_.shortened(words, std::max(room, s(12)), s(style.size), style.face);
    text(point, fitting, style, fitting == words || !tip.empty() ? tip : words);
}

void Page::fitted_value(Point point, const std::string& words, TextStyle style, float room,
                        const std::string& tip) {
    const std::string fitting =
        fonts_.shortened_value(words, std::max(room, s(12)), s(style.size), style.face);
    text(point, fitting, style, fitting == words || !tip.empty() ? tip : words);
}

float Page::heading(const RunSubject& subject, float y) {
    if (!options_.heading) return y;
    text({left(), y + s(11)}, title_of(subject, tr_), kHeadingText);
    y = y + s(22);
    for (const std::string& line : wrapped(subtitle_of(subject, tr_), kLabelText, room())) {
        text({left(), y + s(10)}, line, kLabelText);
        y += s(19);
    }
    if (!subject.stopped.empty()) {
        add_badge(scene, {left() + s(8), y + s(14)}, s(8), false);
        const float indent = s(24);
        for (const std::string& line :
             wrapped(tr_("figure.stopped", fmt::arg("why", subject.stopped)), kTitleText,
                     room() - indent)) {
            text({left() + indent, y + s(14)}, line, kTitleText.in(Role::race));
            y += s(22);
        }
        y += s(6);
    }
    return y + s(12);
}

std::vector<std::string> Page::wrapped(const std::string& words, TextStyle style,
                                       float room) const {
    return lines_of(words, room, s(style.size), style.face, fonts_);
}

float Page::paragraph(const std::string& words, TextStyle style, float y) {
    float edge = 0;  // of what stands above
    for (const Shape& shape : scene.shapes)
        edge = std::max(edge, bounds_of(shape, fonts_).right);
    const float widest = std::clamp(edge - left(), std::min(s(640), room()), room());
    for (const std::string& line : wrapped(words, style, widest)) {
        text({left(), y + s(style.size) * 0.75F}, line, style);
        y += s(style.size) * 1.5F;
    }
    return y;
}

float Page::legend(const std::vector<LegendEntry>& entries, float y) {
    float x = left();
    for (const LegendEntry& entry : entries) {
        const float wide = s(kLegendIndent) + width(entry.words, kSmallText);
        if (x + wide > right() && x > left()) {
            x = left();
            y += s(kLegendLine);
        }
        const float middle = y + s(8);
        entry.swatch(scene, {x, middle - s(8), x + s(24), middle + s(8)});
        text({x + s(kLegendIndent), middle}, entry.words, kSmallText);
        x += wide + s(kLegendGap);
    }
    return entries.empty() ? y : y + s(kLegendLine);
}

Scene Page::finish(std::string title, std::string description) {
    float right = 0, bottom = 0;
    for (const Shape& shape : scene.shapes) {
        const Box box = bounds_of(shape, fonts_);
        right = std::max(right, box.right);
        bottom = std::max(bottom, box.bottom);
    }
    scene.width = std::ceil(right + kPageMargin);
    scene.height = std::ceil(bottom + kPageMargin);
    scene.title = std::move(title);
    scene.description = std::move(description);
    return std::move(scene);
}

std::string percent_text(double share) {
    std::string text = fmt::format("{:.{}f}", 100 * share, share < 0.1 ? 2 : 1);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

void add_captions(Page& page, const std::vector<Span>& spans, float y, TextStyle style,
                  const std::string& key, const std::string& name, float name_right,
                  const std::function<std::string(std::uint64_t)>& number_text) {
    if (spans.empty()) return;
    const auto number = [&](const Span& span) {
        return number_text ? number_text(span.number) : std::to_string(span.number);
    };
    const auto said = [&](const Span& span) { return page.tr()(key, fmt::arg("n", number(span))); };
    float pitch = page.room();
    for (std::size_t i = 1; i < spans.size(); ++i)
        pitch = std::min(pitch, spans[i].left - spans[i - 1].left);
    const bool full = !key.empty() && (spans.size() == 1 ||
                                       page.width(said(spans.back()), style) + page.s(8) < pitch);
    std::size_t step = 1;
    while (!full &&
           static_cast<float>(step) * pitch < page.width(number(spans.back()), style) + page.s(4))
        step *= 2;
    const float first = (spans.front().left + spans.front().right) / 2 -
                        page.width(number(spans.front()), style) / 2;
    if (!full)
        page.text({std::min(name_right, first - page.s(4)), y}, name, kSmallText.at(Anchor::end));
    for (std::size_t i = 0; i < spans.size(); i += step)
        page.text({(spans[i].left + spans[i].right) / 2, y},
                  full ? said(spans[i]) : number(spans[i]), style.at(Anchor::middle));
}

}  // namespace lab::figures
