// lesson: what a teacher does with lessons outside the window.
#include <fmt/format.h>

#include <iostream>

#include "base/paths.h"
#include "cli/command.h"
#include "cli/report.h"
#include "cli/shared.h"
#include "lessons/check.h"

namespace lab::cli {
namespace {

std::vector<std::filesystem::path> folders_of(const std::vector<std::string>& names) {
    std::vector<std::filesystem::path> folders;
    for (const std::string& name : names) {
        std::filesystem::path path = name;
        if (path.filename().empty()) path = path.parent_path();  // "lessons/"
        const std::vector<std::filesystem::path> found =
            lessons::lesson_folders(std::filesystem::absolute(path));
        if (found.empty())
            throw Problem(fmt::format("There is no lesson in {}", name),
                          "A lesson is a folder with a file lesson.md", "Name such a folder", name);
        folders.insert(folders.end(), found.begin(), found.end());
    }
    return folders;
}

std::string text_of(const lessons::CheckedLesson& lesson) {
    std::string text = fmt::format("{}: {} ({}), {} pages\n", lesson.id, lesson.title,
                                   fmt::join(lesson.languages, ", "), lesson.pages.size());
    std::size_t number = 0;
    for (const lessons::CheckedPage& page : lesson.pages)
        text += fmt::format("  {:>2}  {:<9} {}{}{}\n", ++number, page.kind, page.title,
                            page.answer.empty() ? "" : " = ", page.answer);
    return text;
}

struct LessonCheck {
    std::vector<std::string> folders;
    bool json = false;
};

Exit check_lessons(const LessonCheck& options) {
    const catalogue::Catalogue all = catalogue();
    std::size_t problems = 0;
    nlohmann::json out = nlohmann::json::array();
    for (const std::filesystem::path& folder : folders_of(options.folders)) {
        const lessons::CheckedLesson lesson = lessons::check_lesson(folder, all);
        problems += lesson.problems.size();
        if (options.json)
            out.push_back(lesson);
        else
            std::cout << text_of(lesson) << std::flush;
        for (const Problem& problem : lesson.problems)
            if (!options.json) warn(problem);
    }
    if (options.json) print_json(nlohmann::json{{"schema", 1}, {"lessons", out}});
    return problems == 0 ? Exit::done : Exit::found;
}

}  // namespace

Action lesson_command(CLI::App& app) {
    app.require_subcommand(1);
    auto action = make<Action>();
    const auto checked = make<LessonCheck>();
    CLI::App& check_app = *app.add_subcommand(
        "check", "See that every page can be shown and solved, and print its answer");
    check_app
        .add_option("FOLDER", checked->folders, "Folders of lessons, or one with such folders")
        ->required();
    add_json(check_app, checked->json);
    check_app.callback(
        [action, checked] { *action = [checked] { return check_lessons(*checked); }; });
    return [action] { return (*action)(); };
}

}  // namespace lab::cli
