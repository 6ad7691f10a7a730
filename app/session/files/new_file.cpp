#include "session/files/new_file.h"

#include <algorithm>

#include "base/paths.h"
#include "base/text.h"
#include "session/shell/session.h"

namespace lab::session {

fs::path folder_to_open(const Session& session) {
    std::error_code error;
    const fs::path last = session.settings().folder;
    if (!last.empty() && fs::is_directory(last, error)) return last;
    return documents_folder();
}

fs::path new_file(const fs::path& folder, const std::string& stem, const std::string& suffix) {
    std::string name = stem;
    std::replace(name.begin(), name.end(), '/', '-');
    fs::path file = folder / (name + suffix);
    std::error_code error;
    for (int number = 2; fs::exists(fs::symlink_status(file, error)); ++number)
        file = folder / (name + "-" + std::to_string(number) + suffix);
    return file;
}

fs::path typed_path(const std::string& text, const fs::path& folder) {
    const std::string words(trimmed(text));
    if (words.empty()) return folder;
    if (words == "~") return home_folder();
    if (words.starts_with("~/")) return home_folder() / words.substr(2);
    return folder / words;
}

}  // namespace lab::session
