// Holds what is shown of a run against its trace.
#pragma once

#include <gmock/gmock.h>

#include <cmath>
#include <set>
#include <sstream>

#include "analysis/lineage.h"
#include "analysis/machine_run.h"
#include "analysis/simulate.h"
#include "figures/lane_figure.h"
#include "figures/pass_figure.h"
#include "figures/pass_text.h"
#include "lang/code.h"
#include "support/trace_event.h"

namespace lab::gui {

using analysis::MachineRun;
using machine::Access;
using machine::Action;
using machine::ActionKind;
using testing::HasSubstr;

// The trace, spelled out by the machine itself: one entry a touched element.
struct Touch {
    std::uint64_t time = 0, item = 0;
    const Action* action = nullptr;
    const Access* access = nullptr;
    std::string array;
    bool local = false;
    std::uint64_t cell = 0;  // of the row
    std::string value;       // that it left there, or read
    std::string before;      // that it found
    std::uint32_t line = 0;
    bool writes = false;

    // Rows show "?" for it.
    bool found_unwritten() const { return access->node == machine::kUnwritten && !writes; }
};

inline std::vector<Touch> touches_of(const machine::Run& run) {
    std::vector<Touch> touches;
    const machine::Trace& trace = run.trace();
    for (std::uint64_t time = 0; time < trace.size(); ++time) {
        const Action& action = trace.action(time);
        const machine::Context& context = run.machine().context(action.launch);
        const auto accesses = trace.accesses(action);
        for (std::size_t i = 0; i < accesses.size(); ++i) {
            const machine::Event event = event_of(run, time, i);
            const machine::ObjectInfo& object = context.objects[event.object];
            Touch touch;
            touch.time = time;
            touch.item = event.item;
            touch.action = &action;
            touch.access = &accesses[i];
            touch.array = object.name;
            touch.local = object.space == machine::Space::local;
            touch.cell = event.index;
            if (touch.local)
                touch.cell += event.group * (object.bytes / lang::info(object.element).bytes);
            // A compare-exchange of a float is one of its word.
            const bool same = lang::info(event.type).bytes == lang::info(object.element).bytes;
            const machine::Scalar type = same ? object.element : event.type;
            touch.value = lang::text_of(event.after, type);
            touch.before = lang::text_of(event.before, type);
            touch.line = context.code->places[event.place].line;
            touch.writes = event.kind == ActionKind::store ||
                           (event.kind == ActionKind::atomic && event.before != event.after);
            touches.push_back(std::move(touch));
        }
    }
    return touches;
}

// The passes of a launch in which anybody did something, numbered from 1; without barriers those in
// which somebody stored, with what was loaded before.
inline std::map<std::pair<int, std::uint32_t>, std::uint32_t> pass_numbers(
    const machine::Machine& machine, const std::vector<Touch>& all) {
    std::map<int, std::set<std::uint32_t>> seen, counted;
    for (const Touch& touch : all) {
        const int launch = touch.action->launch;
        seen[launch].insert(touch.action->pass);
        if (machine.context(touch.action->launch).code->has_barrier ||
            touch.action->kind == ActionKind::store || touch.action->kind == ActionKind::atomic)
            counted[launch].insert(touch.action->pass);
    }
    std::map<std::pair<int, std::uint32_t>, std::uint32_t> result;
    for (const auto& [launch, passes] : seen)
        for (const std::uint32_t pass : passes) {
            const std::set<std::uint32_t>& ends = counted[launch];
            const auto before = std::distance(ends.begin(), ends.lower_bound(pass));
            const auto last = std::max<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(ends.size()), 1);
            result[{launch, pass}] = static_cast<std::uint32_t>(std::min(before + 1, last));
        }
    return result;
}

class Truth {
  public:
    Truth(const MachineRun& run, std::string what)
        : run_(run),
          rows_(run.table.rows),
          what_(std::move(what)),
          touches_(touches_of(*run.run)),
          numbers_(pass_numbers(run.run->machine(), touches_)) {
        for (const Touch& touch : touches_) {
            by_line_[touch.line].push_back(&touch);
            by_array_[touch.array].push_back(&touch);
            by_pass_[{touch.action->launch, number(touch)}].push_back(&touch);
        }
    }

    void check() {
        check_end();
        check_lane_chart();
        for (std::size_t row = 1; row < rows_.size(); ++row) {
            check_values(row);
            check_stale(row);
            check_raced(row);
            check_words(row);
            check_work_words(row);
            if (rows_[row].skipped > 0) continue;  // the row above is not the one before
            check_arrows(row);
            check_sources(row);
        }
        check_picture();
        check_lineage();
        check_hazards();
        check_activity();
    }

