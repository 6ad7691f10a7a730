#include "lessons/grading/progress.h"

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/paths.h"

namespace lab::lessons {
namespace {

using nlohmann::json;
constexpr int kVersion = 1;

}  // namespace

LAB_JSON_FIELDS_OR_DEFAULT(Answer, texts, picks)
LAB_JSON_FIELDS_OR_DEFAULT(PageProgress, answer, right, given_up, skipped, measured, tries, wrong)
LAB_JSON_FIELDS_OR_DEFAULT(Progress, lesson, page, pages, drafts)

bool Progress::done(const std::string& name) const {
    const auto found = pages.find(name);
    return found != pages.end() &&
           (found->second.right || found->second.given_up || found->second.measured);
}

std::filesystem::path progress_file(const std::string& lesson) {
    return config_folder() / "lessons" / (lesson + ".json");
}

Progress load_progress(const std::string& lesson, std::optional<Problem>& problem) {
    Progress progress;
    progress.lesson = lesson;
    const std::filesystem::path file = progress_file(lesson);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return progress;
    std::string text, why;
    try {
        text = read_file(file, std::size_t{1} << 24U);
        json::parse(text).get_to(progress);
        progress.lesson = lesson;
        return progress;
    } catch (const Problem& damaged) {
        why = damaged.what_happened;
    } catch (const json::exception& damaged) {
        why = json_trouble(damaged, text);
    }
    std::filesystem::rename(file, file.string() + ".damaged", error);
    problem = Problem("The answers to this lesson could not be read, so it begins anew", why,
                      "The old file is kept beside it, with the ending .damaged", file.string());
    Progress empty;
    empty.lesson = lesson;
    return empty;
}

void save_progress(const Progress& progress) {
    write_file(progress_file(progress.lesson), json(progress).dump(1) + "\n");
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
    try {
        const json in = json::parse(text);
        if (in.value("reduction-lab", "") != "answers")
            throw Problem("This is no file of answers", "It does not say that it is one",
                          "Students make one by Hand in, in the view Learn", file.string());
        if (in.value("version", 0) > kVersion)
            throw Problem("The answers are of a newer version of Reduction Lab", "",
                          "Update the program", file.string());
        hand_in.name = in.value("name", "");
        in.at("lessons").get_to(hand_in.lessons);
    } catch (const json::exception& error) {
        throw Problem("The answers cannot be read", json_trouble(error, text),
                      "Ask for the file again", file.string());
    }
    return hand_in;
}

}  // namespace lab::lessons
