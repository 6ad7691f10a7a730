#include "simulation/include_files.h"

#include <algorithm>
#include <string_view>

#include "base/paths.h"

namespace lab::simulation {
namespace {

constexpr std::size_t kMostFiles = 64, kMostFileBytes = std::size_t{1} << 20;

// One #include "name" or <name>: its line is text[first, end).
struct Included {
    std::size_t first = 0, end = 0;
    std::string name;
};

// In lines such as # include "name", whatever conditions say.
std::vector<Included> includes_in(std::string_view text) {
    std::vector<Included> found;
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
        const std::size_t end = std::min(text.find('\n', close), text.size());
        found.push_back({line, end, std::string(text.substr(open + 1, close - open - 1))});
    }
    return found;
}

bool says(const lang::Source& file, const char* word) {
    return file.text.find(word) != std::string::npos;
}

// `open`: the files that are being put together; `seen`: those that were.
std::string joined_text(const std::string& text, const lang::Sources& files,
                        std::vector<const lang::Source*>& open,
                        std::vector<const lang::Source*>& seen) {
    std::string joined;
    std::size_t at = 0;
    const auto among = [](const auto& list, const lang::Source* one) {
        return std::find(list.begin(), list.end(), one) != list.end();
    };
    for (const Included& included : includes_in(text)) {
        const auto file = std::find_if(files.begin(), files.end(), [&](const lang::Source& each) {
            return each.included_as == included.name;
        });
        if (file == files.end() || joined.size() > kMostFileBytes) continue;
        const bool once = says(*file, "#pragma once");
        if (among(open, &*file) && !once && !says(*file, "#ifndef")) continue;
        joined.append(text, at, included.first - at);
        at = included.end;
        if (among(open, &*file) || (once && among(seen, &*file))) continue;
        open.push_back(&*file);
        seen.push_back(&*file);
        joined += joined_text(file->text, files, open, seen);
        open.pop_back();
    }
    return joined.append(text, at);
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
    for (const Included& each : includes_in(text))
        add(each.name, fs::path(file).parent_path());
    for (std::size_t i = 0; i < found.size(); ++i)  // grows meanwhile
        for (const Included& each : includes_in(std::string(found[i].text)))
            add(each.name, fs::path(found[i].name).parent_path());
    return found;
}

std::string with_includes(const std::string& text, const lang::Sources& files) {
    std::vector<const lang::Source*> open, seen;
    return joined_text(text, files, open, seen);
}

}  // namespace lab::simulation