  private:
    std::string at(std::size_t row, std::size_t cell) const {
        return what_ + ", row " + std::to_string(row) + ", cell " + std::to_string(cell);
    }
    std::uint32_t number(const Touch& touch) const {
        return numbers_.at({touch.action->launch, touch.action->pass});
    }
    bool of_row(const Touch& touch, const analysis::Row& row) const {
        return touch.action->launch + 1 == row.launch && touch.array == row.array &&
               touch.local == row.local_memory;
    }
    // Those of an array, of a line, of a launch and pass.
    using Touches = std::vector<const Touch*>;
    template <typename Key>
    static const Touches& of(const std::map<Key, Touches>& all, const Key& key) {
        static const Touches none;
        const auto found = all.find(key);
        return found == all.end() ? none : found->second;
    }
    bool is_last(std::size_t row) const {
        for (std::size_t i = row + 1; i < rows_.size(); ++i)
            if (rows_[i].launch == rows_[row].launch &&
                (rows_[i].array == rows_[row].array || rows_[i].skipped > 0))
                return false;
        return true;
    }

    // What stopped the run, or what came out: the verdict and its badge, the last sentence, and why
    // it spins.
    void check_end() {
        const analysis::StepTable& table = run_.table;
        const auto& fault = run_.run->fault();
        EXPECT_EQ(table.fault, fault ? fault->what : "") << what_;
        using Kind = machine::Fault::Kind;
        EXPECT_EQ(table.never_ends,
                  fault && (fault->kind == Kind::budget || fault->kind == Kind::deadlock))
            << what_;
        EXPECT_EQ(run_.fault.has_value(), fault.has_value()) << what_;
        const std::string last = figures::sentence(table, rows_.size() - 1, words_);
        if (fault) {
            const std::string why = figures::fault_text(table, words_);
            EXPECT_FALSE(table.right) << what_;
            EXPECT_TRUE(table.result.empty()) << what_;
            EXPECT_THAT(figures::verdict(table, words_), HasSubstr(why)) << what_;
            EXPECT_THAT(last, HasSubstr(why)) << what_;
            EXPECT_THAT(last, testing::Not(HasSubstr("he result"))) << what_;
            // Of those who spin some may come to it only when they get a turn.
            std::size_t spins = 0, here = 0;
            for (const Phrase& each : fault->phrases.why)
                if (each.key.starts_with("fault.spin") && each.arguments.contains("cell") &&
                    ++spins > 0)
                    here += spins_here(each.arguments, each.key == "fault.spin") ? 1U : 0U;
            EXPECT_EQ(here > 0, spins > 0) << what_;
        }
        for (std::size_t row = 0; row + 1 < rows_.size() && fault; ++row)
            EXPECT_THAT(figures::sentence(table, row, words_),
                        testing::Not(HasSubstr(figures::fault_text(table, words_))))
                << what_ << row;
        check_badge();
    }

    // Who spins in this run has read that cell in that line, and it still holds the value where
    // nobody has written for long: why a run does not end is looked for beyond its last action.
    bool spins_here(const std::map<std::string, std::string>& said, bool stays) {
        const Touch *read = nullptr, *written = nullptr;
        std::uint64_t last_write = 0;
        for (const Touch& touch : touches_) {
            if (touch.writes) last_write = touch.time;
            if (fmt::format("{}[{}]", touch.array, touch.access->index) != said.at("cell"))
                continue;
            if (touch.writes) written = &touch;
            if (run_.table.item_name(static_cast<std::int64_t>(touch.item)) == said.at("item") &&
                std::to_string(touch.line) == said.at("line"))
                read = &touch;
        }
        if (read == nullptr || !stays || last_write > run_.actions() / 2) return read != nullptr;
        EXPECT_EQ(read->before, said.at("value")) << what_;
        if (written != nullptr && !written->local) {
            EXPECT_EQ(written->value, said.at("value")) << what_;
        }
        return true;
    }

    // A tick stands for what is right, and for nothing else.
    void check_badge() {
        const analysis::StepTable& table = run_.table;
        static const figures::Fonts fonts;
        const figures::Scene scene = pass_figure(table, {}, fonts, words_);
        std::map<std::string, std::size_t> arrays;  // rows of each, and how often its name is there
        for (const analysis::Row& pass : table.rows)
            ++arrays[pass.array];
        for (const auto& [array, rows] : arrays)
            EXPECT_EQ(arrays.size() > 1 && !array.empty()
                          ? std::count_if(scene.shapes.begin(), scene.shapes.end(),
                                          [&name = array](const figures::Shape& shape) {
                                              const auto* text =
                                                  std::get_if<figures::Text>(&shape.what);
                                              return text != nullptr && text->text == name &&
                                                     text->anchor == figures::Anchor::end;
                                          })
                          : static_cast<std::ptrdiff_t>(rows),
                      static_cast<std::ptrdiff_t>(rows))
                << what_ << ", " << array;
        const std::string words = figures::verdict(table, words_);
        const figures::Text* verdict = nullptr;
        for (const figures::Shape& shape : scene.shapes)
            if (const auto* text = std::get_if<figures::Text>(&shape.what);
                text != nullptr && text->text == words)
                verdict = text;
        ASSERT_EQ(verdict != nullptr, !table.result.empty() || !table.fault.empty()) << what_;
        if (verdict == nullptr) return;
        EXPECT_EQ(verdict->role, table.right ? figures::Role::wrote : figures::Role::race) << what_;
        std::size_t ticks = 0, signs = 0;
        const auto beside = [&](float x, float y) {
            return std::abs(x - verdict->x + 16) < 1 && std::abs(y - verdict->y) < 16;
        };
        for (const figures::Shape& shape : scene.shapes) {
            const auto* rect = std::get_if<figures::Rect>(&shape.what);
            if (rect != nullptr && rect->fill == figures::Role::wrote &&
                beside(rect->x + rect->width / 2, rect->y + rect->height / 2))
                ++ticks;
            const auto* path = std::get_if<figures::Path>(&shape.what);
            if (path != nullptr && path->fill == figures::Role::race && !path->points.empty() &&
                beside(path->points[0].x, path->points[0].y))
                ++signs;
        }
        EXPECT_EQ(ticks, table.right ? 1U : 0U) << what_;
        EXPECT_EQ(signs, table.right ? 0U : 1U) << what_;
    }

