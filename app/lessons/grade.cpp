#include "lessons/grade.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/paths.h"
#include "base/ranges.h"
#include "base/text.h"
#include "base/translations.h"

namespace lab::lessons {
namespace {

constexpr std::size_t kMostText = 60;  // bytes of an answer in a table; … stands for the rest

// One line without signs that a terminal would act on.
std::string shown(std::string text) {
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    // C1 control codes are two bytes in UTF-8.
    for (std::size_t i = 0; i + 1 < text.size(); ++i)
        if (text[i] == '\xc2' && static_cast<unsigned char>(text[i + 1]) < 0xa0)
            text.replace(i, 2, " ");
    if (text.size() <= kMostText) return text;
    std::size_t end = kMostText;
    while (end > 0 && continues_character(text[end]))
        --end;  // not within a sign
    return text.substr(0, end) + "…";
}

struct Judged {
    bool right = false;
    std::string text;  // of a wrong answer
};

std::string answer_text(const Question& question, const Answer& answer, const Feedback& feedback) {
    if (question.kind == Kind::edit) {
        if (!feedback.goals.empty() && !feedback.goals.back() && !feedback.problem)
            return fmt::format("goal {} fails", feedback.goals.size());
        if (feedback.problem) return feedback.problem->what_happened;
        return "more than barriers was changed";
    }
    if (question.kind == Kind::schedule)
        return feedback.result ? "result " + *feedback.result : "no result";
    std::vector<std::string> parts;
    const auto& options = question.options;
    for (const std::uint64_t pick : answer.picks)
        if (options.empty())
            parts.push_back(
                fmt::format("{}{}", question.picked == Picked::line ? "line " : "", pick));
        else if (pick >= options.size())
            parts.push_back(fmt::format("option {}", pick + 1));
        else
            parts.push_back(options[pick].name.empty() ? options[pick].text : options[pick].name);
    parts.insert(parts.end(), answer.texts.begin(), answer.texts.end());
    return parts.empty() ? "nothing" : fmt::format("{}", fmt::join(parts, ", "));
}

constexpr std::uint64_t kMostExamDraws = 1000;  // of a page; later ones do not count

// A page with its question, and what has been judged: students give the same answers.
class PageJudge {
    static constexpr const char* kOtherNumbers = "an answer to other numbers";

  public:
    PageJudge(const Page& page, Runs& runs) : page_(page), runs_(runs) {
        question_ = question_of(page, runs);
    }

    bool unchecked() const { return !question_.graded || question_.kind == Kind::measure; }

    // Of the numbers that the student had; `exam`: the first draw that was the student's.
    Judged judge(const Answer& answer, std::uint64_t exam) {
        const std::uint64_t seed = page_.vary.empty() ? 0 : answer.seed;
        if (exam != 0 && !page_.vary.empty() && seed - exam > kMostExamDraws)  // or before them
            return {false, kOtherNumbers};
        const auto key = std::tuple(seed, answer.texts, answer.picks);
        if (const auto found = judged_.find(key); found != judged_.end()) return found->second;
        Judged& result = judged_[key];
        const auto no_draw = thrown_by([&] {
            const Page page = drawn(page_, seed, runs_);
            const Question question = seed == 0 ? question_ : question_of(page, runs_);
            const Feedback feedback = lessons::judge(page, question, answer, runs_);
            result.right = feedback.right;
            if (!feedback.right) result.text = shown(answer_text(question, answer, feedback));
        });
        if (no_draw && seed == 0) throw *no_draw;
        if (no_draw) result.text = kOtherNumbers;
        return result;
    }

  private:
    using Key = std::tuple<std::uint64_t, std::vector<std::string>, std::vector<std::uint64_t>>;

    const Page& page_;
    Runs& runs_;
    Question question_;
    std::map<Key, Judged> judged_;
};

struct LessonJudge {
    Lesson lesson;
    Runs runs;
    std::vector<std::pair<const Page*, PageJudge>> pages;  // that ask

