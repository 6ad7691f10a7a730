#include "cli/lessons/worksheet.h"

#include <fmt/format.h>

#include <algorithm>

#include "catalogue/header.h"
#include "figures/figures/pass_figure.h"
#include "figures/parts/run_text/pass_text.h"
#include "lessons/answers/page_view.h"
#include "lessons/grading/check.h"

namespace lab::cli {
namespace {

using figures::Face;
using figures::kSheetRoom;
using figures::Role;
using figures::Scene;
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
    SheetBlock block() const { return SheetBlock(tools_.fonts); }

    void add_title() {
        SheetBlock title = block();
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

    lessons::Text filled(const lessons::Text& text, const lessons::Page& page,
                         const lessons::Question& question) {
        // The key shows a schedule that will do as if it were the student's.
        lessons::Answer given;
        if (tools_.key && question.kind == lessons::Kind::schedule && page.ask)
            given = lessons::right_answer(page, question, runs_);
        return lessons::filled(text, {page.show, runs_, &question, &given, nullptr});
    }

    void add_page(const lessons::Page& page, std::size_t number) {
        const lessons::Question question = lessons::question_of(page, runs_);
        SheetBlock heading = block();
        heading.rule(0, kSheetRoom, 0, Role::border);
        heading.y = 11;
        const std::string count = fmt::format("{}", number);
        heading.text(0, heading.y + 14, count, 15, Face::bold, Role::act);
        const float x = std::max(24.0F, heading.width(count, 15, Face::bold) + 10);
        heading.paragraph({{page.title, Face::bold, Role::text, false}}, x, kSheetRoom, 15, 19);
        sheets_.add(heading.finish(), 20, WithNext::always);

        for (const lessons::Paragraph& paragraph :
             for_paper(filled(page.words, page, question), tools_.tr)) {
            SheetBlock words = block();
            add_paragraphs(words, {paragraph}, 0);
            const bool list = paragraph.kind != lessons::Paragraph::Kind::plain;
            sheets_.add(words.finish(), list ? 2 : 6, WithNext::rather);
        }
        if (shows_excerpt(page))
            add_excerpt(page);
        else if (is_new_kernel(page))
            add_whole(page);
        Scene asked;
        if (page.ask) asked = question_block(page, question, runs_, tools_);
        add_figure(page);
        const lessons::Text why = tools_.key ? without_device(page) : lessons::Text();
        const bool explains = !why.empty();
        if (page.ask) sheets_.add(std::move(asked), 10, explains ? WithNext::rather : WithNext::no);
        if (explains) {
            SheetBlock after = block();
            add_paragraphs(after, for_paper(filled(why, page, question), tools_.tr), 12);
            figures::Rect bar = {0, 2, 3, after.y - 2, 1.5F, Role::wrote, {}, false};
            after.scene.add(bar);
            sheets_.add(after.finish(), 8);
        }
    }

    // A page that asks for lines has the whole kernel in its question.
    static bool shows_excerpt(const lessons::Page& page) {
        return !page.show.lines.empty() && (!page.ask || (page.ask->kind != lessons::Kind::line &&
                                                          page.ask->kind != lessons::Kind::edit));
    }

    // The words stand below it in the window, and refer to it: once in a lesson it is whole on
    // paper.
    bool is_new_kernel(const lessons::Page& page) {
        constexpr std::size_t kMostLines = 45;
        const bool first = kernels_.insert(page.show.kernel).second;
        if (!first || lessons::view_of(page) == lessons::PageView::chart ||
            (page.ask &&
             (page.ask->kind == lessons::Kind::line || page.ask->kind == lessons::Kind::edit)))
            return false;
        const Listing listing = listing_of(page.show, runs_.library());
        return listing.last - listing.first < kMostLines;
    }

    void add_whole(const lessons::Page& page) {
        SheetBlock code = block();
        add_listing(code, listing_of(page.show, runs_.library()));
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

    void add_excerpt(const lessons::Page& page) {
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
        SheetBlock code = block();
        add_listing(code, listing);
        sheets_.add(code.finish(), 9, WithNext::rather);
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
        const bool whole = shown + 1 == table.rows.size();
        if (!whole) {
            table.rows.resize(shown + 1);
            table.result.clear();
            table.fault.clear();
        }
        if (table.rows.front().cells.empty()) return;
        figures::PassFigureOptions options;
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
        SheetBlock line = block();
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

}  // namespace

float SheetBlock::text(float x, float baseline, const std::string& words, float size, Face face,
                       Role role) {
    scene.add(figures::Text{x, baseline, words, size, face, role, figures::Anchor::start});
    return x + width(words, size, face);
}

void SheetBlock::centred(float x, float baseline, const std::string& words, float size, Face face,
                         Role role) {
    text(x - width(words, size, face) / 2, baseline, words, size, face, role);
}

void SheetBlock::paragraph(const std::vector<figures::StyledSpan>& spans, float x, float right,
                           float size, float leading) {
    for (const figures::RichLine& line : figures::rich_lines(spans, right - x, size, fonts_)) {
        figures::add_line(scene, line, x, y + size, size, fonts_);
        y += leading;
    }
}

void SheetBlock::rule(float x, float right, float at, Role role, float thickness) {
    if (role == Role::none || right <= x) return;
    scene.add(figures::Path{
        {{x, at}, {right, at}}, false, false, Role::none, {role, thickness, figures::Dash::solid}});
}

Scene SheetBlock::finish() {
    scene.width = kSheetRoom;
    scene.height = y;
    return std::move(scene);
}

std::vector<figures::StyledSpan> styled(const lessons::Paragraph& paragraph, Role role) {
    std::vector<figures::StyledSpan> spans;
    for (const lessons::Span& span : paragraph.spans) {
        figures::StyledSpan& added = spans.emplace_back();
        added.text = span.text;
        added.role = role;
        added.tinted = span.code;
        added.face = span.code ? Face::mono : span.bold || span.italic ? Face::bold : Face::sans;
        if (!span.link.empty())
            spans.push_back({fmt::format(" ({})", span.link), Face::sans, Role::muted, false});
    }
    return spans;
}

// Without the sentences about the mouse, keys and buttons: there are none on paper.
lessons::Text for_paper(lessons::Text text, const Translations& tr) {
    const std::vector<std::string> signs = catalogue::split(tr("sheet.screen_words"), ',');
    const auto is_of_screen = [&](const std::string& sentence) {
        return std::any_of(signs.begin(), signs.end(), [&](const std::string& sign) {
            return sentence.find(sign) != std::string::npos;
        });
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

void add_paragraphs(SheetBlock& block, const lessons::Text& text, float x, float right) {
    bool first = true;
    for (const lessons::Paragraph& paragraph : text) {
        if (!first) block.y += 4;
        first = false;
        float indent = 0;
        if (paragraph.kind != lessons::Paragraph::Kind::plain) {
            indent = 14;
            const std::string sign = paragraph.kind == lessons::Paragraph::Kind::bullet
                                         ? "•"
                                         : fmt::format("{}.", paragraph.number);
            block.text(x + 2, block.y + kSheetText, sign, kSheetText, Face::sans, Role::muted);
        }
        block.paragraph(styled(paragraph), x + indent, right);
    }
}

void add_lesson(figures::Sheets& sheets, const lessons::Lesson& lesson,
                const catalogue::Catalogue& catalogue, const SheetTools& tools) {
    LessonSheets(sheets, lesson, catalogue, tools).add();
}

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

}  // namespace lab::cli