    // The lane chart counts those who touched something in each pass, and nothing in one that has
    // not ended.
    void check_lane_chart() {
        constexpr std::size_t kMostCounted = 16;  // rows of the chart that have room for words
        if (run_.activity.empty() || run_.activity.size() > kMostCounted) return;
        static const figures::Fonts fonts;
        const figures::Scene scene = lane_figure(
            {run_.activity, run_.lanes.total, run_.lanes.branches}, {}, {}, fonts, words_);
        std::multiset<std::string> drawn;
        for (const figures::Shape& shape : scene.shapes)
            if (const auto* text = std::get_if<figures::Text>(&shape.what))
                drawn.insert(shape.tip.empty() ? text->text : shape.tip);
        std::multiset<std::string> counts;
        for (const analysis::PassActivity& pass : run_.activity) {
            const auto& fault = run_.run->fault();
            const bool last = &pass == &run_.activity.back();
            EXPECT_EQ(pass.unfinished,
                      last && run_.table.never_ends && fault->launch == pass.launch)
                << what_ << pass.pass;
            if (pass.unfinished) {
                counts.insert(words_("lanes.unfinished"));
                continue;
            }
            std::set<std::uint64_t> items;
            for (const Touch* touch : of(by_pass_, {pass.launch, pass.pass}))
                items.insert(touch->item);
            if (items.size() != active_items(pass)) {
                EXPECT_LT(items.size(), active_items(pass)) << what_ << pass.pass;
                EXPECT_TRUE(exchanges_values()) << what_ << pass.pass;
            }
            counts.insert(
                words_.counted(active_items(pass) == 1 ? "lanes.item_steps" : "lanes.items_step",
                               pass.items.size(), fmt::arg("active", active_items(pass)),
                               fmt::arg("total", pass.items.size())));
        }
        for (const std::string& each : counts)
            EXPECT_EQ(drawn.count(each), counts.count(each)) << what_ << ": " << each;
        const bool ended = !run_.activity.back().unfinished;
        EXPECT_EQ(scene.description.find("In the last pass") != std::string::npos, ended) << what_;
    }
    bool exchanges_values() const {
        const machine::Trace& trace = run_.run->trace();
        for (std::uint64_t time = 0; time < trace.size(); ++time)
            if (trace.action(time).kind == ActionKind::collective) return true;
        return false;
    }

    // A cell holds what the last store of its pass, or of an earlier one, left there; in the last
    // row of a launch what the last store of all did. Who is reported to have written it has.
    void check_values(std::size_t row) {
        const analysis::Row& pass = rows_[row];
        std::map<std::uint64_t, const Touch*> by_pass, at_all;
        for (const Touch* touch : of(by_array_, pass.array)) {
            if (!touch->writes || !of_row(*touch, pass)) continue;
            // A later pass that stores nothing of the input has no row.
            if (touch->access->node != 0 || number(*touch) <= pass.number)
                at_all[touch->cell] = touch;
            const Touch*& known = by_pass[touch->cell];
            if (number(*touch) <= pass.number &&
                (known == nullptr || number(*known) <= number(*touch)))
                known = touch;
        }
        for (const auto& [cell, touch] : is_last(row) ? at_all : by_pass) {
            if (touch == nullptr || cell >= pass.cells.size()) continue;
            const analysis::Cell& shown = pass.cells[cell];
            EXPECT_EQ(text_of(shown.value), touch->value) << at(row, cell);
            if (shown.late_item >= 0) {
                EXPECT_EQ(shown.late_item, static_cast<std::int64_t>(touch->item)) << at(row, cell);
                EXPECT_EQ(shown.late_pass, number(*touch)) << at(row, cell);
                EXPECT_LT(shown.late_pass, pass.number) << at(row, cell);
            } else if (shown.written) {
                EXPECT_EQ(shown.item, static_cast<std::int64_t>(touch->item)) << at(row, cell);
                EXPECT_EQ(number(*touch), pass.number) << at(row, cell);
            }
        }
        for (std::size_t cell = 0; cell < pass.cells.size(); ++cell)
            EXPECT_TRUE(!pass.cells[cell].written || by_pass.contains(cell)) << at(row, cell);
    }