    LessonJudge(Lesson read, const catalogue::Catalogue& catalogue)
        : lesson(std::move(read)), runs({catalogue, lesson.folder}) {
        for (const Page& page : lesson.pages)
            if (page.ask) pages.emplace_back(&page, PageJudge(page, runs));
    }
    LessonJudge(const LessonJudge&) = delete;
    LessonJudge& operator=(const LessonJudge&) = delete;
};

struct ReadHandIn {
    std::string file;
    HandIn hand_in;
};

class Grader {
  public:
    explicit Grader(const catalogue::Catalogue& catalogue) : catalogue_(catalogue) {}

    ClassGrade grade(const std::vector<std::filesystem::path>& files,
                     const std::vector<std::filesystem::path>& folders) {
        for (const std::filesystem::path& file : files)
            if (auto problem = thrown_by([&] {
                    hand_ins_.push_back({file.string(), read_hand_in(file)});
                }))
                result_.problems.push_back(std::move(*problem));
        for (const ReadHandIn& each : hand_ins_)
            result_.students.push_back(
                {each.hand_in.name, each.file, {}, 0, 0, 0, 0, 0, takes_exam(each)});
        find_doubts();
        for (const std::filesystem::path& folder : folders)
            grade_lesson(folder);
        for (const ReadHandIn& each : hand_ins_)
            for (const Progress& progress : each.hand_in.lessons)
                if (!contains(done_, progress.lesson))
                    result_.problems.emplace_back(
                        fmt::format("There is no lesson '{}' to check answers by",
                                    shown(progress.lesson)),
                        "", "Name the folder of the lessons with --lessons", each.file);
        return std::move(result_);
    }

  private:
    static bool takes_exam(const ReadHandIn& each) {
        const auto& lessons = each.hand_in.lessons;
        return !lessons.empty() && all_of(lessons, [](const auto& one) { return one.seed != 0; });
    }

    // The pages that have an answer to numbers which the student cannot have had.
    static std::vector<std::string> foreign_pages(const HandIn& hand_in) {
        std::vector<std::string> pages;
        for (const Progress& progress : hand_in.lessons)
            for (const auto& [page, here] : progress.pages) {
                const auto is_foreign = [&progress](const Answer& answer) {
                    return !answer.empty() && answer.seed - progress.seed > kMostExamDraws;
                };
                if (is_foreign(here.answer) || any_of(here.wrong, is_foreign))
                    pages.push_back(page);
            }
        return pages;
    }

    void find_doubts() {
        const auto name_of = [](const ReadHandIn& each) {
            return compared_name(each.hand_in.name);
        };
        const bool is_exam = any_of(hand_ins_, takes_exam);
        for (auto each = hand_ins_.begin(); each != hand_ins_.end(); ++each) {
            const auto doubt = [&](std::string what, std::string hint) {
                result_.doubts.emplace_back(std::move(what), "", std::move(hint), each->file);
            };
            if (name_of(*each).empty()) doubt("The answers have no name", "Ask whose they are");
            if (any_of(each->hand_in.lessons, [&](const Progress& progress) {
                    return progress.seed != 0 && progress.seed != seed_of(each->hand_in.name);
                }))
                doubt("The numbers of this exam are those of another name", "Ask who wrote it");
            if (is_exam && !takes_exam(*each))
                doubt("Others took an exam, and these answers are of none, or not all of them",
                      "Ask for those of the exam");
            if (const auto pages = foreign_pages(each->hand_in); !pages.empty())
                doubt(fmt::format("Answers to numbers that this student did not get: {}",
                                  shown(fmt::format("{}", fmt::join(pages, ", ")))),
                      "Ask who wrote them");
            const auto before = [&](auto same) {
                return std::find_if(hand_ins_.begin(), each, same);
            };
            const auto equal = before([&](const ReadHandIn& other) {
                return other.hand_in.lessons == each->hand_in.lessons;
            });
            if (equal != each)
                doubt(fmt::format("These are the answers of {}, tries and all", equal->file),
                      "Ask who wrote them");
            const auto same_name = before([&](const ReadHandIn& other) {
                return !name_of(*each).empty() && name_of(other) == name_of(*each);
            });
            if (same_name != each && same_name != equal)
                doubt(fmt::format("{} has the same name: {}", same_name->file,
                                  shown(each->hand_in.name)),
                      "Ask for full names");
        }
    }

    static const Progress* progress_in(const HandIn& hand_in, const std::string& lesson) {
        return find_if(hand_in.lessons,
                       [&](const Progress& each) { return each.lesson == lesson; });
    }

