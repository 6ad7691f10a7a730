#include "session/files/export_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "base/paths.h"
#include "session/files/new_file.h"
#include "session/shell/session.h"

namespace lab::session {
namespace {

ExportHabit habit_of(const Session& session) {
    const auto& known = session.settings().exports;
    const auto found = known.find(session.settings().view);
    ExportHabit habit = found == known.end() ? ExportHabit{} : found->second;
    const auto suffixes = export_suffixes(session);
    if (std::find(suffixes.begin(), suffixes.end(), habit.suffix) == suffixes.end())
        habit.suffix = suffixes.empty() ? "" : suffixes.front();
    std::error_code error;
    if (habit.folder.empty() || !fs::is_directory(habit.folder, error))
        habit.folder = documents_folder().string();
    return habit;
}

std::string name_of(const Session& session, const ExportHabit& habit) {
    return habit.name.empty() ? session.shown().export_offer().name : habit.name;
}

// "name-2" of a file that gave way to another is the name "name".
bool is_usual(const std::string& stem, const std::string& usual) {
    if (!stem.starts_with(usual)) return false;
    const std::string rest = stem.substr(usual.size());
    return rest.empty() || (rest[0] == '-' && rest.size() > 1 &&
                            rest.find_first_not_of("0123456789", 1) == std::string::npos);
}

}  // namespace

std::vector<const char*> export_suffixes(const Session& session) {
    const auto offered = session.shown().export_offer().suffixes;
    std::vector<const char*> suffixes(offered.begin(), offered.end());
    if (platform::kBrowser)  // which draws none
        std::erase_if(suffixes, [](std::string_view suffix) { return suffix == ".pdf"; });
    return suffixes;
}

fs::path suggested_export(const Session& session, const std::string& suffix) {
    const ExportHabit habit = habit_of(session);
    return new_file(habit.folder, name_of(session, habit), suffix.empty() ? habit.suffix : suffix);
}

void export_to(Session& session, const fs::path& file) {
    const fs::path folder = file.parent_path();
    const fs::path written = new_file(folder, file.stem().string(), file.extension().string());
    session.export_shown(written);
    const std::string stem = file.stem().string();
    const bool usual = is_usual(stem, session.shown().export_offer().name);
    session.set_export({folder.string(), usual ? "" : stem, file.extension().string()});
    if (!platform::kBrowser) session.copy(written.string());
    session.notices().say_exported(
        session.words()(kSavedText, fmt::arg("name", written.filename().string())),
        session.settings().view);
}

void export_also(Session& session, const std::string& suffix) {
    try {
        export_to(session, suggested_export(session, suffix));
    } catch (const Problem& problem) {
        session.notices().report("file", problem, true);
    }
}

void export_again(Session& session) {
    if (!session.settings().exports.contains(session.settings().view)) {
        session.show("export");
        return;
    }
    try {
        const ExportHabit habit = habit_of(session);
        export_to(session, fs::path(habit.folder) / (name_of(session, habit) + habit.suffix));
    } catch (const Problem& problem) {
        session.notices().report("file", problem, true);
    }
}

}  // namespace lab::session
