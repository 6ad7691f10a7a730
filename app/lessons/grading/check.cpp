#include "lessons/grading/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "base/translations.h"
#include "lessons/answers/page_view.h"

namespace lab::lessons {
namespace {

std::string in_a_line(const std::vector<machine::Turn>& turns) {
    std::string text = machine::text_of(turns);
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    return text;
}

// All turns of the run that these begin: a schedule that says something even if none was chosen.
std::string whole_schedule(const Page& page, const std::string& turns, Runs& runs) {
    const machine::Run* run = runs.facts(answered_show(page, {{turns}, {}})).run().run;
    return run == nullptr ? turns : in_a_line(machine::turns_of(run->trace()));
}

// A schedule with that end, among those that the search over all schedules found.
std::optional<std::string> right_schedule(const Page& page, Runs& runs) {
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

// What a page that asks for a schedule could ask for.
std::string possible_hint(const Page& page, Runs& runs) {
    std::vector<std::string> texts;
    bool hangs = false;
    const analysis::Outcomes& all = runs.facts(page.show).shortest_outcomes();
    for (const analysis::PossibleResult& each : all.results) {
        hangs = hangs || each.never_ends;
        if (!each.fault && !each.never_ends)
            texts.push_back(each.ending.right == false ? each.ending.result + " (wrong)"
                                                       : each.ending.result);
    }
    constexpr std::size_t kMost = 12;
    const bool more = texts.size() > kMost;
    if (more) texts.resize(kMost);
    if (hangs) texts.emplace_back("a run that hangs");
    return fmt::format(
        "{}: {}{}", all.complete ? "What can come out" : "Found so far",
        texts.empty() ? "nothing but faults" : fmt::format("{}", fmt::join(texts, ", ")),
        more ? ", and more" : "");
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
            } catch (const Problem& problem) {
                if (answers) note(problem, page.ask ? page.ask->line : page.line);
            }
            check_words(page, question);
            if (answers)
                result_.pages.push_back({page.id, page.title,
                                         page.ask ? name_of(page.ask->kind) : "", question.answer});
        }
    }

  private:
    void note(const Problem& problem, std::uint32_t line) {
        const bool in_kernel = problem.where.find(".cl") != std::string::npos;
        result_.problems.emplace_back(
            problem.what_happened,
            in_kernel ? fmt::format("{} ({})", problem.why, problem.where) : problem.why,
            problem.hint, fmt::format("{}/{}:{}:1", lesson_.id, file_, line));
    }
    void note(const char* what, const char* hint, const Page& page) {
        note(Problem(what, "", hint), page.ask->line);
    }

    void check_view(const Page& page) {
        if (const auto refusal = cannot_show(page, runs_)) note(*refusal, page.line);
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
        look(page.after);
        for (const Problem& problem : problems) {
            const unsigned long line = std::strtoul(problem.where.c_str(), nullptr, 10);
            note(problem, line > 0 ? static_cast<std::uint32_t>(line) : page.line);
        }
    }

    void check_question(const Page& page, Question& question) {
        if (!page.ask || !question.graded) return;
        const auto right = std::count_if(question.options.begin(), question.options.end(),
                                         [](const Option& option) { return option.right; });
        const Kind kind = question.kind;
        if (kind == Kind::choose && right == 0)
            note("No option is right", "Change the options, or what is shown", page);
        if (kind == Kind::choose && right == static_cast<std::ptrdiff_t>(question.options.size()))
            note("Every option is right", "Add one that is not", page);
        if ((kind == Kind::items || kind == Kind::pick || kind == Kind::line) &&
            question.picks.empty())
            note("There is nothing to click that is right", "Change the question, or what is shown",
                 page);
        if (kind == Kind::results && !runs_.facts(page.show).outcomes().complete)
            note("The search for all results did not come to its end",
                 "Show fewer numbers or smaller groups", page);
        if (kind == Kind::edit) check_edit(page, question);
        if (kind == Kind::measure) return;
        const Answer answer = right_answer(page, question, runs_);
        if (answer.empty() && (kind == Kind::schedule || kind == Kind::results))
            note("Nothing solves the page", possible_hint(page, runs_).c_str(), page);
        if (answer.empty()) return;  // of other kinds it was said what is missing
        if (kind == Kind::schedule) question.answer = answer.texts.front();
        const Feedback feedback = judge(page, question, answer, runs_);
        if (feedback.right) return;
        if (feedback.problem)
            note(*feedback.problem, page.ask->line);
        else
            note(kind == Kind::edit ? "The solution does not meet the goals"
                                    : "The right answer is judged wrong",
                 feedback.message.key.empty() ? "" : failed(feedback.message).c_str(), page);
    }