    // Of whole numbers that are added: a solid arrow brings what stands at its other end, a dotted
    // one what is written beside it, and together they make the cell.
    void check_arrows(std::size_t row) {
        const analysis::Row &pass = rows_[row], &above = rows_[row - 1];
        if (run_.table.op != "add" || run_.table.type != "int" || !adds_cells()) return;
        for (std::size_t cell = 0; cell < pass.cells.size(); ++cell) {
            const analysis::Cell& shown = pass.cells[cell];
            if (!shown.written || shown.late_item >= 0 || shown.from.empty()) continue;
            if (!shown.also.empty()) continue;  // one after the other
            std::int64_t sum = 0;
            for (const std::uint32_t source : shown.from) {
                analysis::CellValue value = above.cells.at(source).value;
                for (const analysis::StaleValue& read : pass.stale)
                    if (read.item == shown.item && read.cell == source && !read.update)
                        value = read.took;
                sum += std::stoll(text_of(value));
            }
            std::string read;
            for (const std::uint32_t source : shown.from)
                read += " " + std::to_string(source);
            EXPECT_EQ(std::to_string(sum), text_of(shown.value))
                << at(row, cell) << ", from" << read;
        }
    }
    // Where each written cell is the sum of cells of the row above and nothing else.
    bool adds_cells() const {
        return run_.spec.kernel.id.starts_with("span-") || run_.spec.kernel.id == "relaunch";
    }

    // Who is reported to have read something did, at that time and in that line, and what it missed
    // was written there by the other.
    void check_stale(std::size_t row) {
        for (const analysis::StaleValue& read : rows_[row].stale) {
            bool took = false, missed = false;
            for (const Touch* touch : of(by_array_, read.array)) {
                const std::uint64_t cell =
                    touch->local ? touch->access->index : static_cast<std::uint64_t>(touch->cell);
                if (cell != read.cell) continue;
                const auto item = static_cast<std::int64_t>(touch->item);
                if (touch->time == read.time && item == read.item) {
                    const std::string found =
                        touch->found_unwritten()
                            ? "?"
                            : lang::text_of(touch->access->before, touch->action->type);
                    took = took ||
                           (touch->line == read.line &&
                            (found == text_of(read.took) || touch->value == text_of(read.took)));
                }
                if (item == read.writer && touch->writes && touch->line == read.write_line)
                    missed = missed || read.too_new || touch->value == text_of(read.missed);
            }
            EXPECT_TRUE(took) << at(row, read.cell) << ": " << read.item << " took "
                              << text_of(read.took);
            EXPECT_TRUE(missed) << at(row, read.cell) << ": " << read.writer << " left "
                                << text_of(read.missed);
        }
    }

    // Both sides of a race have touched the cell as it says.
    void check_raced(std::size_t row) {
        for (const analysis::RacedCell& raced : rows_[row].raced) {
            bool first = false, second = false;
            for (const Touch* touch : of(by_array_, rows_[row].array)) {
                if (!of_row(*touch, rows_[row]) || touch->cell != raced.cell) continue;
                const auto item = static_cast<std::int64_t>(touch->item);
                first = first || item == raced.first;
                second = second || item == raced.second;
            }
            EXPECT_TRUE(first && second) << at(row, raced.cell);
        }
    }

    // A sentence speaks of what is there.
    void check_words(std::size_t row) {
        const analysis::Row& pass = rows_[row];
        const analysis::StepTable& table = run_.table;
        const std::string text = figures::sentence(table, row, words_);
        const machine::Context& context =
            run_.run->machine().context(static_cast<std::uint32_t>(pass.launch) - 1);
        const char* not_said = context.code->has_barrier ? "No barrier" : "The barrier";
        EXPECT_THAT(text, testing::Not(HasSubstr(not_said))) << what_;
        if (!pass.stale.empty()) {
            EXPECT_THAT(text, HasSubstr("as " + text_of(pass.stale[0].took))) << what_ << row;
            EXPECT_THAT(text, HasSubstr(text_of(pass.stale[0].missed))) << what_ << row;
        }
        if (row + 1 == rows_.size() && table.fault.empty()) {
            EXPECT_THAT(text, HasSubstr(table.result)) << what_;
            EXPECT_EQ(table.right, text.find("wrong") == std::string::npos) << what_ << text;
        }
        const auto states = cell_states(table);
        for (std::size_t cell = 0; cell < pass.cells.size(); ++cell) {
            const std::string tip = figures::cell_tip(table, row, cell, states[row][cell], words_);
            EXPECT_THAT(tip, HasSubstr(text_of(pass.cells[cell].value))) << at(row, cell);
            if (pass.cells[cell].written && pass.cells[cell].late_item < 0 &&
                pass.cells[cell].item >= 0) {
                EXPECT_THAT(tip, HasSubstr(std::to_string(pass.cells[cell].item))) << at(row, cell);
            }
            check_equation(row, cell);
        }
    }

