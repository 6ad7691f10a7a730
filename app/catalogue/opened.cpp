// Kernel files from elsewhere, which stand in the catalogue beside the program's own.
#include <algorithm>

#include "catalogue/gain.h"
#include "catalogue/header.h"
#include "catalogue/variant.h"

namespace lab::catalogue {

bool has_header(std::string_view text) {
    try {
        const Header header("", text);
        return header.find("entry") != nullptr;
    } catch (const Problem&) {
        // A header with a mistake in it is one all the same.
        const auto close = text.find("*/");
        return close != std::string_view::npos &&
               text.substr(0, close).find("entry:") != std::string_view::npos;
    }
}

Variant parse_opened(const Catalogue& catalogue, const std::filesystem::path& file,
                     std::string text) {
    Variant variant = parse_variant(file, std::move(text));
    variant.chapter = kOpenedChapter;
    for (const Variant& other : catalogue.variants)
        if (other.id == variant.id && other.chapter != kOpenedChapter) {
            variant.id += "-opened";
            break;
        }
    if (const auto problem = problem_of_gain(catalogue, variant)) throw Problem(*problem);
    return variant;
}

void add_opened(Catalogue& catalogue, Variant variant) {
    const auto same = std::find_if(catalogue.variants.begin(), catalogue.variants.end(),
                                   [&](const Variant& other) { return other.id == variant.id; });
    if (same == catalogue.variants.end())
        catalogue.variants.push_back(std::move(variant));
    else
        *same = std::move(variant);
}

}  // namespace lab::catalogue
