// lesson: what a teacher does with lessons outside the window: checks, worksheets, grades.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/file_watch.h"
#include "base/help.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "base/text.h"
#include "base/translations.h"
#include "catalogue/plan.h"
#include "cli/command.h"
#include "cli/report.h"
#include "figures/figure_page.h"
#include "figures/painters/save.h"
#include "figures/pass_figure.h"
#include "figures/pass_text.h"
#include "figures/scene.h"
#include "figures/text.h"
#include "lang/compile.h"
#include "lessons/glossary.h"
#include "lessons/grade.h"
#include "lessons/question.h"

namespace lab::cli {
namespace {

using figures::Face;
using figures::kSheetRoom;
using figures::Rect;
using figures::Role;
using figures::Scene;
using lessons::Kind;

// --- A lesson on paper: its words, figures and questions with room for answers, and the key.

// Sizes of text, in points.
inline constexpr float kSheetText = 10.3F, kSheetLine = 15, kSheetSmall = 8.6F;

struct SheetTools {
    const figures::Fonts& fonts;
    const Translations& tr;
    bool key;  // with the answers
};

// A block that grows downward, kSheetRoom wide.
class SheetBlock {
  public:
    explicit SheetBlock(const figures::Fonts& fonts) : fonts_(fonts) {}

    figures::Scene scene;
    float y = 0;

    float width(const std::string& text, float size, Face face) const {
        return fonts_.text_width(text, size, face);
    }
    // With its baseline at `baseline`; returns the x behind it.
    float text(float x, float baseline, const std::string& words, float size,
               Face face = Face::sans, Role role = Role::text) {
        scene.add(figures::Text{x, baseline, words, size, face, role, figures::Anchor::start});
        return x + width(words, size, face);
    }
    void centred(float x, float baseline, const std::string& words, float size, Face face,
                 Role role) {
        text(x - width(words, size, face) / 2, baseline, words, size, face, role);
    }
    // Broken into lines from `x` to `right`, at y, which it moves on.
    void paragraph(const std::vector<figures::StyledSpan>& spans, float x, float right = kSheetRoom,
                   float size = kSheetText, float leading = kSheetLine) {
        for (const figures::RichLine& line : figures::rich_lines(spans, right - x, size, fonts_)) {
            figures::add_line(scene, line, x, y + size, size, fonts_);
            y += leading;
        }
    }
    void rule(float x, float right, float at, Role role, float thickness = 0.7F) {
        if (right > x) scene.add(figures::line({x, at}, {right, at}, {role, thickness}));
    }
    Scene finish() {
        scene.width = kSheetRoom;
        scene.height = y;
        return std::move(scene);
    }