    void grade_lesson(const std::filesystem::path& folder) {
        const std::string id = folder.filename().string();
        if (none_of(hand_ins_,
                    [&](const auto& each) { return progress_in(each.hand_in, id) != nullptr; }))
            return;
        done_.push_back(id);
        ReadLesson read = read_lesson(folder, "en", catalogue_);
        for (const Problem& problem : read.problems)
            result_.problems.push_back(problem.at(fmt::format("{}/{}", id, problem.where)));
        if (!read.lesson) return;
        try {
            LessonJudge judge(std::move(*read.lesson), catalogue_);
            for (auto& [page, page_judge] : judge.pages)
                grade_page(id, *page, page_judge);
        } catch (const Problem& problem) {
            result_.problems.push_back(problem.at(id));
        }
    }

    void grade_page(const std::string& lesson, const Page& page, PageJudge& judge) {
        PageOfClass column{lesson,     page.id,
                           page.title, lessons::name_of(page.ask->kind),
                           {},         !page.reasons.empty(),
                           {}};
        std::map<std::string, std::size_t> wrong, wrong_reasons;
        for (std::size_t i = 0; i < hand_ins_.size(); ++i) {
            const Progress* progress = progress_in(hand_ins_[i].hand_in, lesson);
            const PageProgress* here = nullptr;
            if (progress != nullptr && progress->pages.contains(page.id))
                here = &progress->pages.at(page.id);
            std::set<std::string> own;  // each counts once for a student
            StudentMarks& student = result_.students[i];
            student.marks.push_back(here == nullptr ? Mark::not_reached
                                                    : mark_of(*here, judge, progress->seed, own));
            if (here != nullptr && !judge.unchecked()) {
                const bool right = student.marks.back() == Mark::right;
                if (right && own.empty()) ++student.first_tries;
                if (here->given_up) ++student.shown;
                student.tries += std::max<std::size_t>(here->tries, own.size() + (right ? 1 : 0));
                student.hints += here->hints;
            }
            for (const std::string& text : own)
                ++wrong[text];
            const Reason* reason = here == nullptr ? nullptr : first_reason(page, *here);
            if (reason != nullptr && reason->right()) ++student.right_reasons;
            if (reason != nullptr && !reason->right()) ++wrong_reasons["because " + reason->name];
        }
        column.wrong = most_common(wrong);
        column.wrong_reasons = most_common(wrong_reasons);
        result_.pages.push_back(std::move(column));
    }

    static std::vector<WrongAnswer> most_common(const std::map<std::string, std::size_t>& counts) {
        std::vector<WrongAnswer> sorted;
        for (const auto& [text, students] : counts)
            sorted.push_back({text, students});
        stable_sort(sorted, [](const WrongAnswer& a, const WrongAnswer& b) {
            return a.students > b.students;
        });
        return sorted;
    }

    // The one that a student gave before anything was said to it. That of a shown answer is not
    // the student's.
    static const Reason* first_reason(const Page& page, const PageProgress& here) {
        for (std::size_t i = 0; i < std::min(here.wrong.size(), kMostWrong); ++i)
            if (const Reason* reason = reason_of(page, here.wrong[i])) return reason;
        return here.given_up ? nullptr : reason_of(page, here.answer);
    }

    static Mark mark_of(const PageProgress& page, PageJudge& judge, std::uint64_t exam,
                        std::set<std::string>& wrong) {
        if (judge.unchecked())
            return !page.answer.empty() ? Mark::unchecked
                   : page.skipped       ? Mark::skipped
                                        : Mark::not_reached;
        const auto right = [&](const Answer& answer) {
            const Judged judged = judge.judge(answer, exam);
            if (!judged.right) wrong.insert(judged.text);
            return judged.right;
        };
        for (std::size_t i = 0; i < std::min(page.wrong.size(), kMostWrong); ++i)
            if (!page.wrong[i].empty()) (void)right(page.wrong[i]);
        const bool last = !page.answer.empty() && right(page.answer);
        if (page.given_up) return Mark::given_up;
        if (last) return Mark::right;
        if (!page.answer.empty() || !page.wrong.empty()) return Mark::wrong;
        return page.skipped ? Mark::skipped : Mark::not_reached;
    }

