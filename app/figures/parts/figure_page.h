// A page, shared by the figures of a run: a heading at the top, a legend of what occurs, sentences
// below. It grows with its contents.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/translations.h"
#include "figures/parts/run_subject.h"
#include "figures/scene/font.h"
#include "figures/scene/scene.h"

namespace lab::figures {

struct FigureOptions {
    float width = 1000;    // points to fit into, as far as text stays readable
    float text_scale = 1;  // Palette::text_scale
    bool heading = true;   // for a figure that stands alone, as in a file
};

struct TextStyle {
    float size = 13;  // points at scale 1
    Face face = Face::sans;
    Role role = Role::text;
    Anchor anchor = Anchor::start;

    TextStyle in(Role other) const { return {size, face, other, anchor}; }
    TextStyle at(Anchor other) const { return {size, face, role, other}; }
    TextStyle sized(float other) const { return {other, face, role, anchor}; }
};
inline constexpr TextStyle kHeadingText{18, Face::bold, Role::text, Anchor::start};
inline constexpr TextStyle kTitleText{14, Face::bold, Role::text, Anchor::start};
inline constexpr TextStyle kLabelText{13, Face::sans, Role::muted, Anchor::start};
inline constexpr TextStyle kSentenceText{14, Face::sans, Role::text, Anchor::start};
inline constexpr TextStyle kSmallText{12, Face::sans, Role::muted, Anchor::start};
inline constexpr TextStyle kCaptionText{12, Face::bold, Role::muted, Anchor::start};
inline constexpr TextStyle kCodeText{12, Face::mono, Role::text, Anchor::start};

inline constexpr float kPageMargin = 20;  // points, at any scale

struct LegendEntry {
    std::string words;
    // Draws a sample into the box, 24 by 16 points at scale 1.
    std::function<void(Scene&, const Box&)> swatch;
};

// What a shape covers, its stroke included.
Box bounds_of(const Shape& shape, const Fonts& fonts);

class Page {
  public:
    Page(const FigureOptions& options, const Fonts& fonts, const Translations& tr)
        : options_(options), fonts_(fonts), tr_(tr) {}

    Scene scene;

    float s(float points) const { return points * options_.text_scale; }
    float left() const { return kPageMargin; }
    float right() const { return std::max(options_.width, s(400)) - kPageMargin; }
    float room() const { return right() - left(); }
    const Fonts& fonts() const { return fonts_; }
    const Translations& tr() const { return tr_; }

    float width(const std::string& words, TextStyle style) const;
    // The middle of capital letters is at `y`. Nothing is added for empty words.
    void text(Point point, const std::string& words, TextStyle style, std::string tip = {});
    // Shortened to `room` if it is longer; the tooltip then has all of it.
    // `words`: a value is shortened as Fonts::shortened_value() does.
    void fitted_value(Point point, const std::string& words, TextStyle style, float room,
                      const std::string& tip = {});
    void fitted(Point point, const std::string& words, TextStyle style, float room,
                const std::string& tip = {});
    // Each returns the y below what it added, from the y above it.
    float heading(const RunSubject& subject, float y);
    float paragraph(const std::string& words, TextStyle style, float y);
    float legend(const std::vector<LegendEntry>& entries, float y);

    std::vector<std::string> wrapped(const std::string& words, TextStyle style, float room) const;
    // The scene, as large as its contents; `description` is for screen readers.
    Scene finish(std::string title, std::string description);

  private:
    const FigureOptions& options_;
    const Fonts& fonts_;
    const Translations& tr_;
};

// "12.5", "100", "6.25": at most one decimal, two where it is little.
std::string percent_text(double share);

// A mark's place, and the number of its caption.
struct Span {
    float left = 0, right = 0;
    std::uint64_t number = 0;
};
// A row of captions, each over its span: "group 0", where that is too wide the bare number, where
// that is too wide each second, fourth … of them; bare numbers are named by `name` at the left end.
// `key` is of a text with {n}. Without words, `key` is empty: numbers only. `number_text`: how a
// number is written; empty: in digits.
void add_captions(Page& page, const std::vector<Span>& spans, float y, TextStyle style,
                  const std::string& key, const std::string& name, float name_right,
                  const std::function<std::string(std::uint64_t)>& number_text = {});

}  // namespace lab::figures
