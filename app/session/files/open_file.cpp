#include "session/files/open_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/paths.h"
#include "results/results_file.h"
#include "session/files/link.h"
#include "session/files/state_file.h"
#include "session/measure/measure_view.h"
#include "session/shell/session.h"
#include "views/learn/learn.h"

namespace lab::session {
namespace {

constexpr std::size_t kLargest = std::size_t{256} << 20U;  // bytes

bool any(std::string_view) {
    return true;
}

void open_state(Session& session, const fs::path& file) {
    show_saved(session, read_saved(file, session.options().views));
    session.notices().say(
        session.words()("toast.opened", fmt::arg("name", file.filename().string())));
}

void open_results(Session& session, const fs::path& file) {
    results::Measurements results = results::read_results(file);
    if (results.rows.empty())
        throw Problem("The file holds no rows that could be shown", "",
                      "Give a .json file that `measure -o` or Ctrl+E wrote", file.string());
    session.view<MeasureView>().add({file, std::move(results)});
    session.show_view<MeasureView>();
    session.notices().say(
        session.words()("toast.added", fmt::arg("name", file.filename().string())));
}

void open_kernel(Session& session, const fs::path& file) {
    open_kernel(session, file);
}

// A folder of lessons, or the lesson that a file is of.
void open_lessons(Session& session, const fs::path& file) {
    std::error_code error;
    open_folder(session.view<LearnView>(),
                fs::is_directory(file, error) ? file : file.parent_path());
    session.show_view<LearnView>();
}

// In the order in which they are asked: the last of a suffix takes whatever is left.
constexpr std::array kKinds{
    FileKind{"state", kStateSuffix, any, open_state},
    FileKind{"state", ".json", looks_like_saved, open_state},
    FileKind{"results", ".json", any, open_results},
    FileKind{"kernel", ".cl", any, open_kernel},
    FileKind{"lesson", ".md", any, open_lessons},
};

const FileKind& kind_of(const fs::path& file) {
    if (!lessons::lesson_folders(file).empty()) return kKinds.back();
    const std::string suffix = suffix_of(file);
    if (is_known_suffix(file)) {
        const std::string text = read_file(file, kLargest);
        for (const FileKind& kind : kKinds)
            if (suffix == kind.suffix && kind.holds(text)) return kind;
    }
    std::error_code error;
    if (fs::is_directory(file, error))
        throw Problem(fmt::format("'{}' is a folder without lessons", file.filename().string()), "",
                      "Give the files in it, or a folder with a file lesson.md", file.string());
    throw Problem(
        fmt::format("'{}' is no file that can be opened", file.filename().string()),
        suffix.empty() ? "Its name has no suffix that tells what it is"
                       : fmt::format("'{}' is not a known kind", suffix),
        fmt::format(
            "Open a kernel (.cl), a moment ({}), a lesson (.md) or results of measurements (.json)",
            kStateSuffix),
        file.string());
}

}  // namespace

std::span<const FileKind> file_kinds() {
    return kKinds;
}

bool is_known_suffix(const fs::path& file) {
    const std::string suffix = suffix_of(file);
    return std::any_of(kKinds.begin(), kKinds.end(),
                       [&](const FileKind& kind) { return suffix == kind.suffix; });
}

bool open_link(Session& session, const std::string& link) {
    try {
        show_saved(session, read_link(link, session.options().views));
        session.set_page(page_of_link(link));
        session.notices().say(session.words()("toast.link_opened"));
        return true;
    } catch (const Problem& problem) {
        session.notices().report("file", problem, true);
    }
    return false;
}

bool open_file(Session& session, const fs::path& file) {
    if (looks_like_link(file.string())) return open_link(session, file.string());
    try {
        const fs::path whole = fs::absolute(file);
        kind_of(whole).open(session, whole);
        session.set_folder(whole.parent_path().string());
        return true;
    } catch (const Problem& problem) {
        session.notices().report("file", problem, true);
    } catch (const fs::filesystem_error& error) {
        session.notices().report(
            "file", Problem("The file could not be opened", error.what(), "Check the path"), true);
    }
    return false;
}

}  // namespace lab::session
