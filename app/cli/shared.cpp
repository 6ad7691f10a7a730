#include "cli/shared.h"

#include <algorithm>

#include "base/paths.h"
#include "catalogue/number.h"
#include "cli/report.h"

namespace lab::cli {

void add_json(CLI::App& app, bool& json) {
    app.add_flag("--json", json, "Print JSON instead of text");
}

Catalogue catalogue() {
    Catalogue loaded = load_catalogue();
    for (const Problem& problem : loaded.problems)
        warn(problem);
    if (loaded.variants.empty())
        throw Problem("There is no kernel that can be read", "",
                      "Install the program again, or mend the files",
                      (data_folder() / "kernels").string());
    return loaded;
}

std::vector<std::string> variant_ids(const std::vector<std::string>& asked, const Catalogue& all) {
    std::vector<std::string> ids;
    for (const std::string& id : asked) {
        if (id == "all") {
            ids.clear();
            for (const Variant& variant : all.variants)
                ids.push_back(variant.id);
            return ids;
        }
        (void)all.find(id);
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    return ids;
}

std::vector<std::uint64_t> parse_groups(const std::string& text) {
    std::vector<std::uint64_t> groups;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        groups.push_back(parse_size(text.substr(at, end - at)));
        if (groups.back() == 0)
            throw Problem("A group has at least one work-item", "", "Write --group 256", "--group");
        at = end + 1;
    }
    std::vector<std::uint64_t> once;
    for (const std::uint64_t group : groups)
        if (std::find(once.begin(), once.end(), group) == once.end()) once.push_back(group);
    return once;
}

}  // namespace lab::cli
