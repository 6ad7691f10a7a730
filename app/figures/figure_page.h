// A page, shared by the figures of a run: a heading at the top, a legend of what occurs, sentences
// below. It grows with its contents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "analysis/step_table.h"
#include "analysis/timeline.h"
#include "base/translations.h"
#include "catalogue/reference.h"
#include "figures/font.h"
#include "figures/pass_figure.h"
#include "figures/run_text.h"
#include "figures/scene.h"
namespace lab::figures {

struct FigureOptions {
    float width = 1000;    // points to fit into, as far as text stays readable
    float text_scale = 1;  // Palette::text_scale
    bool heading = true;   // for a figure that stands alone, as in a file
    // Points to fit into: a map's cells give way to it.
    float height = std::numeric_limits<float>::infinity();
};

struct TextStyle {
    float size = 13;  // points at scale 1
    Face face = Face::sans;
    Role role = Role::text;
    Anchor anchor = Anchor::start;

    constexpr TextStyle in(Role other) const { return {size, face, other, anchor}; }
    constexpr TextStyle at(Anchor other) const { return {size, face, role, other}; }
    constexpr TextStyle sized(float other) const { return {other, face, role, anchor}; }
};
inline constexpr TextStyle kHeadingText{18, Face::bold, Role::text};
inline constexpr TextStyle kTitleText{14, Face::bold, Role::text};
inline constexpr TextStyle kLabelText{13, Face::sans, Role::muted};
inline constexpr TextStyle kSentenceText{14, Face::sans, Role::text};
inline constexpr TextStyle kSmallText{12, Face::sans, Role::muted};
inline constexpr TextStyle kCaptionText{12, Face::bold, Role::muted};
inline constexpr TextStyle kCodeText{12, Face::mono, Role::text};

inline constexpr float kPageMargin = 20;  // points, at any scale

struct LegendEntry {
    std::string words;
    // Draws a sample into the box, 24 by 16 points at scale 1.
    std::function<void(Scene&, const Box&)> swatch;
};

// Returns the box that a shape covers, its stroke included.
Box bounds_of(const Shape& shape, const Fonts& fonts);
Box bounds_of(const Scene& scene, const Fonts& fonts);  // of all its shapes

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
    // Lines from `x` on as far as there is room; the first one's middle is `above` below y.
    float lines(const std::string& words, TextStyle style, float x, float room, float y,
                float above, float leading);
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

// Sheets of paper, A4: blocks are laid one below the other, and none is cut by the end of a page.

inline constexpr float kSheetWidth = 595.28F, kSheetHeight = 841.89F;  // A4, in points
inline constexpr float kSheetMargin = 52;
inline constexpr float kSheetRoom = kSheetWidth - 2 * kSheetMargin;

// As wide and as high as its shapes reach, from the corner at the left and top.
Scene cropped(Scene scene, const Fonts& fonts);

// Says if a block stands on the same page as the one after it: if that leaves no more than a part
// of a page empty, or at any price.
enum class WithNext : std::uint8_t { no, rather, always };

class Sheets {
  public:
    // `scene` is at most kSheetRoom wide (else it is made smaller). `gap`: above it, but not at the
    // top of a page. `least`: how small it may be made to stand on the page that is begun.
    void add(Scene scene, float gap, WithNext with_next = WithNext::no, float least = 1);
    void begin_page();  // the next block stands on a page of its own
    // The pages; `foot` adds what stands at the foot of each, given its number from 1 and how many
    // there are.
    std::vector<Scene> finish(
        const std::function<void(Scene& page, std::size_t number, std::size_t count)>& foot);

  private:
    struct Held {
        Scene scene;
        float gap = 0;
        WithNext with_next = WithNext::no;
        float scale = 1, least = 1;  // the largest that fits into a page, and a part of that

        float height(float part) const { return scene.height * scale * std::max(part, least); }
    };
    using Blocks = std::span<const Held>;
    void place();  // what has been held together
    float room() const;
    // How large the blocks may be, as a part of their scale, to take no more room; 0: they do not
    // fit.
    static float part_within(Blocks blocks, float room);
    // True if a page may end behind the block: what no page holds together is parted, too.
    static bool may_part(Blocks blocks, std::size_t block);
    void begin_next();
    void add_to_page(Blocks blocks, float part);

    std::vector<Held> held_;
    std::vector<Scene> pages_;
    float y_ = 0;
};

// The line under the step view's figure that says what its colours and shapes stand for.
// Adds what the figure has, at layout.legend_y, and makes the scene large enough; no line is wider
// than `width` or the scene, whichever is more.
void add_legend(Scene& scene, const analysis::StepTable& table, const PassLayout& layout,
                float width, const Fonts& fonts, const Translations& tr);

// Draws what "broken across groups" changes: two runs of the same input, one above the other, with
// a lane per group and a box per pass. A barrier ends at its group's edge; a launch ends for all.
struct ToggledRun {
    const analysis::Timeline* timeline = nullptr;
    std::string title;             // "One launch per pass"
    std::string result, expected;  // empty: the run did not end, or not known
    bool right = false;
    bool luck = false;  // if it is right: nothing in the run orders some accesses
    Exactness exactness = {};
};

Scene toggle_figure(const std::vector<ToggledRun>& runs, const FigureOptions& options,
                    const Fonts& fonts, const Translations& tr);

// A picture for a slide, as large as while presenting: its title, where one is, and a sentence.
struct Slide {
    std::string title;
    std::string position;          // "step 2 of 3"
    std::string sentence;          // what happened; may be empty
    Role ground = Role::act_fill;  // under the sentence
    Scene picture;
};

// Points: 16 by 9, as screens are.
inline constexpr float kSlideWidth = 960, kSlideHeight = 540;

// All at the same places and of one scale, so that from one to the next nothing moves but what
// changes.
std::vector<Scene> slides(std::span<const Slide> all, const Fonts& fonts);

}  // namespace lab::figures