  private:
    const figures::Fonts& fonts_;
};

// Lines of a kernel, numbered as in the file.
struct Listing {
    std::string text;
    std::size_t first = 1, last = 0;  // lines
    std::vector<std::pair<std::uint32_t, std::uint32_t>> marked;
    std::set<std::uint64_t> answers;               // shown as right
    bool roomy = false;                            // to be written between
    std::set<std::uint32_t> left_out;              // lines that the toggles exclude
    std::map<std::uint32_t, std::string> remarks;  // behind a line
};

// The paragraph's words, on paper: links with their address.
std::vector<figures::StyledSpan> styled(const lessons::Paragraph& paragraph) {
    std::vector<figures::StyledSpan> spans;
    for (const lessons::Span& span : paragraph.spans) {
        figures::StyledSpan& added = spans.emplace_back();
        added.text = span.text;
        added.role = Role::text;
        added.tinted = span.code;
        added.face = span.code ? Face::mono : span.bold || span.italic ? Face::bold : Face::sans;
        if (!span.link.empty())
            spans.push_back({fmt::format(" ({})", span.link), Face::sans, Role::muted, false});
    }
    return spans;
}

// Without the sentences about the mouse, keys and buttons: there are none on paper.
lessons::Text for_paper(lessons::Text text, const Translations& tr) {
    const std::vector<std::string> signs = split(tr("sheet.screen_words"), ',');
    const auto is_of_screen = [&](const std::string& sentence) {
        return any_of(signs,
                      [&](const auto& sign) { return sentence.find(sign) != std::string::npos; });
    };
    for (lessons::Paragraph& paragraph : text) {
        const std::string words = plain_text(paragraph);
        std::vector<bool> kept(words.size(), true);
        for (std::size_t begin = 0; begin < words.size();) {
            std::size_t end = words.size();
            for (const char* mark : {". ", "? ", "! ", "。", "？", "！"})
                if (const std::size_t found = words.find(mark, begin); found != std::string::npos)
                    end = std::min(end, found + std::string_view(mark).size());
            if (is_of_screen(words.substr(begin, end - begin)))
                std::fill(kept.begin() + static_cast<std::ptrdiff_t>(begin),
                          kept.begin() + static_cast<std::ptrdiff_t>(end), false);
            begin = end;
        }
        std::size_t place = 0;
        for (lessons::Span& span : paragraph.spans) {
            std::string left;
            for (const char c : span.text)
                if (kept[place++]) left += c;
            span.text = std::move(left);
        }
        std::erase_if(paragraph.spans, [](const lessons::Span& span) { return span.text.empty(); });
    }
    std::erase_if(text, [](const lessons::Paragraph& p) { return p.spans.empty(); });
    return text;
}

void add_paragraphs(SheetBlock& block, const lessons::Text& text, float x) {
    for (const lessons::Paragraph& paragraph : text) {
        if (&paragraph != &text.front()) block.y += 4;
        float indent = 0;
        if (paragraph.kind != lessons::Paragraph::Kind::plain) {
            indent = 14;
            const std::string sign = paragraph.kind == lessons::Paragraph::Kind::bullet
                                         ? "•"
                                         : fmt::format("{}.", paragraph.number);
            block.text(x + 2, block.y + kSheetText, sign, kSheetText, Face::sans, Role::muted);
        }
        block.paragraph(styled(paragraph), x + indent);
    }
}

// At the foot of a page: the lessons' names, and which page it is.
void add_foot(Scene& page, const std::string& title, std::size_t number, std::size_t count,
              const SheetTools& tools) {
    constexpr float kBaseline = figures::kSheetHeight - 34;
    const auto add = [&](float x, const std::string& words, figures::Anchor anchor) {
        page.add(figures::Text{x, kBaseline, words, kSheetSmall, Face::sans, Role::muted, anchor});
    };
    const std::string name =
        tools.key ? fmt::format("{} · {}", title, tools.tr("sheet.key")) : title;
    add(figures::kSheetMargin,
        tools.fonts.shortened(name, kSheetRoom * 0.8F, kSheetSmall, Face::sans),
        figures::Anchor::start);
    add(figures::kSheetWidth - figures::kSheetMargin,
        tools.tr("sheet.page", fmt::arg("number", number), fmt::arg("count", count)),
        figures::Anchor::end);
}

// --- A kernel's lines on paper

std::vector<std::string> lines_in(const std::string& text) {
    std::vector<std::string> lines;
    for (const std::string_view line : text_lines(text)) {
        lines.emplace_back();
        for (const char c : line)
            lines.back().append(c == '\t' ? 4 : 1, c == '\t' ? ' ' : c);
    }
    return lines;
}

// All of it but its header, and without empty lines at its end.
Listing listing_of(const std::string& text) {
    Listing listing;
    listing.text = text;
    const std::string_view header = lessons::header_of(text);
    listing.first = 1 + static_cast<std::size_t>(std::count(header.begin(), header.end(), '\n'));
    const std::vector<std::string> lines = lines_in(text);
    listing.last = lines.size();
    const auto blank = [&](std::size_t line) { return trimmed(lines[line - 1]).empty(); };
    while (listing.last > listing.first && blank(listing.last))
        --listing.last;
    while (listing.first < listing.last && blank(listing.first))
        ++listing.first;
    return listing;
}

// Takes in what is left of a statement that begins or ends with it.
void to_whole_statements(Listing& listing) {
    constexpr std::size_t kMost = 4;  // lines that an excerpt gains; more stay out
    const std::vector<std::string> lines = lines_in(listing.text);
    const Listing whole = listing_of(listing.text);
    const auto ends_one = [&](std::size_t line) {
        std::string_view code = trimmed(lines[line - 1]);
        code = trimmed(code.substr(0, code.find("//")));
        return code.empty() || code.front() == '#' || code.ends_with("*/") ||
               std::string_view(";{}:").find(code.back()) != std::string_view::npos;
    };
    for (std::size_t more = 0; more < kMost && listing.last < whole.last && !ends_one(listing.last);
         ++more)
        ++listing.last;
    for (std::size_t more = 0;
         more < kMost && listing.first > whole.first && !ends_one(listing.first - 1); ++more)
        --listing.first;
}

// The same of what a page shows: where a line depends on a toggle, it says how that is set.
Listing listing_of(const lessons::Show& show, const lessons::Library& library) {
    Listing listing = listing_of(lessons::text_of(show, library));
    const catalogue::Kernel kernel = lessons::spec_of(show, library).kernel;
    if (kernel.by_form()) return listing;
    listing.left_out = lang::left_out_lines(text_of(kernel, show.shape));
    const auto toggles = toggle_settings(kernel, show.shape);
    const std::vector<std::string> lines = lines_in(listing.text);
    for (std::uint32_t line = 1; line <= lines.size(); ++line) {
        const std::string_view code = trimmed(lines[line - 1]);
        for (const auto& [name, value] : toggles)
            if (code.starts_with("#if") && code.find(name) != std::string_view::npos &&
                code.find("//") == std::string_view::npos)
                listing.remarks[line] = fmt::format("  // {} = {}", name, value);
    }
    return listing;
}

void add_listing(SheetBlock& block, const Listing& listing) {
    const std::vector<std::string> lines = lines_in(listing.text);
    const std::size_t last = std::min(listing.last, lines.size());
    constexpr float kNumbers = 26, kInside = 7;
    float size = 8.4F, widest = 0;
    for (std::size_t line = listing.first; line <= last; ++line)
        widest = std::max(widest, block.width(lines[line - 1], size, Face::mono));
    const float room = kSheetRoom - kNumbers - 2 * kInside;
    if (widest > room) size *= room / widest;
    const float leading = listing.roomy ? size * 2 : size * 1.42F;
    const float top = block.y;
    const float height = leading * static_cast<float>(last + 1 - listing.first) + 2 * kInside;
    block.scene.add(
        figures::box(0, top, kSheetRoom, height, Role::background, {Role::border, 0.6F}, 4));
    float y = top + kInside;
    for (std::size_t line = listing.first; line <= last; ++line, y += leading) {
        const bool answer = listing.answers.contains(line);
        const bool marked = any_of(listing.marked, [&](const auto& range) {
            return range.first <= line && line <= range.second;
        });
        if (answer || marked) {
            block.scene.add(figures::box(0.5F, y, kSheetRoom - 1, leading,
                                         answer ? Role::wrote_fill : Role::act_fill));
            block.scene.add(figures::box(0.5F, y, 2.4F, leading, answer ? Role::wrote : Role::act));
        }
        const float baseline = y + leading / 2 + size * 0.36F;
        const std::string number = fmt::format("{}", line);
        block.text(kInside + 14 - block.width(number, size * 0.86F, Face::mono), baseline, number,
                   size * 0.86F, Face::mono, answer ? Role::wrote : Role::muted);
        std::string code = lines[line - 1];
        if (const auto remark = listing.remarks.find(static_cast<std::uint32_t>(line));
            remark != listing.remarks.end())
            code += remark->second;
        const bool left_out = listing.left_out.contains(static_cast<std::uint32_t>(line));
        const auto comment = code.find("//");
        const float x = kInside + kNumbers;
        const float behind = block.text(x, baseline, code.substr(0, comment), size, Face::mono,
                                        left_out ? Role::idle : Role::text);
        if (left_out) {
            const auto blanks = std::min(code.find_first_not_of(' '), code.size());
            const float begin = x + block.width(code.substr(0, blanks), size, Face::mono);
            block.rule(begin, behind, y + leading / 2, Role::muted, 0.6F);
        }
        if (comment != std::string::npos)
            block.text(behind, baseline, code.substr(comment), size, Face::mono, Role::muted);
    }
    block.y = top + height;
}

// Lines of `text` that are not in `before`, by the longest sequence that both have.
std::set<std::uint64_t> changed_lines(const std::string& before, const std::string& text) {
    const auto lines = [](const std::string& all) {
        std::vector<std::string> result = lines_in(all);
        for (std::string& line : result)
            std::erase(line, ' ');
        return result;
    };
    const std::vector<std::string> a = lines(before), b = lines(text);
    std::vector<std::vector<std::size_t>> same(a.size() + 1,
                                               std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = a.size(); i-- > 0;)
        for (std::size_t k = b.size(); k-- > 0;)
            same[i][k] =
                a[i] == b[k] ? same[i + 1][k + 1] + 1 : std::max(same[i + 1][k], same[i][k + 1]);
    std::set<std::uint64_t> changed;
    std::size_t i = 0;
    for (std::size_t k = 0; k < b.size();) {
        if (i < a.size() && a[i] == b[k]) {
            ++i;
            ++k;
        } else if (i < a.size() && same[i + 1][k] >= same[i][k + 1]) {
            ++i;
        } else {
            changed.insert(++k);
        }
    }
    return changed;
}

// --- A question on paper: fields to write into, boxes to tick, work-items and cells to circle

constexpr float kPadding = 12, kField = 20;  // points
constexpr std::size_t kMostMarks = 256;      // cells or work-items on paper; the rest are left out

class QuestionBlock {
  public:
    QuestionBlock(const lessons::Page& page, const lessons::Question& question, lessons::Runs& runs,
                  const SheetTools& tools)
        : page_(page), question_(question), runs_(runs), tools_(tools), block_(tools.fonts) {}