    // It ends with the cell's value, and somebody read each of its terms in that launch.
    void check_equation(std::size_t row, std::size_t cell) {
        std::string all = figures::equation(run_.table, row, cell);
        if (all.empty()) return;
        const analysis::Row& pass = rows_[row];
        // Where it wrapped: "a + b ≡ c (mod 2^32)".
        const bool wrapped = all.ends_with(")") && all.find(" ≡ ") != std::string::npos;
        if (wrapped) all.erase(all.rfind(" ("));
        const std::string value = (wrapped ? " ≡ " : " = ") + text_of(pass.cells[cell].value);
        EXPECT_TRUE(all.ends_with(value)) << at(row, cell) << ": " << all;
        if (run_.table.op != "add") return;
        std::string terms = all.substr(0, all.size() - value.size()) + " + ";
        for (std::size_t end = 0; (end = terms.find(" + ")) != std::string::npos;
             terms.erase(0, end + 3))
            EXPECT_TRUE(std::any_of(touches_.begin(), touches_.end(),
                                    [&](const Touch& touch) {
                                        return touch.action->launch + 1 == pass.launch &&
                                               touch.before == terms.substr(0, end);
                                    }))
                << at(row, cell) << ": " << all;
    }

    static std::uint64_t groups_of(const analysis::Row& pass) {
        return (pass.global + pass.local - 1) / pass.local;
    }

    // Nothing is said that this run does not bear out.
    void check_work_words(std::size_t row) {
        const analysis::Row &pass = rows_[row], &above = rows_[row - 1];
        const analysis::StepTable& table = run_.table;
        const std::string text = figures::sentence(table, row, words_);
        const std::string where = what_ + ", row " + std::to_string(row) + ": " + text;
        const auto says = [&](const std::string& words) {
            return text.find(words) != std::string::npos;
        };
        EXPECT_FALSE(says("luck") && (!table.right || !table.fault.empty() || !pass.stale.empty()))
            << where;
        EXPECT_FALSE(says("another group") && (groups_of(pass) == 1 || pass.local_memory)) << where;
        const figures::Boundary boundary = figures::boundary_after(table, row);
        EXPECT_FALSE(!pass.by_hand.empty() && boundary == figures::Boundary::group) << where;
        const std::string label = figures::row_labels(table, words_)[row].boundary;
        EXPECT_FALSE((groups_of(pass) == 1 || !pass.by_hand.empty()) &&
                     label.find("one barrier per group") != std::string::npos)
            << where << label;
        for (const char* wrong : {" 0 cells", " 1 cells", "–1 cells", " 1 values", "of 1 items"})
            EXPECT_FALSE(says(wrong)) << where;
        std::set<std::uint32_t> sources;
        std::size_t written = 0;
        for (const analysis::Cell& cell : pass.cells) {
            written += cell.written ? 1U : 0U;
            for (const analysis::Writer& writer : writers_of(cell))
                sources.insert(writer.from.begin(), writer.from.end());
        }
        for (const std::uint32_t cell : pass.neutral) {
            sources.erase(cell);
            EXPECT_LT(cell, above.cells.size()) << where;
        }
        if (says("became")) {
            EXPECT_TRUE(says(std::to_string(sources.size()) + " values became " +
                             std::to_string(written) + "."))
                << where;
            EXPECT_GT(sources.size(), written) << where;
        }
        const bool unfinished = table.never_ends && row + 1 == rows_.size();  // has no counts
        if (pass.items_known && !unfinished) {
            EXPECT_TRUE(says(std::to_string(working_items(pass).size()) + " of " +
                             std::to_string(pass.global) + " item"))
                << where;
        }
        EXPECT_TRUE(text.empty() || text.ends_with(".")) << where;
    }

