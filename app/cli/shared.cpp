#include "cli/shared.h"

#include <algorithm>

#include "base/paths.h"
#include "catalogue/number.h"
#include "cli/reports/report.h"

namespace lab::cli {

void add_json(CLI::App& app, bool& json) {
    app.add_flag("--json", json, "Print JSON instead of text");
}

catalogue::Catalogue catalogue() {
    catalogue::Catalogue loaded = catalogue::load_catalogue();
    for (const Problem& problem : loaded.problems)
        warn(problem);
    if (loaded.variants.empty())
        throw Problem("There is no kernel that can be read", "",
                      "Install the program again, or fix the files",
                      (data_folder() / "kernels").string());
    return loaded;
}

std::vector<std::string> variant_ids(const std::vector<std::string>& asked,
                                     const catalogue::Catalogue& all) {
    std::vector<std::string> ids;
    for (const std::string& id : asked) {
        if (id == "all") {
            ids.clear();
            for (const catalogue::Variant& variant : all.variants)
                ids.push_back(variant.id);
            return ids;
        }
        (void)all.find(id);
        if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
    }
    return ids;
}

}  // namespace lab::cli