    figures::Scene make() {
        block_.y = kPadding;
        add_task();
        add_answer();
        add_reasons();
        block_.y += kPadding - 2;
        figures::Scene scene = block_.finish();
        scene.add(figures::box(0, 0, scene.width, scene.height, Role::none, {Role::act, 0.9F}, 6));
        return scene;
    }

  private:
    void add_answer() {
        using lessons::Picked;
        const Kind kind = question_.kind;
        if (kind == Kind::schedule) return add_schedule();
        if (kind == Kind::edit) return add_edit();
        if (question_.picked == Picked::order) return add_order();
        if (kind == Kind::measure) return add_measure();
        if (kind == Kind::reflect) {
            if (!key()) add_blank_lines();
            return;
        }
        if (kind == Kind::results) return add_results();
        if (kind == Kind::cells) return add_cells();
        if (!question_.fields.empty()) return add_numbers();
        if (question_.picked == Picked::line) return add_line();
        if (question_.picked == Picked::cells) return add_picks();
        if (question_.picked == Picked::items) return add_items();
        add_options();
    }

    bool key() const { return tools_.key; }

    void small_line(const std::string& words, Face face, Role role) {
        block_.paragraph({{words, face, role, false}}, kPadding, kSheetRoom - kPadding, 9.2F, 13);
    }

    // What to do with the pencil.
    void add_task() {
        std::string which = lessons::name_of(question_.kind);
        if (!page_.ask->lines.empty() && question_.kind == Kind::edit) which = "arrange";
        if (question_.kind == Kind::choose) which = question_.several ? "choose_several" : "choose";
        if (question_.kind == Kind::measure)
            which = page_.ask->predict == lessons::Predict::ratio   ? "measure_ratio"
                    : page_.ask->predict == lessons::Predict::order ? "measure_order"
                                                                    : "measure_share";
        std::string words = tools_.tr("sheet.task." + which);
        if (question_.kind == Kind::cells || question_.picked == lessons::Picked::cells ||
            question_.picked == lessons::Picked::items)
            words += " " + tools_.tr(question_.row == 0 ? "sheet.row_start" : "sheet.row",
                                     fmt::arg("n", question_.row));
        small_line(words, Face::bold, Role::act);
        block_.y += 5;
    }

    void write(float x, float baseline, const std::string& text, float room) {
        if (!key()) return;
        const float width = std::max(1.0F, block_.width(text, kSheetText, Face::bold));
        const float size = std::min(kSheetText, kSheetText * room / width);
        block_.centred(x, baseline, text, size, Face::bold, Role::wrote);
    }

    // Marks in rows, `per_group` of them side by side with a gap after; `draw` gets the middle.
    void add_row(std::size_t count, std::size_t per_group, float pitch, float height,
                 const std::function<void(std::size_t, float, float)>& draw, bool captions) {
        const float left = kPadding + 4, right = kSheetRoom - kPadding;
        const float gap = pitch * 0.5F;
        float x = left;
        float y = block_.y + (captions ? 12 : 0);
        for (std::size_t i = 0; i < count; ++i) {
            const bool begins = per_group > 0 && i % per_group == 0;
            if (begins && i > 0) x += gap;
            const float wanted =
                begins ? pitch * static_cast<float>(std::min(per_group, count - i)) : pitch;
            if (x > left && x + std::min(wanted, right - left) > right + 0.1F) {
                x = left;
                y += height + (captions ? 14 : 4);
            }
            if (begins && captions)
                block_.text(x, y - 3, tools_.tr("figure.group", fmt::arg("n", i / per_group)), 7.6F,
                            Face::bold, Role::muted);
            draw(i, x + pitch / 2, y + height / 2);
            x += pitch;
        }
        block_.y = y + height + 2;
    }

    const analysis::Row& row() { return runs_.facts(page_.show).row(question_.row); }
    // Whether the student sees that row anyway.
    bool given(std::size_t row) {
        return row <= lessons::row_of(page_.show.at, runs_.facts(page_.show));
    }
    std::size_t cells_per_group(const analysis::Row& row) const {
        return row.local_memory ? row.group_cells : 0;
    }

    Rect box_at(float x, float y, float width, float height, Role fill = Role::panel) const {
        return figures::box(x - width / 2, y - height / 2, width, height, fill, {Role::muted, 0.8F},
                            3);
    }

