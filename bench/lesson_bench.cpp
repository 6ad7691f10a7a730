// How long a lesson lets its student wait: to show each page of the course, and to check a right
// and a wrong answer to it. Prints a JSON line a page, in milliseconds, the median of some rounds;
// bench/lessons.py runs it.
//
//     lesson_bench KERNELS LESSONS [ROUNDS]
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>

#include "lessons/grade.h"

namespace lab::lessons {
namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

template <typename Action>
double milliseconds(const Action& action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

// An answer to the question that is wrong: a student's first try.
Answer wrong_answer(const Page& page, const Question& question, Runs& runs) {
    Answer answer;
    if (question.kind == Kind::edit) {
        Show show = page.show;
        set_key(show, "kernel", page.ask->start);
        answer.texts = {text_of(show, runs.library())};
    } else if (question.kind == Kind::schedule) {
        answer.texts = {page.ask->until == "right" ? "0.0*1000" : "1.0*1 0.0*1"};
    } else if (!question.fields.empty()) {
        answer.texts.assign(question.fields.size(), "-7");
    } else {
        // Nothing but a wrong pick, or all that is offered.
        for (std::uint64_t i = 0; i < std::max<std::size_t>(question.options.size(), 1); ++i)
            answer.picks.push_back(question.options.empty() ? 1'000'000 : i);
    }
    return answer;
}

struct Times {
    std::vector<double> show, right, wrong;
};

// As after Enter: nothing is known of the page's runs.
void add_times(Times& times, const Page& page, const catalogue::Catalogue& catalogue,
               const Lesson& lesson) {
    const auto fill = [&](const Text& text, Runs& runs, const Question& question) {
        (void)filled(text, {page.show, runs, &question, nullptr, nullptr});
    };
    Runs runs({catalogue, lesson.folder});
    Question question;
    times.show.push_back(milliseconds([&] {
        question = question_of(page, runs);
        fill(page.words, runs, question);
        fill(page.labels, runs, question);
        if (question.kind != Kind::schedule) (void)shown_run(page.show, runs);
    }));
    if (!page.ask || page.ask->kind == Kind::reflect) return;
    Measured measured;
    for (const std::string& kernel : page.ask->kernels)
        measured.seconds[kernel] = 1e-3;
    measured.runs = measured.right = 100;
    Answer right;
    {
        Runs apart({catalogue, lesson.folder});  // finding a schedule is not the student's time
        right = right_answer(page, question, apart);
    }
    const Answer wrong = wrong_answer(page, question, runs);
    Runs again({catalogue, lesson.folder});
    (void)question_of(page, again);
    times.right.push_back(milliseconds([&] {
        (void)reply_to(page, question, right, judge(page, question, right, runs, &measured), runs,
                       &measured);
    }));
    times.wrong.push_back(milliseconds([&] {
        (void)reply_to(page, question, wrong, judge(page, question, wrong, again, &measured), again,
                       &measured);
    }));
}

int bench(const char* kernels, const char* lessons, int rounds) {
    const catalogue::Catalogue catalogue = catalogue::load_catalogue(kernels);
    for (const std::filesystem::path& folder : lesson_folders(lessons)) {
        const ReadLesson read = read_lesson(folder, "en", catalogue);
        if (!read.lesson) continue;
        for (const Page& page : read.lesson->pages) {
            Times times;
            for (int round = 0; round < rounds; ++round)
                add_times(times, page, catalogue, *read.lesson);
            nlohmann::json line{{"lesson", read.lesson->id},
                                {"page", page.id},
                                {"kind", page.ask ? name_of(page.ask->kind) : ""},
                                {"show_ms", median(times.show)}};
            if (!times.right.empty()) {
                line["right_ms"] = median(times.right);
                line["wrong_ms"] = median(times.wrong);
            }
            std::cout << line.dump() << std::endl;
        }
    }
    return 0;
}

}  // namespace
}  // namespace lab::lessons

int main(int count, char** arguments) {
    if (count < 3) {
        std::cerr << "lesson_bench KERNELS LESSONS [ROUNDS]\n";
        return 2;
    }
    try {
        return lab::lessons::bench(arguments[1], arguments[2],
                                   count > 3 ? std::max(1, std::atoi(arguments[3])) : 5);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