    const catalogue::Catalogue& catalogue_;
    std::vector<ReadHandIn> hand_ins_;
    std::vector<std::string> done_;  // lessons
    ClassGrade result_;
};

struct MarkName {
    Mark mark;
    const char* name;
    const char* sign;  // in a table
};
constexpr std::array kMarks{
    MarkName{Mark::right, "right", "+"},
    MarkName{Mark::wrong, "wrong", "x"},
    MarkName{Mark::given_up, "given up", "g"},
    MarkName{Mark::skipped, "skipped", "s"},
    MarkName{Mark::not_reached, "not reached", "."},
    MarkName{Mark::unchecked, "not checked", "~"},
};
const MarkName& entry_of(Mark mark) {
    return *find_if(kMarks, [&](const MarkName& each) { return each.mark == mark; });
}

std::size_t count_of(const ClassGrade& graded, std::size_t page, Mark mark) {
    return count_if(graded.students, [&](const auto& each) { return each.marks[page] == mark; });
}

std::size_t right_of(const StudentMarks& student) {
    return count_if(student.marks, [](Mark mark) { return mark == Mark::right; });
}

std::size_t reasons_of(const ClassGrade& graded) {
    return count_if(graded.pages, [](const PageOfClass& page) { return page.asks_why; });
}

bool is_checked(const PageOfClass& page) {
    return page.kind != "measure" && page.kind != "reflect";
}

// How many columns of a terminal it takes, roughly: one a sign.
std::size_t columns_of(const std::string& text) {
    return decode_utf8(text).size();
}

}  // namespace

const char* name_of(Mark mark) {
    return entry_of(mark).name;
}

ClassGrade grade(const std::vector<std::filesystem::path>& files,
                 const std::vector<std::filesystem::path>& folders,
                 const catalogue::Catalogue& catalogue) {
    return Grader(catalogue).grade(files, folders);
}

std::string text_of(const ClassGrade& graded) {
    std::size_t wide = 7;
    for (const StudentMarks& student : graded.students)
        wide = std::max(wide, columns_of(shown(student.name)));
    const auto checked = count_if(graded.pages, is_checked);
    const std::size_t reasons = reasons_of(graded);
    const bool is_exam = any_of(graded.students, [](const auto& each) { return each.exam; });
    std::string text;
    for (const StudentMarks& student : graded.students) {
        const std::string name = shown(student.name);
        text += name + std::string(wide - columns_of(name), ' ');
        for (std::size_t i = 0; i < graded.pages.size(); ++i) {
            if (i == 0 || graded.pages[i].lesson != graded.pages[i - 1].lesson) text += "  ";
            text += entry_of(student.marks[i]).sign;
        }
        text += fmt::format("  {} of {} right, {} at the first try, {} shown, {} tries",
                            right_of(student), checked, student.first_tries, student.shown,
                            student.tries);
        if (student.hints > 0) text += fmt::format(", {}", counted_text(student.hints, "hint"));
        if (reasons > 0) text += fmt::format(", {} of {} reasons", student.right_reasons, reasons);
        if (is_exam) text += student.exam ? ", exam" : ", no exam";
        text += fmt::format("  {}\n", shown(fs::path(student.file).filename().string()));
    }
    if (!graded.pages.empty() && !graded.students.empty()) {
        text += "\n";
        std::vector<std::string> signs;
        for (const MarkName& each : kMarks)
            signs.push_back(fmt::format("{} {}", each.sign, each.name));
        text += fmt::format("{}\n", fmt::join(signs, ", "));
    }
    for (std::size_t i = 0; i < graded.pages.size(); ++i) {
        const PageOfClass& page = graded.pages[i];
        if (i == 0 || page.lesson != graded.pages[i - 1].lesson)
            text += fmt::format("\n{}\n", page.lesson);
        std::vector<std::string> counts;
        for (const MarkName& each : kMarks)
            if (const std::size_t count = count_of(graded, i, each.mark); count > 0)
                counts.push_back(fmt::format("{} {}", count, each.name));
        text += fmt::format(
            "  {}: {}{}\n", page.title, fmt::join(counts, ", "),
            page.kind == "measure" ? " (a prediction of each student's own device)" : "");
        constexpr std::size_t kMost = 3;  // wrong answers of a page; rarer ones are not listed
        for (const auto* wrong : {&page.wrong, &page.wrong_reasons})
            for (std::size_t k = 0; k < std::min(kMost, wrong->size()); ++k)
                text += fmt::format("    {} × {}\n", (*wrong)[k].students, (*wrong)[k].text);
    }
    return text;
}

std::string csv_of(const ClassGrade& graded) {
    std::string text = "student,file";
    for (const PageOfClass& page : graded.pages)
        text += "," + csv_field(fmt::format("{}: {}", page.lesson, page.title));
    text +=
        ",right,of,right at first try,answers shown,tries,reasons right,reasons asked,exam,hints\n";
    const std::size_t checked = count_if(graded.pages, is_checked);
    for (const StudentMarks& student : graded.students) {
        text +=
            csv_field(student.name) + "," + csv_field(fs::path(student.file).filename().string());
        for (const Mark mark : student.marks)
            text += fmt::format(",{}", name_of(mark));
        text +=
            fmt::format(",{},{},{},{},{},{},{},{},{}\n", right_of(student), checked,
                        student.first_tries, student.shown, student.tries, student.right_reasons,
                        reasons_of(graded), student.exam ? "yes" : "no", student.hints);
    }
    return text;
}

nlohmann::json gradescope_of(const ClassGrade& graded) {
    if (graded.students.size() != 1)
        throw Problem(fmt::format("Results for Gradescope are of one student, and there are {}",
                                  graded.students.size()),
                      "", "Grade one hand-in, or end the name in .csv");
    const StudentMarks& student = graded.students.front();
    const char* visible = student.exam ? "after_due_date" : "visible";
    nlohmann::json tests = nlohmann::json::array();
    const auto add = [&](const std::string& name, int score, int most, const std::string& output,
                         const char* visibility) {
        tests.push_back({{"name", name},
                         {"score", score},
                         {"max_score", most},
                         {"output", output},
                         {"visibility", visibility}});
    };
    for (std::size_t i = 0; i < graded.pages.size(); ++i) {
        const PageOfClass& page = graded.pages[i];
        if (!is_checked(page)) continue;
        std::string output = name_of(student.marks[i]);
        for (const auto* wrong : {&page.wrong, &page.wrong_reasons})
            for (const WrongAnswer& each : *wrong)
                output += fmt::format("\nwrong: {}", each.text);
        add(fmt::format("{}: {}", page.lesson, page.title), student.marks[i] == Mark::right ? 1 : 0,
            1, output, visible);
    }
    for (const auto* problems : {&graded.problems, &graded.doubts})
        for (const Problem& problem : *problems)
            add("For the teacher", 0, 0, problem.text(), "hidden");
    return {{"tests", std::move(tests)}};
}

namespace {

// All turns of the run that these begin: a schedule that says something even if none was chosen.
std::string whole_schedule(const Page& page, const std::string& turns, Runs& runs) {
    const machine::Run* run = runs.facts(answered_show(page, {{turns}, {}})).run().run;
    return run == nullptr ? turns : in_a_line(machine::turns_of(run->trace()));
}

// A schedule with that end, among those that the search over all schedules found.
std::optional<std::string> right_schedule(const Page& page, Runs& runs) {
    if (const auto fewest = page.ask->par > 0 ? fewest_turns(page, runs) : std::nullopt)
        return in_a_line(*fewest);
    // A copy: of many runs the oldest are forgotten.
    const std::vector<analysis::PossibleResult> all =
        runs.facts(page.show).shortest_outcomes().results;
    for (const analysis::PossibleResult& each : all) {
        const std::string turns = in_a_line(each.turns);
        if (!judge_schedule(page, turns, runs).right) continue;
        return turns.empty() ? whole_schedule(page, turns, runs) : turns;
    }
    return std::nullopt;
}

class Checker {
  public:
    Checker(CheckedLesson& result, const Lesson& lesson, const catalogue::Catalogue& catalogue)
        : result_(result),
          lesson_(lesson),
          file_(lesson.language == "en" ? "lesson.md"
                                        : fmt::format("lesson.{}.md", lesson.language)),
          runs_({catalogue, lesson.folder}) {}