    void add_cells() {
        const analysis::Row cells = row();
        std::map<std::uint64_t, const lessons::Field*> asked;
        for (const lessons::Field& field : question_.fields)
            if (field.cell) asked[*field.cell] = &field;
        std::vector<std::uint64_t> shown;
        for (std::uint64_t i = 0; i < cells.cells.size(); ++i)
            if (cells.cells.size() <= 24 || asked.contains(i)) shown.push_back(i);
        const bool all = shown.size() == cells.cells.size();
        float widest = 30;
        for (const auto& [cell, field] : asked)
            widest = std::max(widest, block_.width(field->expected, kSheetText, Face::bold) + 10);
        add_row(
            shown.size(), all ? cells_per_group(cells) : 0, std::min(widest + 8, 90.0F), 34,
            [&](std::size_t i, float x, float y) {
                const auto found = asked.find(shown[i]);
                const bool wanted = found != asked.end();
                Rect field =
                    box_at(x, y + 5, widest, kField + 2, wanted ? Role::panel : Role::idle_fill);
                if (!wanted) field.stroke = {};
                block_.scene.add(field);
                block_.centred(x, y - 9, fmt::format("{}", shown[i]), 7.4F, Face::sans,
                               Role::muted);
                if (wanted) write(x, y + 8.6F, found->second->expected, widest - 4);
            },
            all && cells_per_group(cells) > 0);
    }

    void add_picks() {
        const analysis::Row cells = row();
        const bool values = given(question_.row);
        const std::size_t count = std::min(cells.cells.size(), kMostMarks);
        float widest = 26;
        for (std::size_t i = 0; i < count && values; ++i)
            widest = std::max(widest,
                              block_.width(text_of(cells.cells[i].value), 9.4F, Face::mono) + 10);
        add_row(
            count, cells_per_group(cells), widest + 8, 34,
            [&](std::size_t i, float x, float y) {
                const bool right = key() && question_.picks.contains(i);
                block_.scene.add(box_at(x, y + 5, widest, kField, Role::panel));
                block_.centred(x, y - 8.5F, fmt::format("{}", i), 7.4F, Face::sans, Role::muted);
                if (values)
                    block_.centred(x, y + 8.4F, text_of(cells.cells[i].value), 9.4F, Face::mono,
                                   Role::text);
                if (right) circle(x, y + 5, widest / 2 + 3, kField / 2 + 3);
            },
            cells_per_group(cells) > 0);
    }

    void add_items() {
        const analysis::Row pass = row();
        const std::size_t count = std::min<std::size_t>(pass.global, kMostMarks);
        add_row(
            count, pass.local, 27, 26,
            [&](std::size_t i, float x, float y) {
                const bool right = key() && question_.picks.contains(i);
                Rect item = box_at(x, y, 18, 18, right ? Role::wrote_fill : Role::panel);
                item.radius = 9;
                block_.scene.add(item);
                block_.centred(x, y + 3.1F, fmt::format("{}", i), 8.6F,
                               right ? Face::bold : Face::sans, right ? Role::wrote : Role::text);
                if (right) circle(x, y, 12.2F, 12.2F);
            },
            pass.local > 0 && pass.global > pass.local);
    }

    void circle(float x, float y, float across, float down) {
        block_.scene.add(figures::box(x - across, y - down, 2 * across, 2 * down, Role::none,
                                      {Role::wrote, 1.8F}, std::min(across, down)));
    }

    // Words with a field behind them.
    void add_field(const lessons::Paragraph* label, const std::string& expected,
                   const std::string& unit) {
        const float wide = 84, behind = unit.empty() ? 0 : block_.width(unit, 9, Face::sans) + 8;
        const float field = label != nullptr ? kSheetRoom - kPadding - behind - wide : kPadding;
        const float top = block_.y;
        if (label != nullptr) {
            block_.y += 4;
            block_.paragraph(styled(*label), kPadding, field - 12);
        }
        block_.scene.add(box_at(field + wide / 2, top + kField / 2 + 1, wide, kField));
        write(field + wide / 2, top + kField / 2 + 4.6F, expected, wide - 6);
        if (!unit.empty())
            block_.text(field + wide + 6, top + kField / 2 + 4.4F, unit, 9, Face::sans,
                        Role::muted);
        block_.y = std::max(block_.y, top + kField + 6);
    }

    void add_numbers() {
        const lessons::Text labels = filled(page_.labels);
        const std::string& unit = page_.ask->unit;
        for (const lessons::Field& field : question_.fields)
            add_field(field.label ? &labels[*field.label] : nullptr, field.expected,
                      tools_.tr.get("learn.unit." + unit, unit));
    }

    void tick_box(float x, float y, bool single, bool right) {
        Rect box = box_at(x, y, 11, 11);
        box.radius = single ? 5.5F : 2;
        block_.scene.add(box);
        if (!key() || !right) return;
        figures::Path tick;
        tick.points = {{x - 4, y - 0.5F}, {x - 1, y + 3}, {x + 6, y - 6}};
        tick.stroke = {Role::wrote, 2.2F, figures::Dash::solid};
        block_.scene.add(tick);
    }

    static std::vector<figures::StyledSpan> plain_words(const std::string& words) {
        return {{words, Face::sans, Role::text, false}};
    }

    // A box to tick, and the words behind it.
    void add_choice(const std::vector<figures::StyledSpan>& words, bool single, bool right,
                    float below = 4) {
        tick_box(kPadding + 6, block_.y + 7, single, right);
        block_.paragraph(words, kPadding + 20, kSheetRoom - kPadding);
        block_.y += below;
    }

    void add_options() {
        const lessons::Text labels = filled(page_.labels);
        for (const lessons::Option& option : question_.options) {
            add_choice(option.label ? styled(labels[*option.label]) : plain_words(option.text),
                       !question_.several, option.right);
        }
    }

    // Boxes to tick; the key names what stands behind a wrong reason.
    void add_reasons() {
        if (page_.reasons.empty()) return;
        block_.y += 6;
        small_line(tools_.tr("learn.because"), Face::bold, Role::act);
        block_.y += 3;
        for (const lessons::Reason& reason : page_.reasons) {
            std::vector<figures::StyledSpan> words = styled(filled(reason.words).front());
            if (key() && !reason.right())
                words.push_back(
                    {fmt::format(" ({})", reason.name), Face::sans, Role::muted, false});
            add_choice(words, true, reason.right());
        }
    }