    // What an arrow brings from a cell of the row above is what was read there, or what is said
    // beside it: by the work-item that it leads to, or, where that did not read there itself, by
    // one of its group, whose value it got from elsewhere.
    void check_sources(std::size_t row) {
        const analysis::Row &pass = rows_[row], &above = rows_[row - 1];
        const machine::Context& context =
            run_.run->machine().context(static_cast<std::uint32_t>(pass.launch) - 1);
        if (above.launch == pass.launch && above.number == pass.number) return;  // two of one pass
        // A later launch may call the buffer by another argument's name.
        const bool named = pass.launch == 1 || above.launch == pass.launch;
        const std::string name = !above.array.empty() ? above.array : pass.array;
        std::map<std::uint64_t, std::vector<const Touch*>> reads;  // by cell
        for (const Touch& touch : touches_)
            if (touch.action->launch + 1 == pass.launch && (!named || touch.array == name) &&
                touch.local == above.local_memory && touch.action->kind != ActionKind::store)
                reads[touch.cell].push_back(&touch);
        // Counters are shown where nothing else was written; they change while they are read.
        if (std::none_of(touches_.begin(), touches_.end(), [&](const Touch& touch) {
                return touch.writes && touch.action->launch + 1 == pass.launch &&
                       touch.access->node != 0;
            }))
            return;
        const auto said = [&](const analysis::Writer& writer, std::uint32_t source) {
            if (!figures::is_misread(run_.table, row, writer.item, source))
                return std::set{text_of(above.cells[source].value)};
            std::set<std::string> values;
            for (const analysis::OtherRead& read : pass.other_reads)
                if (read.item == writer.item && read.cell == source)
                    values.insert(text_of(read.took));
            const std::size_t index = above.local_memory && above.group_cells > 0
                                          ? source % above.group_cells
                                          : source;  // as its group counts
            for (const analysis::StaleValue& read : pass.stale)
                if (read.item == writer.item && read.cell == index)
                    values.insert(text_of(read.took));
            return values;
        };
        for (std::size_t cell = 0; cell < pass.cells.size(); ++cell)
            for (const analysis::Writer& writer : writers_of(pass.cells[cell]))
                for (const std::uint32_t source : writer.from) {
                    const auto group = static_cast<std::uint64_t>(writer.item) / context.local;
                    const auto& of_cell = reads[source];
                    const std::set<std::string> values = said(writer, source);
                    const auto is_own = [&](const Touch* touch) {
                        return touch->item == static_cast<std::uint64_t>(writer.item);
                    };
                    const bool own = std::any_of(of_cell.begin(), of_cell.end(), is_own);
                    EXPECT_TRUE(std::any_of(
                        of_cell.begin(), of_cell.end(),
                        [&](const Touch* touch) {
                            return (own ? is_own(touch) : touch->item / context.local == group) &&
                                   values.contains(touch->found_unwritten() ? "?" : touch->before);
                        }))
                        << at(row, cell) << ": item " << writer.item << " from " << source;
                }
    }

    // Who works is drawn, or counted where neighbours are gathered, who is drawn at rest does
    // nothing, each stands in one place in all passes, and the value at the start of each arrow is
    // what was read; at that of each ghost, what was missed.
    void check_picture() {
        const analysis::StepTable& table = run_.table;
        figures::PassFigureOptions options;
        static const figures::Fonts fonts;
        const auto labels = figures::row_labels(table, words_);
        const figures::PassLayout layout = lay_out(table, labels, options, fonts, words_);
        const figures::Scene scene = pass_figure(table, options, fonts, words_);
        std::vector<std::set<std::string>> drawn(rows_.size()), idle(rows_.size());
        std::multiset<std::pair<float, float>> arrows;
        std::vector<Arrow> told;                               // those that have tips
        std::map<std::pair<float, float>, std::string> chips;  // by where arrows leave them
        std::vector<std::size_t> gathered(rows_.size());       // those at work among them
        std::map<std::pair<const figures::Columns*, std::uint64_t>, float> places;
        bool some_gathered = false;
        for (const figures::Shape& shape : scene.shapes) {
            if (const auto* rect = std::get_if<figures::Rect>(&shape.what);
                rect != nullptr && shape.name.starts_with("worker ")) {
                const auto row = static_cast<std::size_t>(std::stoul(shape.name.substr(7)));
                const auto number = std::stoull(shape.name.substr(shape.name.rfind(' ') + 1));
                const float x = rect->x + rect->width / 2;
                const auto [place, is_new] =
                    places.try_emplace({layout.rows[row].columns, number}, x);
                EXPECT_TRUE(is_new || std::abs(place->second - x) < 0.01F)
                    << what_ << row << ": item " << number;
                if (shape.tip.starts_with("items ")) {
                    some_gathered = true;
                    gathered[row] += std::stoul(shape.tip.substr(shape.tip.find(": ") + 2));
                } else {
                    auto& to = rect->fill == figures::Role::act ? drawn : idle;
                    to[row].insert(shape.tip.substr(5, shape.tip.find(' ', 5) - 5));
                }
            }
            if (const auto* path = std::get_if<figures::Path>(&shape.what)) {
                const figures::Role role = path->stroke.role;
                // The legend's is no arc of the run, and has no tip.
                if (!shape.tip.empty() && !path->closed &&
                    (role == figures::Role::act || role == figures::Role::race))
                    told.push_back({path->points.front(), shape.tip,
                                    path->stroke.dash == figures::Dash::solid,
                                    role == figures::Role::race});
                else if (role == figures::Role::act && !path->points.empty())
                    arrows.insert({path->points.front().x, path->points.front().y});
            }
            if (const auto* text = std::get_if<figures::Text>(&shape.what);
                text != nullptr && shape.name.starts_with("chip ")) {
                const auto& frame = std::get<figures::Rect>((&shape - 1)->what);
                chips[{frame.x + frame.width / 2, frame.y + frame.height + 1}] = text->text;
            }
        }
        for (std::size_t row = 1; row < rows_.size(); ++row)
            for (const figures::Misread& read : misreads_in(table, layout, row)) {
                const std::string where = what_ + ": " + std::to_string(row);
                if (!layout.rows[read.cell.row].full) continue;  // no values, nor chips
                if (!read.plain(row)) {
                    EXPECT_TRUE(leaves(told, layout, chips, text_of(read.took), true)) << where;
                }
                if (read.stale != nullptr && read.stale->missed.bits) {
                    EXPECT_TRUE(leaves(told, layout, chips, text_of(read.stale->missed), false))
                        << where;
                }
            }
        bool full = true;
        for (std::size_t row = 1; row < rows_.size(); ++row) {
            const analysis::Row& pass = rows_[row];
            const figures::RowLayout &place = layout.rows[row], &above = layout.rows[row - 1];
            full = full && place.full && above.full;
            if (!pass.items_known || pass.global == 0) continue;
            std::set<std::string> works;
            for (const std::int64_t item : working_items(pass))
                works.insert(table.item_name(item));
            if (!place.items.empty() && place.items.front().count > 1) {
                EXPECT_EQ(gathered[row], works.size()) << what_ << row;
            } else {
                EXPECT_EQ(drawn[row], works) << what_ << row;
                EXPECT_EQ(idle[row].size(), pass.global - works.size()) << what_ << row;
            }
            for (const std::string& item : idle[row])
                EXPECT_FALSE(works.contains(item)) << what_ << row << ": " << item;
            if (!place.full) continue;
            std::size_t arcs = 0;
            for (const analysis::Cell& cell : pass.cells)
                for (const analysis::Writer& writer : writers_of(cell))
                    arcs += writer.from.size();
            for (std::size_t cell = 0; cell < pass.cells.size() && arcs <= 16; ++cell)
                for (const analysis::Writer& writer : writers_of(pass.cells[cell]))
                    for (const std::uint32_t source : writer.from) {
                        if (figures::is_misread(table, row, writer.item, source)) continue;
                        const auto arrow = arrows.find({above.x_of(source), above.bottom() + 1});
                        EXPECT_NE(arrow, arrows.end()) << at(row, cell) << " from " << source;
                        if (arrow != arrows.end()) arrows.erase(arrow);
                    }
        }
        const auto any = [&](bool came) {
            return std::any_of(told.begin(), told.end(), [&](const Arrow& arrow) {
                return arrow.stale && arrow.came == came;
            });
        };
        if (full) {
            for (const Arrow& arrow : told)
                EXPECT_TRUE(arrow.known) << what_ << ": " << arrow.tip;
        }
        check_legend(scene, {{"figure.legend_gathered", some_gathered},
                             {"figure.legend_came", any(true)},
                             {"figure.legend_missed", any(false)},
                             {"figure.legend_chip", !chips.empty()}});
    }