    // `answers`: also what is asked, which is the same in every language.
    void check(bool answers) {
        for (const Page& page : lesson_.pages) {
            Question question;
            try {
                question = question_of(page, runs_);
                if (answers) check_question(page, question);
                if (answers) check_view(page);
                if (answers && !page.reasons.empty()) check_reasons(page);
            } catch (const Problem& problem) {
                if (answers) note(problem, page.ask ? page.ask->line : page.line);
            }
            check_words(page, question);
            const std::size_t draws = check_draws(page, answers);
            if (!answers) continue;
            CheckedPage& checked =
                result_.pages.emplace_back(CheckedPage{page.id,
                                                       page.title,
                                                       page.ask ? name_of(page.ask->kind) : "",
                                                       question.answer,
                                                       {},
                                                       draws});
            for (const Reason& reason : page.reasons)
                checked.reasons.push_back(reason.name);
            for (const Option& option : question.options)
                if (!option.mistake.key.empty())
                    checked.mistakes.push_back(in_english(option.mistake));
        }
    }

  private:
    void note(const Problem& problem, std::uint32_t line) {
        const bool in_kernel = is_kernel_file(problem.where.substr(0, problem.where.find(':')));
        result_.problems.emplace_back(
            draw_ > 0 ? fmt::format("{} (draw {})", problem.what_happened, draw_)
                      : problem.what_happened,
            in_kernel ? fmt::format("{} ({})", problem.why, problem.where) : problem.why,
            problem.hint, fmt::format("{}/{}:{}:1", lesson_.id, file_, line));
    }
    void note(const char* what, const char* hint, const Page& page) {
        note(Problem(what, "", hint), page.ask->line);
    }