    void check_edit(const Page& page, Question& question) {
        question.answer = page.ask->solution;
        Show show = page.show;
        set_key(show, "kernel", page.ask->start);
        const std::string start = text_of(show, runs_.library());
        if (judge(page, question, {{start}, {}}, runs_).right)
            note("The start meets all goals already", "Break it, or ask for more", page);
    }

    static std::string failed(const Phrase& phrase) {
        return translated(phrase, Translations("en"), phrase.key);
    }

    CheckedLesson& result_;
    const Lesson& lesson_;
    std::string file_;
    Runs runs_;
};

}  // namespace

Answer right_answer(const Page& page, const Question& question, Runs& runs) {
    Answer answer;
    switch (question.kind) {
        case Kind::cells:
        case Kind::number:
            for (const Field& field : question.fields)
                answer.texts.push_back(field.expected);
            break;
        case Kind::pick:
        case Kind::items:
            answer.picks.assign(question.picks.begin(), question.picks.end());
            break;
        case Kind::line:
            if (!question.picks.empty()) answer.picks = {*question.picks.begin()};
            break;
        case Kind::choose:
        case Kind::results:
            for (std::size_t i = 0; i < question.options.size(); ++i)
                if (question.options[i].right) answer.picks.push_back(i);
            break;
        case Kind::schedule:
            if (auto turns = right_schedule(page, runs)) answer.texts = {std::move(*turns)};
            break;
        case Kind::edit: {
            Show show = page.show;
            set_key(show, "kernel", page.ask->solution);
            answer.texts = {text_of(show, runs.library())};
            break;
        }
        case Kind::reflect:
            answer.texts = {"…"};
            break;
        case Kind::measure:
            break;
    }
    return answer;
}

namespace {

// A lesson of that name beside the one in `folder`, or in the course.
bool there_is(const std::string& lesson, const std::filesystem::path& folder) {
    return lesson.find_first_of("/\\") == std::string::npos &&
           (is_lesson_folder(folder.parent_path() / lesson) ||
            is_lesson_folder(data_folder() / "assets" / "lessons" / lesson));
}

}  // namespace

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
            problem = Problem(problem.what_happened, problem.why, problem.hint,
                              fmt::format("{}/{}", result.id, problem.where));
            const bool known =
                std::any_of(result.problems.begin(), result.problems.end(),
                            [&](const Problem& each) { return each.text() == problem.text(); });
            if (!known) result.problems.push_back(problem);
        }
        if (!read.lesson) continue;
        result.languages.emplace_back(language);
        if (english) result.title = read.lesson->title;
        if (english && !read.lesson->needs.empty() && !there_is(read.lesson->needs, folder))
            result.problems.emplace_back(
                fmt::format("There is no lesson '{}' that this one could need", read.lesson->needs),
                "It names the folder of a lesson beside this one, or of the course",
                "Check the name", fmt::format("{}/lesson.md:1:1", result.id));
        Checker(result, *read.lesson, catalogue).check(english);
    }
    return result;
}

void to_json(nlohmann::json& json, const CheckedLesson& lesson) {
    json = {{"id", lesson.id},
            {"title", lesson.title},
            {"languages", lesson.languages},
            {"pages", nlohmann::json::array()},
            {"problems", lesson.problems}};
    for (const CheckedPage& page : lesson.pages)
        json["pages"].push_back(
            {{"id", page.id}, {"title", page.title}, {"kind", page.kind}, {"answer", page.answer}});
}

}  // namespace lab::lessons