    struct Arrow {
        figures::Point start;
        std::string tip;
        bool came = true, stale = false;
        bool known = false;  // it is of a misread
    };

    // Whether one of them, which is then known, begins at that value: at a cell or at a mini cell.
    bool leaves(std::vector<Arrow>& arrows, const figures::PassLayout& layout,
                const std::map<std::pair<float, float>, std::string>& chips,
                const std::string& value, bool came) const {
        for (Arrow& arrow : arrows) {
            if (arrow.came != came || arrow.known) continue;
            const auto chip = chips.find({arrow.start.x, arrow.start.y});
            bool here = chip != chips.end() && chip->second == value;
            for (std::size_t row = 0; row < rows_.size() && chip == chips.end(); ++row) {
                const figures::RowLayout& place = layout.rows[row];
                if (std::abs(place.bottom() + 1 - arrow.start.y) > 0.01F) continue;
                for (std::size_t cell = 0; cell < place.cells; ++cell)
                    here |= std::abs(place.x_of(cell) - arrow.start.x) <= place.mark_width / 2 &&
                            text_of(rows_[row].cells[cell].value) == value;
            }
            if (here) return arrow.known = true;
        }
        return false;
    }

    // It has an entry for what is there, and for nothing else.
    void check_legend(const figures::Scene& scene, std::map<std::string, bool> there) const {
        there["figure.legend_raced"] = there["figure.legend_stale"] = false;
        for (const analysis::Row& pass : rows_) {
            there["figure.legend_raced"] |= !pass.raced.empty();
            for (const analysis::Cell& cell : pass.cells)
                there["figure.legend_stale"] |= cell.stale;
        }
        const std::pair<const char*, figures::Boundary> boundaries[] = {
            {"figure.legend_launch", figures::Boundary::launch},
            {"figure.legend_barrier", figures::Boundary::group},
            {"figure.legend_atomics", figures::Boundary::atomics},
            {"figure.legend_by_hand", figures::Boundary::by_hand}};
        for (const auto& [key, kind] : boundaries)
            for (std::size_t row = 0; row < rows_.size(); ++row)
                there[key] |= figures::boundary_after(run_.table, row) == kind;
        std::set<std::string> texts;
        for (const figures::Shape& shape : scene.shapes)
            if (const auto* text = std::get_if<figures::Text>(&shape.what))
                texts.insert(text->text);
        for (const auto& [key, is] : there)
            EXPECT_EQ(texts.contains(words_(key)), is) << what_ << ": " << key;
    }

