// lesson: what a teacher does with lessons outside the window.
#include <fmt/format.h>

#include <iostream>

#include "base/paths.h"
#include "cli/command.h"
#include "cli/lessons/worksheet.h"
#include "cli/reports/report.h"
#include "cli/shared.h"
#include "figures/painters/cairo.h"
#include "figures/scene/palette.h"
#include "lessons/files/glossary.h"
#include "lessons/grading/check.h"
#include "lessons/grading/grade.h"
#include "lessons/grading/progress.h"

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
    std::string text = fmt::format("{}: {} ({}), {} page{}\n", lesson.id, lesson.title,
                                   fmt::join(lesson.languages, ", "), lesson.pages.size(),
                                   lesson.pages.size() == 1 ? "" : "s");
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

struct LessonPrint {
    std::vector<std::string> folders;
    std::string file, language = "en";
    bool key = false;
};

Exit print_lessons(const LessonPrint& options) {
    if (suffix_of(options.file) != ".pdf")
        throw Problem(fmt::format("'{}' is no sheet that can be written", options.file),
                      "A worksheet has several pages", "End the name in .pdf", options.file);
    const catalogue::Catalogue all = catalogue();
    const figures::Fonts fonts;
    const Translations tr(options.language);
    const SheetTools tools{fonts, tr, options.key};
    figures::Sheets sheets;
    std::string title;
    for (const std::filesystem::path& folder : folders_of(options.folders)) {
        const lessons::ReadLesson read = lessons::read_lesson(folder, options.language, all);
        // A sheet with a mistake in it is not handed out.
        if (!read.problems.empty()) {
            Problem problem = read.problems.front();
            throw Problem(problem.what_happened, problem.why, problem.hint,
                          fmt::format("{}/{}", folder.filename().string(), problem.where));
        }
        add_lesson(sheets, *read.lesson, all, tools);
        title += (title.empty() ? "" : ", ") + read.lesson->title;
    }
    std::vector<figures::Scene> pages =
        sheets.finish([&](figures::Scene& page, std::size_t number, std::size_t count) {
            add_foot(page, title, number, count, tools);
        });
    pages.front().title = title;
    write_file(options.file, figures::pdf(pages, figures::load_palette("light"), fonts));
    std::cerr << fmt::format("wrote {}, {} pages\n", options.file, pages.size());
    return Exit::done;
}

struct LessonGrade {
    std::vector<std::string> answers;
    std::string folder, file;
};

Exit grade_answers(const LessonGrade& options) {
    if (!options.file.empty() && suffix_of(options.file) != ".csv")
        throw Problem(fmt::format("'{}' is no table that can be written", options.file), "",
                      "End the name in .csv", options.file);
    const catalogue::Catalogue all = catalogue();
    const std::string from =
        options.folder.empty() ? (data_folder() / "assets" / "lessons").string() : options.folder;
    lessons::ClassGrade graded =
        lessons::grade({options.answers.begin(), options.answers.end()}, folders_of({from}), all);
    std::cout << lessons::text_of(graded) << std::flush;
    for (const Problem& problem : graded.problems)
        warn(problem);
    for (const Problem& doubt : graded.doubts)
        warn(doubt);
    if (!options.file.empty()) {
        write_file(options.file, lessons::csv_of(graded));
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
    check_app.callback(
        [action, checked] { *action = [checked] { return check_lessons(*checked); }; });

    const auto printed = make<LessonPrint>();
    CLI::App& print_app = *app.add_subcommand(
        "print", "Make a worksheet of a lesson, with figures and blanks, or the key to it");
    print_app
        .add_option("FOLDER", printed->folders, "Folders of lessons, or one with such folders")
        ->required();
    print_app.add_option("-o,--output", printed->file, "Write to this file: pdf")
        ->required()
        ->type_name("FILE");
    print_app.add_flag("--key", printed->key, "With the answers, and why they are right");
    print_app.add_option("--language", printed->language, "Language of the words")
        ->check(CLI::IsMember(words(kLanguages)))
        ->capture_default_str();
    print_app.callback(
        [action, printed] { *action = [printed] { return print_lessons(*printed); }; });

    const auto graded = make<LessonGrade>();
    CLI::App& grade_app = *app.add_subcommand(
        "grade", "Check what students handed in, and say what was mostly wrong");
    grade_app.add_option("ANSWERS", graded->answers, "Files that students handed in")->required();
    grade_app.add_option("--lessons", graded->folder, "Folder of the lessons [those that ship]")
        ->type_name("FOLDER");
    grade_app.add_option("-o,--output", graded->file, "Write the table to this file: csv")
        ->type_name("FILE");
    grade_app.callback([action, graded] { *action = [graded] { return grade_answers(*graded); }; });
    return [action] { return (*action)(); };
}

}  // namespace lab::cli