    // Each draw as a student gets it, as far as the first that is at fault. Returns how many
    // answers they have.
    std::size_t check_draws(const Page& page, bool answers) {
        std::set<std::string> seen;
        std::vector<Show> shows;
        const std::size_t before = result_.problems.size();
        for (std::uint64_t seed = 1; seed <= kCheckedDraws && !page.vary.empty(); ++seed) {
            const auto problem = thrown_by([&] {
                const Page draw = drawn(page, seed, runs_);
                draw_ = seed;
                shows.push_back(draw.show);
                Question question = question_of(draw, runs_);
                if (answers) check_question(draw, question);
                check_words(draw, question);
                seen.insert(question.answer);
            });
            draw_ = 0;
            if (problem && answers) note(*problem, page.vary_line);
            if (problem || result_.problems.size() > before) return seen.size();
        }
        if (answers) check_values(page, shows);
        if (seen.size() == 1 && answers && page.ask)
            note({"The answer is the same in all draws", "", "Vary what it depends on"},
                 page.vary_line);
        return seen.size();
    }

    // A value that none of the draws has can be one that no draw can have.
    void check_values(const Page& page, const std::vector<Show>& shows) {
        for (const auto& [key, values] : page.vary)
            for (const std::string& value : values) {
                if (key == "input" && read_range(value)) continue;
                if (any_of(shows, [&key = key, &value](const Show& show) {
                        return has_value(show, key, value);
                    }))
                    continue;
                Page alone = page;
                alone.vary = {{key, {value}}};
                if (const auto problem = thrown_by([&] { (void)drawn(alone, 1, runs_); }))
                    note({fmt::format("No draw of the page can have {} = {}", key, value),
                          problem->why, "Leave it out, or change the question"},
                         page.line);
            }
    }

    void check_view(const Page& page) {
        if (const auto refusal = cannot_show(page, runs_)) note(*refusal, page.line);
    }

    void check_reasons(const Page& page) {
        if (none_of(page.reasons, [](const Reason& reason) { return reason.right(); }))
            note("No reason is right", "Call one of them: reason right", page);
        if (page.reasons.size() < 3)
            note("There are too few reasons to choose from", "Give one that is right and two more",
                 page);
    }

    void check_words(const Page& page, const Question& question) {
        std::vector<Problem> problems;
        const Filling with{page.show, runs_, &question, nullptr, nullptr};
        const auto look = [&](const Text& text) { (void)filled(text, with, &problems); };
        look(page.words);
        look(page.labels);
        for (const Text& hint : page.hints)
            look(hint);
        for (const Reply& reply : page.replies)
            look(reply.words);
        for (const Reason& reason : page.reasons) {
            look(reason.words);
            look(reason.reply);
        }
        look(page.after);
        for (const Problem& problem : problems) {
            const unsigned long line = std::strtoul(problem.where.c_str(), nullptr, 10);
            note(problem, line > 0 ? static_cast<std::uint32_t>(line) : page.line);
        }
    }