    void add_results() {
        float widest = 0;
        for (const lessons::Option& option : question_.options)
            widest = std::max(widest, block_.width(option.text, kSheetText, Face::mono));
        add_row(
            question_.options.size(), 0, widest + 36, 20,
            [&](std::size_t i, float x, float y) {
                const lessons::Option& option = question_.options[i];
                const float left = x - (widest + 36) / 2;
                tick_box(left + 6, y, false, option.right);
                block_.text(left + 17, y + 3.6F, option.text, kSheetText, Face::mono);
            },
            false);
    }

    void add_kernel(Listing listing) {
        block_.y += 2;
        SheetBlock inside(tools_.fonts);
        add_listing(inside, listing);
        constexpr float kScale = (kSheetRoom - 2 * kPadding) / kSheetRoom;
        figures::add_scene(block_.scene, inside.scene, kPadding, block_.y, kScale);
        block_.y += inside.y * kScale + 2;
    }

    void add_line() {
        Listing listing = listing_of(page_.show, runs_.library());
        listing.marked = page_.show.lines;
        if (key()) listing.answers = question_.picks;
        add_kernel(std::move(listing));
    }

    void add_blank_lines() {
        for (int i = 0; i < 3; ++i) {
            block_.y += 20;
            block_.rule(kPadding, kSheetRoom - kPadding, block_.y, Role::idle, 0.5F);
        }
        block_.y += 4;
    }

    void add_schedule() {
        if (!key()) return add_blank_lines();
        const lessons::Answer answer = lessons::right_answer(page_, question_, runs_);
        const std::string turns = answer.texts.empty() ? "–" : answer.texts.front();
        block_.paragraph({{turns, Face::mono, Role::wrote, false}}, kPadding,
                         kSheetRoom - kPadding);
    }

    std::string kernel_text(const std::string& file) {
        lessons::Show show = page_.show;
        lessons::set_key(show, "kernel", file);
        return lessons::text_of(show, runs_.library());
    }

    void add_goals() {
        small_line(tools_.tr("learn.goals"), Face::bold, Role::text);
        for (const lessons::Goal& goal : page_.ask->goals)
            add_choice(plain_words(text_of(goal, tools_.tr)), false, true, 2);
        if (page_.ask->only_barriers)
            small_line(tools_.tr("learn.wrong.only_barriers"), Face::sans, Role::muted);
        block_.y += 4;
    }

    void add_edit() {
        add_goals();
        if (question_.picked == lessons::Picked::order) {
            add_kernel(listing_of(arranged(page_, question_, {}, runs_.library())));
            return add_order();
        }
        const std::string start = kernel_text(page_.ask->start);
        Listing listing = listing_of(key() ? kernel_text(page_.ask->solution) : start);
        listing.roomy = !key();
        if (key())
            listing.answers = changed_lines(start, listing.text);
        else
            listing.marked = page_.show.lines;
        add_kernel(std::move(listing));
    }

    // A field behind each, for its number.
    void add_order() {
        for (std::uint64_t i = 0; i < question_.options.size(); ++i) {
            lessons::Paragraph words;
            words.spans.push_back({question_.options[i].text, false, false, true, ""});
            const std::size_t place = position_of(question_.order, i);
            add_field(&words, place == question_.order.size() ? "" : fmt::format("{}", place + 1),
                      "");
        }
    }

    void add_measure() {
        if (page_.ask->predict == lessons::Predict::ratio) {
            add_field(nullptr, "", "×");
        } else {
            for (const lessons::Option& option : question_.options) {
                // The key of a translation: without one its last word will do.
                std::string word = option.text.substr(option.text.rfind('.') + 1);
                std::replace(word.begin(), word.end(), '_', ' ');
                add_choice(plain_words(tools_.tr.get(option.text, word)), true, false);
            }
        }
        if (key()) small_line(tools_.tr("sheet.by_device"), Face::sans, Role::wrote);
    }

    lessons::Text filled(const lessons::Text& text) {
        return lessons::filled(text, {page_.show, runs_, &question_, nullptr, nullptr});
    }

    const lessons::Page& page_;
    const lessons::Question& question_;
    lessons::Runs& runs_;
    const SheetTools& tools_;
    SheetBlock block_;
};

// --- The pages of a lesson
using figures::WithNext;

constexpr float kFigureScale = 0.66F;  // of the window's sizes
constexpr float kLeastFigure = 0.8F;   // of that, to stand on the page that is begun
constexpr std::uint32_t kAround = 1;   // lines of an excerpt around those that are marked

class LessonSheets {
  public:
    LessonSheets(figures::Sheets& sheets, const lessons::Lesson& lesson,
                 const catalogue::Catalogue& catalogue, const SheetTools& tools)
        : sheets_(sheets), lesson_(lesson), runs_({catalogue, lesson.folder}), tools_(tools) {}

    void add() {
        sheets_.begin_page();
        add_title();
        std::size_t number = 0;
        for (const lessons::Page& page : lesson_.pages)
            add_page(page, ++number);
    }

  private:
    void add_title() {
        SheetBlock title(tools_.fonts);
        const Translations& tr = tools_.tr;
        if (tools_.key)
            title.text(kSheetRoom - title.width(tr("sheet.key"), 13, Face::bold), 17,
                       tr("sheet.key"), 13, Face::bold, Role::wrote);
        title.y = 2;
        title.paragraph({{lesson_.title, Face::bold, Role::text, false}}, 0, kSheetRoom - 90, 21,
                        26);
        if (!tools_.key) {
            title.y += 18;
            const float middle = kSheetRoom * 0.64F;
            const float name =
                title.text(0, title.y, tr("sheet.name"), kSheetSmall, Face::sans, Role::muted);
            title.rule(name + 6, middle - 20, title.y + 1, Role::idle);
            const float date =
                title.text(middle, title.y, tr("sheet.date"), kSheetSmall, Face::sans, Role::muted);
            title.rule(date + 6, kSheetRoom, title.y + 1, Role::idle);
            title.y += 4;
        }
        sheets_.add(title.finish(), 0, WithNext::always);
    }

