// lesson: what a teacher does with lessons outside the window.
#include <fmt/format.h>

#include <iostream>

#include "base/paths.h"
#include "cli/command.h"
#include "cli/report.h"
#include "cli/shared.h"
#include "lessons/check.h"
#include "lessons/glossary.h"

namespace lab::cli {
namespace {

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
    std::string text = fmt::format("{}: {} ({}), {} pages\n", lesson.id, lesson.title,
                                   fmt::join(lesson.languages, ", "), lesson.pages.size());
    std::size_t number = 0;
    for (const lessons::CheckedPage& page : lesson.pages)
        text += fmt::format("  {:>2}  {:<9} {}{}{}\n", ++number, page.kind, page.title,
                            page.answer.empty() ? "" : " = ", page.answer);
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

nlohmann::json json_of(const lessons::CheckedGlossary& glossary) {
    nlohmann::json words = nlohmann::json::array();
    for (const lessons::CheckedWord& word : glossary.words)
        words.push_back({{"id", word.id},
                         {"title", word.title},
                         {"kernel", word.kernel},
                         {"picture", word.picture},
                         {"moments", word.moments},
                         {"holds", word.holds}});
    return {{"languages", glossary.languages},
            {"words", std::move(words)},
            {"problems", glossary.problems}};
}

struct LessonCheck {
    std::vector<std::string> folders;
    bool json = false;
};

Exit check_lessons(const LessonCheck& options) {
    const catalogue::Catalogue all = catalogue();
    std::size_t problems = 0;
    nlohmann::json out = nlohmann::json::array(), glossaries = nlohmann::json::array();
    for (const std::filesystem::path& folder : folders_of(options.folders)) {
        if (lessons::is_glossary_folder(folder)) {
            const lessons::CheckedGlossary glossary = lessons::check_glossary(folder, all);
            problems += glossary.problems.size();
            if (options.json)
                glossaries.push_back(json_of(glossary));
            else
                std::cout << text_of(glossary) << std::flush;
            for (const Problem& problem : glossary.problems)
                if (!options.json) warn(problem);
            continue;
        }
        const lessons::CheckedLesson lesson = lessons::check_lesson(folder, all);
        problems += lesson.problems.size();
        if (options.json)
            out.push_back(lesson);
        else
            std::cout << text_of(lesson) << std::flush;
        for (const Problem& problem : lesson.problems)
            if (!options.json) warn(problem);
    }
    nlohmann::json printed{{"schema", 1}, {"lessons", std::move(out)}};
    if (!glossaries.empty()) printed["glossaries"] = std::move(glossaries);
    if (options.json) print_json(printed);
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
        .add_option("FOLDER", checked->folders,
                    "Folders of lessons or a glossary, or one with such folders")
        ->required();
    add_json(check_app, checked->json);
    check_app.callback(
        [action, checked] { *action = [checked] { return check_lessons(*checked); }; });
    return [action] { return (*action)(); };
}

}  // namespace lab::cli