    void check_question(const Page& page, Question& question) {
        if (!page.ask || !question.graded) return;
        const Kind kind = question.kind;
        if (const auto fault = fault_of(page, question, runs_)) note(*fault, page.ask->line);
        if (kind == Kind::edit) check_edit(page, question);
        if (kind == Kind::measure) return;
        const Answer answer = right_answer(page, question, runs_);
        if (answer.empty()) return;  // it was said what is missing
        if (kind == Kind::schedule) question.answer = answer.texts.front();
        const Feedback feedback = judge(page, question, answer, runs_);
        if (feedback.right) return;
        if (feedback.problem)
            note(*feedback.problem, page.ask->line);
        else
            note(kind == Kind::edit ? "The solution does not meet the goals"
                                    : "The right answer is judged wrong",
                 feedback.message.key.empty() ? "" : in_english(feedback.message).c_str(), page);
    }

    void check_edit(const Page& page, Question& question) {
        question.answer = page.ask->solution;
        Show show = page.show;
        set_key(show, "kernel", page.ask->start);
        const std::string start = text_of(show, runs_.library());
        if (judge(page, question, {{start}, {}}, runs_).right)
            note("The start meets all goals already", "Break it, or ask for more", page);
    }

    static std::string in_english(const Phrase& phrase) {
        return translated(phrase, Translations("en"), phrase.key);
    }