    // `of`: the run that the text speaks of.
    lessons::Text filled(const lessons::Text& text, const lessons::Page& page,
                         const lessons::Question& question, const lessons::Show& of) {
        // The key shows a schedule that will do as if it were the student's.
        lessons::Answer given;
        if (tools_.key && question.kind == lessons::Kind::schedule && page.ask)
            given = lessons::right_answer(page, question, runs_);
        return lessons::filled(text, {of, runs_, &question, &given, nullptr});
    }

    void add_page(const lessons::Page& page, std::size_t number) {
        const lessons::Question question = lessons::question_of(page, runs_);
        SheetBlock heading(tools_.fonts);
        heading.rule(0, kSheetRoom, 0, Role::border);
        heading.y = 11;
        const std::string count = fmt::format("{}", number);
        heading.text(0, heading.y + 14, count, 15, Face::bold, Role::act);
        const float x = std::max(24.0F, heading.width(count, 15, Face::bold) + 10);
        heading.paragraph({{page.title, Face::bold, Role::text, false}}, x, kSheetRoom, 15, 19);
        sheets_.add(heading.finish(), 20, WithNext::always);

        for (const lessons::Paragraph& paragraph :
             for_paper(filled(page.words, page, question, page.show), tools_.tr)) {
            SheetBlock words(tools_.fonts);
            add_paragraphs(words, {paragraph}, 0);
            const bool list = paragraph.kind != lessons::Paragraph::Kind::plain;
            sheets_.add(words.finish(), list ? 2 : 6, WithNext::rather);
        }
        if (!page.show.lines.empty() && !asks_in_text(page))
            add_code(excerpt(page));
        else if (is_new_kernel(page))
            add_code(listing_of(page.show, runs_.library()));
        Scene asked;
        if (page.ask) asked = QuestionBlock(page, question, runs_, tools_).make();
        add_figure(page);
        const lessons::Text why = tools_.key ? without_device(page) : lessons::Text();
        const bool explains = !why.empty();
        if (page.ask) sheets_.add(std::move(asked), 10, explains ? WithNext::rather : WithNext::no);
        if (explains) {
            SheetBlock after(tools_.fonts);
            lessons::Show answered = page.show;
            if (page.ask && page.ask->kind == lessons::Kind::edit)
                answered =
                    lessons::answered_show(page, lessons::right_answer(page, question, runs_));
            add_paragraphs(after, for_paper(filled(why, page, question, answered), tools_.tr), 12);
            after.scene.add(figures::box(0, 2, 3, after.y - 2, Role::wrote, {}, 1.5F));
            sheets_.add(after.finish(), 8);
        }
    }

    // The whole kernel is in its question.
    static bool asks_in_text(const lessons::Page& page) {
        return page.ask && (page.ask->kind == Kind::line || page.ask->kind == Kind::edit);
    }

    // The words stand below it in the window, and refer to it: once in a lesson it is whole on
    // paper.
    bool is_new_kernel(const lessons::Page& page) {
        constexpr std::size_t kMostLines = 45;  // of a kernel; a longer one is not printed whole
        const bool first = kernels_.insert(page.show.variant).second;
        if (!first || lessons::view_of(page) == lessons::PageView::chart || asks_in_text(page))
            return false;
        const Listing listing = listing_of(page.show, runs_.library());
        return listing.last - listing.first < kMostLines;
    }

    void add_code(const Listing& listing) {
        SheetBlock code(tools_.fonts);
        add_listing(code, listing);
        sheets_.add(code.finish(), 9, WithNext::rather);
    }

    // What a device gave is on no sheet.
    static lessons::Text without_device(const lessons::Page& page) {
        lessons::Text text = page.after;
        std::erase_if(text, [](const lessons::Paragraph& paragraph) {
            const std::string words = plain_text(paragraph);
            return words.find("{device}") != std::string::npos ||
                   words.find("{measured}") != std::string::npos;
        });
        return text;
    }

    Listing excerpt(const lessons::Page& page) {
        Listing listing = listing_of(page.show, runs_.library());
        std::uint32_t first = page.show.lines.front().first, last = 0;
        for (const auto& [begin, end] : page.show.lines) {
            first = std::min(first, begin);
            last = std::max(last, end);
        }
        listing.marked = page.show.lines;
        listing.first = std::max<std::size_t>(listing.first, first - std::min(first - 1, kAround));
        listing.last = std::min<std::size_t>(listing.last, last + kAround);
        to_whole_statements(listing);
        return listing;
    }

    // The run as far as one stands in it.
    void add_figure(const lessons::Page& page) {
        analysis::StepTable table;
        std::size_t shown = 0;
        try {
            lessons::Facts& facts = runs_.facts(page.show);
            shown = lessons::row_of(page.show.at, facts);
            // Of a long run rows are left out: it ends with the last that there is.
            table = facts.table();
            shown = std::min(shown, table.rows.size() - 1);
        } catch (const Problem&) {
            return;  // too large to be drawn
        }
        if (table.rows.front().cells.empty()) return;
        figures::PassFigureOptions options;
        if (shown + 1 < table.rows.size()) options.shown = shown + 1;
        options.width = options.most_width = kSheetRoom / kFigureScale;
        options.legend = shown > 0 && !explained_;  // once is enough
        explained_ = explained_ || options.legend;
        Scene figure = figures::cropped(
            figures::pass_figure(table, options, tools_.fonts, tools_.tr), tools_.fonts);
        Scene placed;
        figures::add_scene(placed, figure, 0, 0, kFigureScale);
        placed.width = figure.width * kFigureScale;
        placed.height = figure.height * kFigureScale;
        add_settings(placed, page, runs_.facts(page.show).table());
        // A question stands where its figure is seen.
        sheets_.add(std::move(placed), 12, page.ask ? WithNext::always : WithNext::no,
                    kLeastFigure);
    }

    // Below the figure, what a student needs to run the same. Who acts when is not told where that
    // is asked.
    void add_settings(Scene& placed, const lessons::Page& page, const analysis::StepTable& table) {
        const bool asked = page.ask && page.ask->kind == lessons::Kind::schedule;
        SheetBlock line(tools_.fonts);
        const std::string words =
            asked ? figures::settings_text(table, tools_.tr) : figures::subtitle(table, tools_.tr);
        line.paragraph({{words, Face::sans, Role::muted, false}}, 0, kSheetRoom, kSheetSmall, 12);
        const Scene below = line.finish();
        figures::add_scene(placed, below, 0, placed.height + 3, 1);
        placed.height += below.height + 3;
        placed.width = std::max(placed.width, kSheetRoom);
    }

