#include "simulation/include_files.h"

#include <algorithm>
#include <string_view>

#include "base/paths.h"

namespace lab::simulation {
namespace {

constexpr std::size_t kMostFiles = 64, kMostFileBytes = std::size_t{1} << 20;

// The names in lines such as # include "name" and <name>, whatever conditions say.
std::vector<std::string> names_in(std::string_view text) {
    std::vector<std::string> names;
    constexpr std::string_view kWord = "include";
    for (std::size_t at = text.find(kWord); at != std::string_view::npos;
         at = text.find(kWord, at + 1)) {
        const std::size_t line = text.rfind('\n', at) + 1;  // npos + 1 is 0
        const std::string_view before = text.substr(line, at - line);
        const std::size_t sign = before.find_first_not_of(" \t");
        if (sign == std::string_view::npos || before[sign] != '#' ||
            before.find_first_not_of(" \t", sign + 1) != std::string_view::npos)
            continue;
        const std::size_t open = text.find_first_not_of(" \t", at + kWord.size());
        if (open == std::string_view::npos || (text[open] != '"' && text[open] != '<')) continue;
        const std::size_t close = text.find_first_of(text[open] == '"' ? "\"\n" : ">\n", open + 1);
        if (close == std::string_view::npos || text[close] == '\n') continue;
        names.emplace_back(text.substr(open + 1, close - open - 1));
    }
    return names;
}

}  // namespace

lang::Sources include_files(const std::string& file, const std::string& text,
                            const std::vector<std::string>& folders) {
    lang::Sources found;
    const auto add = [&](const std::string& name, const fs::path& beside) {
        if (found.size() == kMostFiles ||
            std::any_of(found.begin(), found.end(),
                        [&](const lang::Source& each) { return each.included_as == name; }))
            return;
        std::vector<fs::path> places{beside, fs::path(file).parent_path()};
        places.insert(places.end(), folders.begin(), folders.end());
        for (const fs::path& folder : places) {
            const fs::path path = folder / name;
            std::error_code error;
            if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostFileBytes)
                continue;
            found.push_back({path.lexically_normal().string(), read_file(path), name});
            return;
        }
    };
    for (const std::string& name : names_in(text))
        add(name, fs::path(file).parent_path());
    for (std::size_t i = 0; i < found.size(); ++i)  // grows meanwhile
        for (const std::string& name : names_in(found[i].text))
            add(name, fs::path(found[i].name).parent_path());
    return found;
}

}  // namespace lab::simulation