    // With the elements that lineage names, the result comes out.
    void check_lineage() {
        if (run_.table.op != "add" || run_.table.type != "int" || !run_.table.fault.empty()) return;
        const auto found = analysis::result_lineage(run_.simulation);
        if (!found || found->composition.unwritten > 0) return;  // what chance left there counts
        const machine::Job& job = run_.simulation.job();
        const auto elements = analysis::cells_of(job.buffers[job.start]);
        std::int64_t sum = 0;
        for (const analysis::Ingredient& each : found->composition.inputs)
            sum += static_cast<std::int64_t>(each.times) *
                   std::stoll(analysis::text_of(elements[each.index].value));
        EXPECT_EQ(std::to_string(sum), run_.table.result) << what_;
        const bool whole = found->account.missing.empty() && found->account.repeated.empty();
        if (!run_.table.right) {
            EXPECT_FALSE(whole) << what_;
        }
    }

    // Each race is between two accesses of this run, in the lines that are named, or it is said in
    // which schedule it is.
    void check_hazards() {
        for (const analysis::Hazard& hazard : run_.hazards) {
            if (hazard.sides.size() != 2 || !hazard.here) continue;
            for (const analysis::HazardSide& side : hazard.sides) {
                bool seen = false;
                for (const Touch* touch : of(by_line_, side.line))
                    seen = seen || (touch->item == side.item && touch->array == hazard.object &&
                                    touch->action->launch + 1 == hazard.launch);
                EXPECT_TRUE(seen) << what_ << ": item " << side.item << ", line " << side.line;
            }
            if (!hazard.update) check_example(hazard);
        }
    }

    // A race whose lines have spoiled a read is told by such a read: the picture's arc is one. Of a
    // run that was stopped, the rows do not show all reads.
    void check_example(const analysis::Hazard& hazard) const {
        if (run_.table.never_ends) return;
        const bool first = hazard.sides[0].does.starts_with("reads");
        const analysis::HazardSide& reads = hazard.sides[first ? 0 : 1];
        const analysis::HazardSide& writes = hazard.sides[first ? 1 : 0];
        if (reads.does != "reads" || writes.does != "writes") return;
        bool spoiled = false, told = false;
        for (const analysis::Row& row : rows_)
            for (const analysis::StaleValue& read : row.stale) {
                if (row.launch != hazard.launch || read.array != hazard.object || read.update ||
                    read.line != reads.line || read.write_line != writes.line ||
                    (static_cast<std::uint64_t>(read.item) / row.local !=
                     static_cast<std::uint64_t>(read.writer) / row.local) != hazard.across_groups)
                    continue;
                spoiled = true;
                told = told || (read.item == static_cast<std::int64_t>(reads.item) &&
                                // What memory held before any write has no value in a row.
                                (!read.took.bits || text_of(read.took) == reads.value) &&
                                text_of(read.too_new ? read.took : read.missed) == writes.value);
            }
        EXPECT_EQ(told, spoiled) << what_ << ": lines " << reads.line << ", " << writes.line;
    }

    // Who works in a row took part in a step of that pass.
    void check_activity() {
        for (std::size_t row = 1; row < rows_.size(); ++row) {
            const analysis::Row& pass = rows_[row];
            for (const analysis::PassActivity& activity : run_.activity) {
                if (static_cast<int>(activity.launch) + 1 != pass.launch ||
                    activity.pass != pass.number)
                    continue;
                const auto works = working_items(pass);
                for (const std::int64_t item : works)
                    EXPECT_GT(activity.items.at(static_cast<std::size_t>(item)).active, 0U)
                        << what_ << row << ": item " << item;
                if (pass.items_known) check_rest(pass, activity, works, row);
            }
        }
    }

    // Who takes a step and works on no value of the row touches counters and constants alone.
    void check_rest(const analysis::Row& pass, const analysis::PassActivity& activity,
                    const std::vector<std::int64_t>& works, std::size_t row) const {
        for (const Touch* touch : of(by_pass_, {activity.launch, pass.number}))
            if (touch->access->node != 0) {
                EXPECT_TRUE(std::binary_search(works.begin(), works.end(),
                                               static_cast<std::int64_t>(touch->item)))
                    << what_ << row << ": item " << touch->item << ", line " << touch->line;
            }
    }

    const MachineRun& run_;
    const std::vector<analysis::Row>& rows_;
    std::string what_;
    std::vector<Touch> touches_;
    std::map<std::pair<int, std::uint32_t>, std::uint32_t> numbers_;
    std::map<std::uint32_t, Touches> by_line_;
    std::map<std::string, Touches> by_array_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Touches> by_pass_;
    Translations words_{"en"};
};

}  // namespace lab::gui