    figures::Sheets& sheets_;
    const lessons::Lesson& lesson_;
    lessons::Runs runs_;
    const SheetTools& tools_;
    bool explained_ = false;
    std::set<std::string> kernels_;  // that the sheet has shown
};

// --- The command

// Of lessons, or of a glossary.
std::vector<std::filesystem::path> folders_of(const std::vector<std::string>& names) {
    std::vector<std::filesystem::path> folders;
    for (const std::string& name : names) {
        std::filesystem::path path = name;
        if (path.filename().empty()) path = path.parent_path();  // "lessons/"
        path = std::filesystem::absolute(path);
        if (lessons::is_glossary_folder(path)) {
            folders.push_back(path);
            continue;
        }
        const std::vector<std::filesystem::path> found = lessons::lesson_folders(path);
        if (found.empty())
            throw Problem(fmt::format("There is no lesson in {}", name),
                          "A lesson is a folder with a file lesson.md, a glossary one with "
                          "glossary.md",
                          "Name such a folder", name);
        folders.insert(folders.end(), found.begin(), found.end());
    }
    return folders;
}

std::string text_of(const lessons::CheckedLesson& lesson) {
    std::string text =
        fmt::format("{}: {} ({}), {}\n", lesson.id, lesson.title, fmt::join(lesson.languages, ", "),
                    counted_text(lesson.pages.size(), "page"));
    std::size_t number = 0;
    for (const lessons::CheckedPage& page : lesson.pages) {
        text += fmt::format("  {:>2}  {:<9} {}{}{}\n", ++number, page.kind, page.title,
                            page.answer.empty() ? "" : " = ", page.answer);
        if (!page.reasons.empty())
            text += fmt::format("      because   {}\n", fmt::join(page.reasons, ", "));
        for (const std::string& mistake : page.mistakes)
            text += fmt::format("      wrong     {}\n", mistake);
        if (page.draws > 0)
            text += fmt::format("      varies    {} in {} draws\n",
                                counted_text(page.draws, "answer"), lessons::kCheckedDraws);
    }
    return text;
}

std::string text_of(const lessons::CheckedGlossary& glossary) {
    std::string text = fmt::format("glossary ({}), {} words\n", fmt::join(glossary.languages, ", "),
                                   glossary.words.size());
    for (const lessons::CheckedWord& word : glossary.words)
        text += fmt::format("  {:<22} {:<9} {:>3}  {}  {}\n", word.title, word.picture,
                            word.moments, word.kernel, fmt::join(word.holds, "; "));
    return text;
}

struct LessonCheck {
    std::vector<std::string> folders;
    bool json = false, watch = false;
};

Exit check_lessons(const LessonCheck& options) {
    const catalogue::Catalogue all = catalogue();
    std::size_t problems = 0;
    nlohmann::json out = nlohmann::json::array(), glossaries = nlohmann::json::array();
    const auto tell = [&](const auto& checked, nlohmann::json& to) {
        problems += checked.problems.size();
        if (options.json) return to.push_back(checked);
        std::cout << text_of(checked) << std::flush;
        for (const Problem& problem : checked.problems)
            warn(problem);
    };
    for (const std::filesystem::path& folder : folders_of(options.folders)) {
        if (lessons::is_glossary_folder(folder))
            tell(lessons::check_glossary(folder, all), glossaries);
        else
            tell(lessons::check_lesson(folder, all), out);
    }
    nlohmann::json printed{{"schema", 1}, {"lessons", std::move(out)}};
    if (!glossaries.empty()) printed["glossaries"] = std::move(glossaries);
    if (options.json) print_json(printed);
    return problems == 0 ? Exit::done : Exit::found;
}

// Again at every save of what is in a folder, until somebody stops it.
[[noreturn]] void watch_lessons(const LessonCheck& options) {
    std::vector<std::pair<LessonCheck, std::unique_ptr<FileWatch>>> watched;
    for (const std::filesystem::path& folder : folders_of(options.folders))
        watched.emplace_back(LessonCheck{{folder.string()}},
                             std::make_unique<FileWatch>(folder, nullptr));
    (void)check_lessons(options);
    while (true) {
        for (auto& [one, watch] : watched)
            if (watch->changed()) (void)check_lessons(one);
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
}

struct LessonPrint {
    std::vector<std::string> folders;
    std::string file, language = "en", terms = kApis[0];
    bool key = false;
    std::uint64_t variants = 0;  // 0: the lessons as they are written
};

// The lessons with the numbers of this variant, from 1.
std::vector<lessons::Lesson> drawn(std::vector<lessons::Lesson> lessons, std::uint64_t variant,
                                   const catalogue::Catalogue& all) {
    for (lessons::Lesson& lesson : lessons) {
        lessons::Runs runs({all, lesson.folder});
        for (lessons::Page& page : lesson.pages)
            page = lessons::drawn(page, variant, runs);
    }
    return lessons;
}

// `variant`: for the heading; 0: the lessons are as they are written.
void print_sheet(const std::vector<lessons::Lesson>& lessons, std::uint64_t variant,
                 const catalogue::Catalogue& all, const std::string& file,
                 const SheetTools& tools) {
    figures::Sheets sheets;
    std::string title;
    for (const lessons::Lesson& lesson : lessons) {
        LessonSheets(sheets, lesson, all, tools).add();
        title += (title.empty() ? "" : ", ") + lesson.title;
    }
    if (variant > 0) title += fmt::format(" · {}", variant);
    std::vector<figures::Scene> pages =
        sheets.finish([&](figures::Scene& page, std::size_t number, std::size_t count) {
            add_foot(page, title, number, count, tools);
        });
    pages.front().title = title;
    write_file(file, figures::pdf(pages, figures::load_palette("light"), tools.fonts));
    std::cerr << fmt::format("wrote {}, {} pages\n", file, pages.size());
}

Exit print_lessons(const LessonPrint& options) {
    if (suffix_of(options.file) != ".pdf")
        throw Problem(fmt::format("'{}' is no sheet that can be written", options.file),
                      "A worksheet has several pages", "End the name in .pdf", options.file);
    const catalogue::Catalogue all = catalogue();
    const figures::Fonts fonts;
    const Translations tr(options.language, options.terms == kApis[0] ? Api::opencl : Api::cuda);
    std::vector<lessons::Lesson> lessons;
    for (const std::filesystem::path& folder : folders_of(options.folders)) {
        lessons::ReadLesson read = lessons::read_lesson(folder, options.language, all, tr.api());
        // A sheet with a mistake in it is not handed out.
        if (!read.problems.empty())
            throw read.problems.front().at(
                fmt::format("{}/{}", folder.filename().string(), read.problems.front().where));
        lessons.push_back(std::move(*read.lesson));
    }
    if (options.variants == 0)
        print_sheet(lessons, 0, all, options.file, {fonts, tr, options.key});
    else if (none_of(lessons, [](const lessons::Lesson& lesson) {
                 return any_of(lesson.pages, [](const auto& page) { return !page.vary.empty(); });
             }))
        throw Problem("All variants would be alike", "No page has numbers that vary",
                      "Add a line to a 'show' block: vary: input=1..9", options.file);
    const std::string stem = options.file.substr(0, options.file.size() - 4);
    std::vector<std::vector<lessons::Show>> different;
    for (std::uint64_t variant = 1; variant <= options.variants; ++variant) {
        const std::vector<lessons::Lesson> sheet = drawn(lessons, variant, all);
        std::vector<lessons::Show> shows;
        for (const lessons::Lesson& lesson : sheet)
            for (const lessons::Page& page : lesson.pages)
                shows.push_back(page.show);
        if (!contains(different, shows)) different.push_back(std::move(shows));
        for (const bool key : {false, true})
            print_sheet(sheet, variant, all,
                        fmt::format("{}-{}{}.pdf", stem, variant, key ? "-key" : ""),
                        {fonts, tr, key});
    }
    if (different.size() < options.variants)
        warn({fmt::format("Only {} of the {} sheets differ", different.size(), options.variants),
              "The pages that vary have no more draws: sheets with the same numbers come again",
              "Give 'vary' more values, or print fewer", options.file});
    return Exit::done;
}

struct LessonGrade {
    std::vector<std::string> answers;
    std::string folder, file;
};

Exit grade_answers(const LessonGrade& options) {
    const std::string suffix = suffix_of(options.file);
    if (!options.file.empty() && suffix != ".csv" && suffix != ".json")
        throw Problem(fmt::format("'{}' is no table that can be written", options.file), "",
                      "End the name in .csv, or in .json for Gradescope", options.file);
    const catalogue::Catalogue all = catalogue();
    const std::string from =
        options.folder.empty() ? (data_folder() / "assets" / "lessons").string() : options.folder;
    lessons::ClassGrade graded =
        lessons::grade({options.answers.begin(), options.answers.end()}, folders_of({from}), all);
    std::cout << lessons::text_of(graded) << std::flush;
    for (const auto* problems : {&graded.problems, &graded.doubts})
        for (const Problem& problem : *problems)
            warn(problem);
    if (!options.file.empty()) {
        write_file(options.file, suffix == ".csv" ? lessons::csv_of(graded)
                                                  : lessons::gradescope_of(graded).dump(2) + "\n");
        std::cerr << fmt::format("wrote {}\n", options.file);
    }
    return graded.problems.empty() ? Exit::done : Exit::usage;
}

}  // namespace

Action lesson_command(CLI::App& app) {
    app.require_subcommand(1);
    auto action = make<Action>();
    const auto checked = make<LessonCheck>();
    CLI::App& check_app = *app.add_subcommand(
        "check", "See that every page can be shown and solved, and print its answer");
    check_app
        .add_option("FOLDER", checked->folders,
                    "Folders of lessons or a glossary, or one with such folders")
        ->required();
    add_json(check_app, checked->json);
    check_app.add_flag("--watch", checked->watch, "Check again at every save, until it is stopped")
        ->excludes("--json");
    check_app.callback([action, checked] {
        *action = [checked] {
            if (checked->watch) watch_lessons(*checked);
            return check_lessons(*checked);
        };
    });

    const auto printed = make<LessonPrint>();
    CLI::App& print_app = *app.add_subcommand(
        "print", "Make a worksheet of a lesson, with figures and blanks, or the key to it");
    print_app
        .add_option("FOLDER", printed->folders, "Folders of lessons, or one with such folders")
        ->required();
    print_app.add_option("-o,--output", printed->file, "Write to this file: pdf")
        ->required()
        ->type_name("FILE");
    CLI::Option* const key =
        print_app.add_flag("--key", printed->key, "With the answers, and why they are right");
    print_app
        .add_option("--variants", printed->variants,
                    "So many sheets with different numbers, and the key to each: FILE-1.pdf, "
                    "FILE-1-key.pdf and so on")
        ->check(CLI::Range(1, 1000))
        ->type_name("N")
        ->excludes(key);
    manual::add_choice(print_app, "--language", printed->language, kLanguages,
                       "Language of the words")
        ->capture_default_str();
    manual::add_choice(print_app, "--terms", printed->terms, kApis, "Whose terms the words are in")
        ->capture_default_str();
    print_app.callback(
        [action, printed] { *action = [printed] { return print_lessons(*printed); }; });

    const auto graded = make<LessonGrade>();
    CLI::App& grade_app = *app.add_subcommand(
        "grade", "Check what students handed in, and say what was mostly wrong");
    grade_app.add_option("ANSWERS", graded->answers, "Files that students handed in")->required();
    grade_app.add_option("--lessons", graded->folder, "Folder of the lessons [those that ship]")
        ->type_name("FOLDER");
    grade_app
        .add_option("-o,--output", graded->file,
                    "Write the table to this file: csv, or one student's as json for Gradescope")
        ->type_name("FILE");
    grade_app.callback([action, graded] { *action = [graded] { return grade_answers(*graded); }; });
    return [action] { return (*action)(); };
}

}  // namespace lab::cli
