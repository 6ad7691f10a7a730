// A question on paper: fields to write into, boxes to tick, work-items and cells to circle.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "cli/lessons/worksheet.h"
#include "lessons/grading/check.h"

namespace lab::cli {
namespace {

using figures::Face;
using figures::kSheetRoom;
using figures::Rect;
using figures::Role;
using lessons::Kind;

constexpr float kPadding = 12, kField = 20;  // points
constexpr std::size_t kMostMarks = 256;      // cells or work-items

class QuestionBlock {
  public:
    QuestionBlock(const lessons::Page& page, const lessons::Question& question, lessons::Runs& runs,
                  const SheetTools& tools)
        : page_(page), question_(question), runs_(runs), tools_(tools), block_(tools.fonts) {}

    figures::Scene make() {
        block_.y = kPadding;
        add_task();
        (this->*part_of(question_.kind))();
        block_.y += kPadding - 2;
        figures::Scene scene = block_.finish();
        Rect frame{0, 0, scene.width, scene.height, 6, Role::none, {}, false};
        frame.stroke = {Role::act, 0.9F, figures::Dash::solid};
        scene.add(frame);
        return scene;
    }

  private:
    using Part = void (QuestionBlock::*)();
    static Part part_of(Kind kind) {
        struct Entry {
            Kind kind;
            Part part;
        };
        static constexpr std::array kParts{
            Entry{Kind::cells, &QuestionBlock::add_cells},
            Entry{Kind::pick, &QuestionBlock::add_picks},
            Entry{Kind::items, &QuestionBlock::add_items},
            Entry{Kind::number, &QuestionBlock::add_numbers},
            Entry{Kind::choose, &QuestionBlock::add_options},
            Entry{Kind::results, &QuestionBlock::add_results},
            Entry{Kind::line, &QuestionBlock::add_line},
            Entry{Kind::schedule, &QuestionBlock::add_schedule},
            Entry{Kind::edit, &QuestionBlock::add_edit},
            Entry{Kind::measure, &QuestionBlock::add_measure},
            Entry{Kind::reflect, &QuestionBlock::add_reflect},
        };
        return std::find_if(kParts.begin(), kParts.end(),
                            [&](const Entry& each) { return each.kind == kind; })
            ->part;
    }

    bool key() const { return tools_.key; }

    // What to do with the pencil.
    void add_task() {
        std::string which = lessons::name_of(question_.kind);
        if (question_.kind == Kind::choose) which = question_.several ? "choose_several" : "choose";
        if (question_.kind == Kind::measure)
            which = page_.ask->predict == lessons::Predict::ratio   ? "measure_ratio"
                    : page_.ask->predict == lessons::Predict::order ? "measure_order"
                                                                    : "measure_share";
        std::string words = tools_.tr("sheet.task." + which);
        if (question_.kind == Kind::cells || question_.kind == Kind::pick ||
            question_.kind == Kind::items)
            words += question_.row == 0
                         ? " " + tools_.tr("sheet.row_start")
                         : " " + tools_.tr("sheet.row", fmt::arg("n", question_.row));
        block_.paragraph({{words, Face::bold, Role::act, false}}, kPadding, kSheetRoom - kPadding,
                         9.2F, 13);
        block_.y += 5;
    }

    void write(float x, float baseline, const std::string& text, float room) {
        if (!key()) return;
        const float size =
            std::min(kSheetText, kSheetText * room /
                                     std::max(1.0F, block_.width(text, kSheetText, Face::bold)));
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
        Rect rect{x - width / 2, y - height / 2, width, height, 3, fill, {}, false};
        rect.stroke = {Role::muted, 0.8F, figures::Dash::solid};
        return rect;
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
        Rect ring{x - across, y - down, 2 * across, 2 * down, std::min(across, down),
                  Role::none, {},       false};
        ring.stroke = {Role::wrote, 1.8F, figures::Dash::solid};
        block_.scene.add(ring);
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
        for (const lessons::Field& field : question_.fields)
            add_field(field.label ? &labels[*field.label] : nullptr, field.expected,
                      page_.ask->unit);
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

    void add_options() {
        const lessons::Text labels = filled(page_.labels);
        for (const lessons::Option& option : question_.options) {
            tick_box(kPadding + 6, block_.y + 7, !question_.several, option.right);
            lessons::Paragraph words;
            if (option.label)
                words = labels[*option.label];
            else
                words.spans.push_back({option.text, false, false, false, ""});
            block_.paragraph(styled(words), kPadding + 20, kSheetRoom - kPadding);
            block_.y += 4;
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

    void add_blank_lines(int count) {
        for (int i = 0; i < count; ++i) {
            block_.y += 20;
            block_.rule(kPadding, kSheetRoom - kPadding, block_.y, Role::idle, 0.5F);
        }
        block_.y += 4;
    }

    void add_schedule() {
        if (!key()) return add_blank_lines(3);
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
        block_.paragraph({{tools_.tr("learn.goals"), Face::bold, Role::text, false}}, kPadding,
                         kSheetRoom - kPadding, 9.2F, 13);
        for (const lessons::Goal& goal : page_.ask->goals) {
            tick_box(kPadding + 6, block_.y + 7, false, true);
            block_.paragraph({{text_of(goal, tools_.tr), Face::sans, Role::text, false}},
                             kPadding + 20, kSheetRoom - kPadding);
            block_.y += 2;
        }
        if (page_.ask->only_barriers)
            block_.paragraph(
                {{tools_.tr("learn.wrong.only_barriers"), Face::sans, Role::muted, false}},
                kPadding, kSheetRoom - kPadding, 9.2F, 13);
        block_.y += 4;
    }

    void add_edit() {
        add_goals();
        const std::string start = kernel_text(page_.ask->start);
        Listing listing = listing_of(key() ? kernel_text(page_.ask->solution) : start);
        listing.roomy = !key();
        if (key())
            listing.answers = changed_lines(start, listing.text);
        else
            listing.marked = page_.show.lines;
        add_kernel(std::move(listing));
    }

    void add_measure() {
        if (page_.ask->predict == lessons::Predict::ratio) {
            add_field(nullptr, "", "×");
        } else if (page_.ask->predict == lessons::Predict::order) {
            for (const lessons::Option& option : question_.options) {
                lessons::Paragraph words;
                words.spans.push_back({option.text, false, false, true, ""});
                add_field(&words, "", "");
            }
        } else {
            for (const lessons::Option& option : question_.options) {
                tick_box(kPadding + 6, block_.y + 7, true, false);
                // The key of a translation: without one its last word will do.
                std::string word = option.text.substr(option.text.rfind('.') + 1);
                std::replace(word.begin(), word.end(), '_', ' ');
                block_.paragraph(
                    {{tools_.tr.get(option.text, word), Face::sans, Role::text, false}},
                    kPadding + 20, kSheetRoom - kPadding);
                block_.y += 4;
            }
        }
        if (key())
            block_.paragraph({{tools_.tr("sheet.by_device"), Face::sans, Role::wrote, false}},
                             kPadding, kSheetRoom - kPadding, 9.2F, 13);
    }

    void add_reflect() {
        if (!key()) add_blank_lines(3);
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

}  // namespace

figures::Scene question_block(const lessons::Page& page, const lessons::Question& question,
                              lessons::Runs& runs, const SheetTools& tools) {
    return QuestionBlock(page, question, runs, tools).make();
}

}  // namespace lab::cli