    CheckedLesson& result_;
    const Lesson& lesson_;
    std::string file_;
    Runs runs_;
    std::uint64_t draw_ = 0;  // that is looked at; 0: the page as it is written
};

}  // namespace

Answer right_answer(const Page& page, const Question& question, Runs& runs) {
    Answer answer;
    if (question.kind == Kind::measure) return answer;
    if (question.kind == Kind::schedule) {
        if (auto turns = right_schedule(page, runs)) answer.texts = {std::move(*turns)};
    } else if (question.kind == Kind::edit) {
        Show show = page.show;
        set_key(show, "kernel", page.ask->solution);
        answer.texts = {text_of(show, runs.library())};
    } else if (!question.graded) {
        answer.texts = {"…"};
    }
    for (const Field& field : question.fields)
        answer.texts.push_back(field.expected);
    answer.picks.assign(question.picks.begin(), question.picks.end());
    if (!question.several && answer.picks.size() > 1) answer.picks.resize(1);
    if (question.picked == Picked::order) answer.picks = question.order;
    if (!page.reasons.empty()) answer.reason = kRightReason;
    answer.seed = page.seed;
    return answer;
}

// A lesson of that name beside the one in `folder`, or in the course.
static bool there_is(const std::string& lesson, const std::filesystem::path& folder) {
    return lesson.find_first_of("/\\") == std::string::npos &&
           (is_lesson_folder(folder.parent_path() / lesson) ||
            is_lesson_folder(data_folder() / "assets" / "lessons" / lesson));
}

CheckedLesson check_lesson(const std::filesystem::path& folder,
                           const catalogue::Catalogue& catalogue) {
    CheckedLesson result;
    result.id = folder.filename().string();
    for (const char* language : kLanguages) {
        const bool english = std::string_view(language) == "en";
        std::error_code error;
        if (!english && !std::filesystem::is_regular_file(
                            folder / fmt::format("lesson.{}.md", language), error))
            continue;
        ReadLesson read = read_lesson(folder, language, catalogue);
        for (Problem& problem : read.problems) {
            problem = problem.at(fmt::format("{}/{}", result.id, problem.where));
            const bool known = any_of(
                result.problems, [&](const auto& each) { return each.text() == problem.text(); });
            if (!known) result.problems.push_back(problem);
        }
        if (!read.lesson) continue;
        result.languages.emplace_back(language);
        if (english) result.title = read.lesson->title;
        if (english && !read.lesson->needs.empty() && !there_is(read.lesson->needs, folder))
            result.problems.emplace_back(
                fmt::format("There is no lesson '{}' that this one could need", read.lesson->needs),
                "It names the folder of a lesson beside this one, or of the course",
                "Check the name",
                fmt::format("{}/lesson.md:{}:1", result.id, read.lesson->needs_line));
        Checker(result, *read.lesson, catalogue).check(english);
    }
    return result;
}

using nlohmann::json;
constexpr int kVersion = 1;

LAB_JSON_LOCAL_FIELDS(CheckedPage, id, title, kind, answer, reasons, draws, mistakes)
LAB_JSON_FIELDS(CheckedLesson, id, title, languages, pages, problems)

LAB_JSON_FIELDS_OR_DEFAULT(Answer, texts, picks, reason, seed)
LAB_JSON_FIELDS_OR_DEFAULT(PageProgress, answer, right, given_up, skipped, measured, tries, hints,
                           wrong)
LAB_JSON_FIELDS_OR_DEFAULT(Progress, lesson, page, seed, pages, drafts)

bool Progress::done(const std::string& name) const {
    const auto found = pages.find(name);
    if (found == pages.end()) return false;
    const PageProgress& kept = found->second;
    const bool noted = seed != 0 && !kept.answer.empty();  // an exam asks for no more
    return kept.right || kept.given_up || kept.measured || noted;
}

std::filesystem::path progress_file(const std::string& lesson, std::uint64_t seed) {
    const std::string exam = seed > 0 ? fmt::format(".exam-{}", seed) : "";
    return config_folder() / "lessons" / (lesson + exam + ".json");
}

Progress load_progress(const std::string& lesson, std::optional<Problem>& problem,
                       std::uint64_t seed) {
    Progress progress;
    progress.lesson = lesson;
    progress.seed = seed;
    const Progress empty = progress;
    const std::filesystem::path file = progress_file(lesson, seed);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return progress;
    std::string text, why;
    try {
        text = read_file(file, std::size_t{1} << 24U);
        json::parse(text).get_to(progress);
        progress.lesson = lesson;
        progress.seed = seed;
        return progress;
    } catch (const Problem& damaged) {
        why = damaged.what_happened;
    } catch (const json::exception& damaged) {
        why = json_trouble(damaged, text);
    }
    std::filesystem::rename(file, file.string() + ".damaged", error);
    problem = Problem("The answers to this lesson could not be read, so it begins anew", why,
                      "The old file is kept beside it, with the ending .damaged", file.string());
    return empty;
}

void save_progress(const Progress& progress) {
    write_file(progress_file(progress.lesson, progress.seed), json(progress).dump(1) + "\n");
}

void write_hand_in(const HandIn& hand_in, const std::filesystem::path& file) {
    const json out{{"reduction-lab", "answers"},
                   {"version", kVersion},
                   {"name", hand_in.name},
                   {"lessons", hand_in.lessons}};
    write_file(file, out.dump(1) + "\n");
}

HandIn read_hand_in(const std::filesystem::path& file) {
    const std::string text = read_file(file, std::size_t{1} << 24U);
    HandIn hand_in;
    if (text.find('\0') != std::string::npos)
        throw Problem("This is no file of answers",
                      "It is no text, but a program, picture or archive",
                      "Students make one by Hand in, in the view Learn", file.string());
    try {
        const json in = json::parse(text);
        if (in.value("reduction-lab", "") != "answers")
            throw Problem("This is no file of answers", "It does not say that it is one",
                          "Students make one by Hand in, in the view Learn", file.string());
        if (in.value("version", 0) > kVersion)
            throw Problem("The answers are of a newer version of Reduction Lab", "",
                          "Update the program", file.string());
        const json flat = in.flatten();
        for (const auto& [place, value] : flat.items())
            if (value.is_number() && !value.is_number_unsigned())
                throw Problem("The answers cannot be read",
                              fmt::format("{} is {}, which is no count", place, value.dump()),
                              "Ask for the file again", file.string());
        hand_in.name = in.value("name", "");
        in.at("lessons").get_to(hand_in.lessons);
    } catch (const json::exception& error) {
        throw Problem("The answers cannot be read", json_trouble(error, text),
                      "Ask for the file again", file.string());
    }
    return hand_in;
}

}  // namespace lab::lessons
