// The variants of a folder: those that can be read, and the problems of the others.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/paths.h"
#include "base/problem.h"
#include "catalogue/gain.h"
#include "catalogue/variant.h"

namespace lab::catalogue {

const Variant& Catalogue::find(std::string_view id) const {
    std::vector<std::string> ids;
    for (const Variant& variant : variants) {
        if (variant.id == id) return variant;
        ids.push_back(variant.id);
    }
    throw Problem(fmt::format("There is no variant '{}'", id), "", choices_hint(id, ids));
}

Catalogue load_catalogue(const fs::path& folder) {
    Catalogue catalogue;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".cl") continue;
        try {
            Variant variant =
                parse_variant(entry.path(), read_file(entry.path(), std::size_t{1} << 22));
            for (const Variant& other : catalogue.variants)
                if (other.id == variant.id)
                    throw Problem(fmt::format("There are two variants '{}'", variant.id),
                                  fmt::format("{} and {}", other.file.filename().string(),
                                              entry.path().filename().string()),
                                  "Rename one of the files",
                                  entry.path().filename().string() + ":1");
            catalogue.variants.push_back(std::move(variant));
        } catch (const Problem& problem) {
            catalogue.problems.push_back(problem);
        }
    }
    if (error)
        throw Problem(fmt::format("The folder of kernels {} cannot be read", folder.string()),
                      error.message(), "Install the program again");
    std::sort(catalogue.variants.begin(), catalogue.variants.end(),
              [](const Variant& a, const Variant& b) {
                  return std::tie(a.chapter, a.order, a.id) < std::tie(b.chapter, b.order, b.id);
              });
    check_gains(catalogue);
    return catalogue;
}

Catalogue load_catalogue() {
    return load_catalogue(data_folder() / "kernels");
}

}  // namespace lab::catalogue
