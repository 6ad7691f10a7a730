#include "figures/figure_page.h"

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/ranges.h"
#include "figures/bars.h"
#include "figures/chart.h"
#include "figures/pass_text.h"
#include "figures/text.h"

namespace lab::figures {
namespace {

using fmt::arg;

constexpr float kLegendIndent = 31, kLegendGap = 22, kLegendLine = 24;  // points at scale 1

Box around(const Box& a, const Box& b) {
    return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right),
            std::max(a.bottom, b.bottom)};
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
    const float edge = path.stroke.role == Role::none ? 0 : path.stroke.width / 2;
    for (const auto& [x, y] : path.points)
        box = around(box, {x - edge, y - edge, x + edge, y + edge});
    return box;
}

Box bounds_of(const Scene& scene, const Fonts& fonts) {
    Box box{1e9F, 1e9F, 0, 0};
    for (const Shape& shape : scene.shapes)
        box = around(box, bounds_of(shape, fonts));
    return box;
}

float Page::width(const std::string& words, TextStyle style) const {
    return fonts_.text_width(words, s(style.size), style.face);
}

void Page::text(Point point, const std::string& words, TextStyle style, std::string tip) {
    if (words.empty()) return;
    scene.add(fonts_.line_at(point, words, s(style.size), style.face, style.role, style.anchor),
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
    y += s(22);
    y = lines(subtitle_of(subject, tr_), kLabelText, left(), room(), y, s(10), s(19));
    if (!subject.stopped.empty()) {
        add_badge(scene, {left() + s(8), y + s(14)}, s(8), false);
        const float indent = s(24);
        y = lines(tr_("figure.stopped", arg("why", subject.stopped)), kTitleText.in(Role::race),
                  left() + indent, room() - indent, y, s(14), s(22)) +
            s(6);
    }
    return y + s(12);
}

std::vector<std::string> Page::wrapped(const std::string& words, TextStyle style,
                                       float room) const {
    return lines_of(words, room, s(style.size), style.face, fonts_);
}

float Page::paragraph(const std::string& words, TextStyle style, float y) {
    const float edge = bounds_of(scene, fonts_).right;  // of what stands above
    const float widest = std::clamp(edge - left(), std::min(s(640), room()), room());
    const float size = s(style.size);
    return lines(words, style, left(), widest, y, size * 0.75F, size * 1.5F);
}

float Page::lines(const std::string& words, TextStyle style, float x, float room, float y,
                  float above, float leading) {
    for (const std::string& line : wrapped(words, style, room)) {
        text({x, y + above}, line, style);
        y += leading;
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
    const Box box = bounds_of(scene, fonts_);
    scene.width = std::ceil(box.right + kPageMargin);
    scene.height = std::ceil(box.bottom + kPageMargin);
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
    const auto said = [&](const Span& span) { return page.tr()(key, arg("n", number(span))); };
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

constexpr float kFoot = 60;  // points below the last block
constexpr float kPageRoom = kSheetHeight - kSheetMargin - kFoot;
constexpr float kMostEmpty = kPageRoom / 4;  // at the end of a page, for what stands together

Scene cropped(Scene scene, const Fonts& fonts) {
    const Box box = bounds_of(scene, fonts);
    Scene result;
    result.title = std::move(scene.title);
    result.description = std::move(scene.description);
    if (scene.shapes.empty()) return result;
    add_scene(result, scene, -box.left, -box.top);
    result.width = box.right - box.left;
    result.height = box.bottom - box.top;
    return result;
}

void Sheets::add(Scene scene, float gap, WithNext with_next, float least) {
    float scale = 1;
    if (scene.width > kSheetRoom) scale = kSheetRoom / scene.width;
    if (scene.height * scale > kPageRoom) scale = kPageRoom / scene.height;
    held_.push_back({std::move(scene), gap, with_next, scale, least});
    if (with_next == WithNext::no) place();
}

void Sheets::begin_page() {
    place();
    if (!pages_.empty()) y_ = kPageRoom + kSheetMargin;
}

float Sheets::room() const {
    return pages_.empty() ? 0 : kSheetMargin + kPageRoom + 0.5F - y_;
}

float Sheets::part_within(Blocks blocks, float room) {
    constexpr float kStep = 0.05F;
    for (float part = 1; part > 0; part -= kStep) {
        float height = 0;
        for (const Held& each : blocks)
            height += each.gap + each.height(part);
        if (height <= room) return part;
    }
    return 0;
}

bool Sheets::may_part(Blocks blocks, std::size_t block) {
    const auto tied = [&](std::size_t at) { return blocks[at].with_next == WithNext::always; };
    if (block + 1 == blocks.size() || !tied(block)) return true;
    std::size_t first = block, end = block + 1;
    while (first > 0 && tied(first - 1))
        --first;
    while (end < blocks.size() && tied(end - 1))
        ++end;
    return part_within(blocks.subspan(first, end - first), kPageRoom) == 0;
}

void Sheets::begin_next() {
    Scene& page = pages_.emplace_back();
    page.width = kSheetWidth;
    page.height = kSheetHeight;
    y_ = kSheetMargin;
}

void Sheets::add_to_page(Blocks blocks, float part) {
    for (const Held& each : blocks) {
        if (y_ > kSheetMargin) y_ += each.gap;
        add_scene(pages_.back(), each.scene, kSheetMargin, y_,
                  each.scale * std::max(part, each.least));
        y_ += each.height(part);
    }
}

void Sheets::place() {
    for (Blocks left = held_; !left.empty();) {
        // As many as there is room for, parted where they may be.
        std::size_t fits = 0;
        float part = 0;
        for (std::size_t end = 1; end <= left.size(); ++end) {
            if (!may_part(left, end - 1)) continue;
            const float of_these = part_within(left.first(end), room());
            if (of_these == 0) break;
            fits = end;
            part = of_these;
        }
        const bool fresh = !pages_.empty() && y_ == kSheetMargin;
        const bool together = part_within(left, kPageRoom) > 0;
        if (fits < left.size() && !fresh && (fits == 0 || (together && room() <= kMostEmpty))) {
            begin_next();
            continue;
        }
        if (fits == 0) fits = 1;
        add_to_page(left.first(fits), part);
        left = left.subspan(fits);
    }
    held_.clear();
}

std::vector<Scene> Sheets::finish(
    const std::function<void(Scene& page, std::size_t number, std::size_t count)>& foot) {
    place();
    for (std::size_t i = 0; i < pages_.size(); ++i)
        foot(pages_[i], i + 1, pages_.size());
    return std::move(pages_);
}

namespace {

// A swatch is 22 points wide at scale 1, around the point (x, y).
struct Swatch {
    Scene& scene;
    float x, y, scale;
    bool full;
    const Fonts& fonts;
};

void item(const Swatch& in, Role fill, Role edge) {
    in.scene.add(disc({in.x, in.y}, 7 * in.scale, fill, {edge, 1}));
}

Rect looking(const Swatch& in, const Look& look) {
    const float width = 18 * in.scale, height = 14 * in.scale;
    return box(in.x - width / 2, in.y - height / 2, width, height, look.fill, look.stroke, 3);
}

void cell(const Swatch& in, analysis::CellState state) {
    const float height = 14 * in.scale;
    if (in.full)
        in.scene.add(looking(in, look_of(state)));
    else
        in.scene.add(mark_box(state, in.x, in.y - height / 2, 10 * in.scale, height));
}

void unknown(const Swatch& in) {
    in.scene.add(looking(in, look_of(analysis::CellState::same)));
    const float size = kTitleSize * in.scale;
    in.scene.add(Text{in.x, in.y + in.fonts.cap_height(size, Face::sans) / 2, kNobodyWrote, size,
                      Face::mono, Role::text, Anchor::middle});
}

void gathered(const Swatch& in) {
    in.scene.add(box(in.x - 11 * in.scale, in.y - 6 * in.scale, 22 * in.scale, 12 * in.scale,
                     Role::act, {}, 6 * in.scale));
    in.scene.add(in.fonts.line_at({in.x, in.y}, "3/4", 9 * in.scale, Face::mono, Role::on_act,
                                  Anchor::middle));
}

void local(const Swatch& in) {
    in.scene.add(box(in.x - 11 * in.scale, in.y - 8 * in.scale, 22 * in.scale, 16 * in.scale,
                     Role::background, {Role::border, 1}, 4 * in.scale));
}

void heat(const Swatch& in) {
    const float width = 12 * in.scale, height = 14 * in.scale, top = in.y - height / 2;
    const auto part = [&](float from, float to, analysis::CellState state) {
        in.scene.add(box(in.x - width / 2, top + from * height, width, (to - from) * height,
                         mark_of(state)));
    };
    part(0, 0.3F, analysis::CellState::same);
    part(0.3F, 0.6F, analysis::CellState::read);
    part(0.6F, 1, analysis::CellState::written);
}

void stale(const Swatch& moved) {
    Swatch in = moved;
    in.x -= 3 * in.scale;
    if (in.full) in.scene.add(looking(in, kStaleLook));
    add_badge(in.scene,
              in.full ? Point{in.x + 7 * in.scale, in.y - 5 * in.scale} : Point{in.x, in.y},
              kStaleSign * in.scale, false);
}

void arc_of(const Swatch& in, Stroke stroke) {
    const float half = 7 * in.scale;
    in.scene.add(arc({in.x + half, in.y - half}, {in.x - half, in.y + half}, stroke));
}

// A mini cell under a cell's edge.
void chip(const Swatch& in) {
    const float half = 8 * in.scale;
    in.scene.add(line({in.x - 11 * in.scale, in.y - half}, {in.x + 11 * in.scale, in.y - half},
                      {Role::border, 1.5F}));
    in.scene.add(box(in.x - half, in.y - half / 2, 2 * half, half * 1.4F, Role::panel,
                     {Role::act, 1.5F}, 3 * in.scale));
}

void raced(const Swatch& in) {
    const float size = 5 * in.scale;
    if (in.full)
        in.scene.add(race_frame(
            box(in.x - 7 * in.scale, in.y - 5 * in.scale, 14 * in.scale, 10 * in.scale, Role::none),
            in.scale));
    else
        in.scene.add(polygon({{in.x, in.y - size / 2},
                              {in.x + size * 0.7F, in.y + size / 2},
                              {in.x - size * 0.7F, in.y + size / 2}},
                             Role::race));
}

// Whole where it orders all groups, in two parts where each has its own.
void boundary(const Swatch& in, Boundary kind) {
    const float half = 11 * in.scale;
    if (kind == Boundary::by_hand) {
        in.scene.add(line({in.x - half, in.y}, {in.x + half, in.y}, kByHand));
        return;
    }
    const bool whole = kind == Boundary::launch || kind == Boundary::grid;
    const float gap = whole ? 0 : 3.5F * in.scale;
    if (kind == Boundary::atomics)
        in.scene.add(
            line({in.x - gap, in.y}, {in.x + gap, in.y}, {Role::barrier, 2.5F, Dash::dotted}));
    for (const float side : {-1.0F, 1.0F})
        in.scene.add(
            line({in.x + side * half, in.y}, {in.x + side * gap, in.y}, {Role::barrier, 3}));
}

template <analysis::Signal::Kind kKind>
void sign_of(const Swatch& in) {
    add_signal_sign(in.scene, kKind, {in.x, in.y}, 6 * in.scale);
}

struct PassMark {
    const char* name;  // in figure.legend_NAME
    void (*swatch)(const Swatch&);
};
constexpr std::array kEntries{
    PassMark{"works", [](const Swatch& in) { item(in, Role::act, Role::act); }},
    PassMark{"idle", [](const Swatch& in) { item(in, Role::idle_fill, Role::idle); }},
    PassMark{"not_begun",
             [](const Swatch& in) {
                 in.scene.add(disc({in.x, in.y}, 6 * in.scale, Role::panel, kNotBegunEdge));
             }},
    PassMark{"gathered", gathered},
    PassMark{"arc",
             [](const Swatch& in) {
                 arc_of(in, {Role::act, 2});
             }},
    PassMark{"written", [](const Swatch& in) { cell(in, analysis::CellState::written); }},
    PassMark{"atomic",
             [](const Swatch& in) {
                 in.scene.add(atomic_sign({in.x, in.y}, in.scale));
             }},
    PassMark{"read", [](const Swatch& in) { cell(in, analysis::CellState::read); }},
    PassMark{"same", [](const Swatch& in) { cell(in, analysis::CellState::same); }},
    PassMark{"spent", [](const Swatch& in) { cell(in, analysis::CellState::spent); }},
    PassMark{"unknown", unknown},
    PassMark{"local", local},
    PassMark{"launch", [](const Swatch& in) { boundary(in, Boundary::launch); }},
    PassMark{"grid", [](const Swatch& in) { boundary(in, Boundary::grid); }},
    PassMark{"barrier", [](const Swatch& in) { boundary(in, Boundary::group); }},
    PassMark{"atomics", [](const Swatch& in) { boundary(in, Boundary::atomics); }},
    PassMark{"by_hand", [](const Swatch& in) { boundary(in, Boundary::by_hand); }},
    PassMark{"counts", sign_of<analysis::Signal::Kind::counts>},
    PassMark{"sets", sign_of<analysis::Signal::Kind::sets>},
    PassMark{"waits", sign_of<analysis::Signal::Kind::waits>},
    PassMark{"stale", stale},
    PassMark{"came", [](const Swatch& in) { arc_of(in, kCame); }},
    PassMark{"missed", [](const Swatch& in) { arc_of(in, kMissed); }},
    PassMark{"chip", chip},
    PassMark{"raced", raced},
    PassMark{"heat", heat},
};
// In the order of CellState, of Boundary and of analysis::Signal::Kind.
constexpr std::array kStateNames{"", "", "read", "spent", "written"};
constexpr std::array kBoundaryNames{"", "launch", "barrier", "atomics", "grid", "by_hand"};
constexpr std::array kSignalNames{"counts", "sets", "waits"};

// What the figure has in it, by the names of kEntries.
std::set<std::string_view> present_in(const analysis::StepTable& table, const PassLayout& layout) {
    std::set<std::string_view> in;
    const auto add = [&in](bool there, const char* name) {
        if (there) in.insert(name);
    };
    std::array<bool, kStateNames.size()> states{};
    for (const auto& row : cell_states(table))
        for (const analysis::CellState state : row)
            states[static_cast<std::size_t>(state)] = true;
    for (std::size_t i = 0; i < states.size(); ++i)
        add(states[i], kStateNames[i]);
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const analysis::Row& pass = table.rows[row];
        const RowLayout& place = layout.rows[row];
        for (const Item& item : place.items) {
            add(item.count > 1, "gathered");
            add(item.count == 1 && item.working > 0, "works");
            add(item.count == 1 && item.working == 0 && item.begun, "idle");
            add(!item.begun, "not_begun");
        }
        for (const analysis::Cell& cell : pass.cells) {
            for (const analysis::Writer& writer : writers_of(cell))
                add(!writer.from.empty(), "arc");
            add(place.full && !cell.value.bits, "unknown");
            add(place.full && cell.atomic, "atomic");
            add(cell.stale, "stale");
        }
        add(place.cells_per_mark > 1, "heat");
        add(pass.local_memory, "local");
        add(!pass.raced.empty(), "raced");
        for (const Misread& read : misreads_in(table, layout, row)) {
            add(read.stale != nullptr && !read.plain(row), "came");
            add(read.stale != nullptr && read.stale->missed.bits, "missed");
            add(layout.rows[read.cell.row].full && read.hangs(), "chip");
        }
        add(true, kBoundaryNames[static_cast<std::size_t>(boundary_after(table, row))]);
        for (const analysis::Signal& signal : pass.signals)
            add(row + 1 < table.rows.size() && signal_radius(layout, row) > 0,
                kSignalNames[static_cast<std::size_t>(signal.kind)]);
    }
    return in;
}

}  // namespace

void add_legend(Scene& scene, const analysis::StepTable& table, const PassLayout& layout,
                float width, const Fonts& fonts, const Translations& tr) {
    const float scale = layout.scale, size = kSmallSize * scale;
    const float indent = 29 * scale, between = 20 * scale, line_height = 22 * scale;
    const float left = layout.left();
    const float edge = std::max(width, scene.width) - kMargin;
    const bool full =
        2 * count_if(layout.rows, [](const auto& row) { return row.full; }) >= layout.rows.size();
    auto present = present_in(table, layout);
    if (!full) present.insert("same");
    float x = left, y = layout.legend_y, used = 0;
    for (const PassMark& entry : kEntries) {
        if (!present.contains(entry.name)) continue;
        const std::string words = tr(fmt::format("figure.legend_{}", entry.name));
        const float wide = indent + fonts.text_width(words, size, Face::sans);
        if (x + wide > edge && x > left) {
            x = left;
            y += line_height;
        }
        const float middle = y - fonts.cap_height(size, Face::sans) / 2;
        entry.swatch({scene, x + 11 * scale, middle, scale, full, fonts});
        scene.add(Text{x + indent, y, words, size, Face::sans, Role::muted});
        used = std::max(used, x + wide);
        x += wide + between;
    }
    if (used == 0) return;
    scene.width = std::max(scene.width, used + kMargin);
    scene.height = y + 6 * scale + kMargin;
}

namespace {

using machine::ActionKind;

constexpr float kToggleLane = 30, kToggleGap = 8;
constexpr std::uint32_t kMostGroups = 4;
constexpr std::size_t kMostToggleArcs = 4;

// For one group, in one pass of one launch: from its first action to its last.
struct PassSpan {
    std::uint64_t first = 0, end = 0;
    bool stale = false, barrier = false;
};

class ToggleFigure {
  public:
    ToggleFigure(const FigureOptions& options, const Fonts& fonts, const Translations& tr)
        : tr_(tr), page_(options, fonts, tr) {}

    Scene make(const std::vector<ToggledRun>& runs) {
        float y = s(4);
        for (const ToggledRun& run : runs)
            y = add_run(run, y) + s(18);
        page_.paragraph(tr_("toggle.sentence"), kSmallText, y - s(6));
        return page_.finish(tr_("toggle.title"), tr_("toggle.sentence"));
    }

  private:
    float s(float points) const { return page_.s(points); }

    float add_run(const ToggledRun& run, float y) {
        const Role role = run.right ? Role::wrote : Role::race;
        page_.fitted({page_.left(), y + s(8)}, run.title, kTitleText, page_.room());
        y += s(26);
        const float names = s(66);
        left_ = page_.left() + names;
        per_action_ = (page_.right() - left_) /
                      std::max<float>(1, static_cast<float>(run.timeline->actions.size()));
        const std::map<Key, PassSpan> spans = spans_of(*run.timeline);
        const std::uint32_t groups = std::min(run.timeline->groups, kMostGroups);
        add_launches(*run.timeline, y, groups);
        for (std::uint32_t group = 0; group < groups; ++group)
            page_.fitted({left_ - s(8), y + lane(group) + s(kToggleLane) / 2},
                         tr_("figure.group", arg("n", group)), kSmallText.at(Anchor::end),
                         names - s(8));
        for (const auto& [key, span] : spans)
            if (key.group < groups) add_span(key, span, y + lane(key.group));
        add_arcs(*run.timeline, y, groups);
        y += lane(groups);
        if (run.timeline->groups > groups)
            y = page_.paragraph(
                tr_("toggle.more_groups", arg("count", run.timeline->groups - groups)), kSmallText,
                y);
        if (run.result.empty()) return y;
        add_badge(page_.scene, {page_.left() + s(8), y + s(10)}, s(7), run.right);
        page_.text({page_.left() + s(22), y + s(10)},
                   !run.right ? tr_("figure.wrong", arg("result", run.result),
                                    arg("expected", run.expected))
                   : run.luck ? tr_("toggle.luck", arg("result", run.result))
                              : right_text(run.result, run.exactness, false, tr_),
                   kTitleText.in(role));
        return y + s(22);
    }

    struct Key {
        std::uint32_t launch = 0, group = 0, pass = 0;
        auto operator<=>(const Key&) const = default;
    };
    float lane(std::uint32_t group) const {
        return static_cast<float>(group) * s(kToggleLane + kToggleGap);
    }
    float x_of(std::uint64_t time) const { return left_ + static_cast<float>(time) * per_action_; }

    static std::map<Key, PassSpan> spans_of(const analysis::Timeline& timeline) {
        std::map<Key, PassSpan> result;
        for (std::uint64_t time = 0; time < timeline.actions.size(); ++time) {
            const analysis::TimelineAction& action = timeline.actions[time];
            if (action.kind == ActionKind::barrier) {
                const auto position = result.find({action.launch, action.group, action.pass});
                if (position != result.end()) position->second.barrier = true;
                continue;
            }
            PassSpan& span =
                result.try_emplace({action.launch, action.group, action.pass}, PassSpan{time, 0})
                    .first->second;
            span.end = time + 1;
            span.stale = span.stale || action.stale;
        }
        return result;
    }

    void add_span(const Key& key, const PassSpan& span, float y) {
        const float x = x_of(span.first) + 1, width = std::max(x_of(span.end) - x - 2, s(5));
        const Look look = span.stale ? Look{Role::race_fill, Role::text, {Role::race, 2}}
                                     : Look{Role::act_fill, Role::text, {Role::act, 1}};
        page_.scene.add(box(x, y, width, s(kToggleLane), look.fill, look.stroke, s(4)),
                        tr_("toggle.pass", arg("pass", key.pass), arg("launch", key.launch + 1)));
        const std::string shown = std::to_string(launches_ > 1 ? key.launch + 1 : key.pass);
        page_.fitted({x + width / 2, y + s(kToggleLane) / 2}, shown,
                     kCaptionText.in(Role::text).at(Anchor::middle), width);
        if (span.barrier)
            page_.scene.add(line({x + width + s(2), y - s(2)},
                                 {x + width + s(2), y + s(kToggleLane + 2)}, {Role::barrier, 3}),
                            tr_("toggle.barrier"));
    }

    void add_launches(const analysis::Timeline& timeline, float y, std::uint32_t groups) {
        launches_ = timeline.launches.size();
        for (std::size_t i = 1; i < timeline.launches.size(); ++i) {
            const float x = x_of(timeline.launches[i].first);
            page_.scene.add(line({x, y - s(5)}, {x, y + lane(groups) - s(kToggleGap) + s(5)},
                                 {Role::barrier, 4}),
                            tr_("toggle.launch"));
        }
    }

    void add_arcs(const analysis::Timeline& timeline, float y, std::uint32_t groups) {
        std::size_t count = 0;
        for (const analysis::StaleArc& arc : timeline.stale) {
            if (!arc.write || ++count > kMostToggleArcs) continue;
            const std::uint32_t from = timeline.actions[*arc.write].group;
            const std::uint32_t to = timeline.actions[arc.read].group;
            if (from >= groups || to >= groups) continue;
            page_.scene.add(
                line({x_of(*arc.write) + per_action_ / 2, y + lane(from) + s(kToggleLane) / 2},
                     {x_of(arc.read) + per_action_ / 2, y + lane(to) + s(kToggleLane) / 2},
                     {Role::race, 2.5F, Dash::dotted}),
                tr_("toggle.stale", arg("cell", arc.cell), arg("took", arc.took),
                    arg("missed", arc.missed)));
        }
    }

    const Translations& tr_;
    Page page_;
    float left_ = 0, per_action_ = 1;
    std::size_t launches_ = 1;
};

}  // namespace

Scene toggle_figure(const std::vector<ToggledRun>& runs, const FigureOptions& options,
                    const Fonts& fonts, const Translations& tr) {
    return ToggleFigure(options, fonts, tr).make(runs);
}

constexpr float kSlideMargin = 28, kSlideHeading = 58, kSlideTitle = 24, kSlidePosition = 17;
constexpr float kSlideSentence = 20, kSlideLine = 27, kSlideInside = 13;  // of the box below
constexpr float kSlideRoom = kSlideWidth - 2 * kSlideMargin;
constexpr float kLargestPicture = 3;

static std::vector<std::string> slide_lines(const Slide& slide, const Fonts& fonts) {
    if (slide.sentence.empty()) return {};
    return lines_of(slide.sentence, kSlideRoom - 2 * kSlideInside, kSlideSentence, Face::bold,
                    fonts);
}

static void add_slide_words(Scene& scene, const Slide& slide, const Fonts& fonts, float box_top) {
    const float position = fonts.text_width(slide.position, kSlidePosition, Face::sans);
    scene.add(
        Text{kSlideMargin, 40,
             fonts.shortened(slide.title, kSlideRoom - position - 20, kSlideTitle, Face::bold),
             kSlideTitle, Face::bold});
    scene.add(Text{kSlideMargin + kSlideRoom, 40, slide.position, kSlidePosition, Face::sans,
                   Role::muted, Anchor::end});
    const std::vector<std::string> lines = slide_lines(slide, fonts);
    if (lines.empty()) return;
    scene.add(box(kSlideMargin, box_top, kSlideRoom, kSlideHeight - kSlideMargin / 2 - box_top,
                  slide.ground, {}, 6));
    for (std::size_t i = 0; i < lines.size(); ++i)
        scene.add(Text{kSlideMargin + kSlideInside,
                       box_top + kSlideInside + 18 + static_cast<float>(i) * kSlideLine, lines[i],
                       kSlideSentence, Face::bold});
}

std::vector<Scene> slides(std::span<const Slide> all, const Fonts& fonts) {
    std::size_t lines = 0;
    float wide = 1, high = 1;
    for (const Slide& slide : all) {
        lines = std::max(lines, slide_lines(slide, fonts).size());
        wide = std::max(wide, slide.picture.width);
        high = std::max(high, slide.picture.height);
    }
    const float sentences =
        lines == 0 ? 0 : static_cast<float>(lines) * kSlideLine + 2 * kSlideInside - 4;
    const float box_top = kSlideHeight - kSlideMargin / 2 - sentences;
    const float room = box_top - kSlideHeading - 8;
    const float scale = std::min({kSlideRoom / wide, room / high, kLargestPicture});
    const Point corner{kSlideMargin + (kSlideRoom - wide * scale) / 2,
                       kSlideHeading + (room - high * scale) / 3};
    std::vector<Scene> scenes;
    for (const Slide& slide : all) {
        Scene& scene = scenes.emplace_back();
        scene.width = kSlideWidth;
        scene.height = kSlideHeight;
        scene.title = slide.title;
        scene.description = slide.sentence;
        add_scene(scene, slide.picture, corner.x, corner.y, scale);
        add_slide_words(scene, slide, fonts, box_top);
    }
    return scenes;
}

}  // namespace lab::figures
