#include "results/documents.h"

#include <algorithm>
#include <sstream>

#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/paths.h"
#include "base/problem.h"
#include "base/ranges.h"
#include "results/result.h"

namespace lab::results {

// Lists that come with the program, in its data folder.

// The list `key` of the data folder's file. Throws Problem that says `trouble` if it is damaged.
template <typename T>
std::vector<T> read_list(const char* name, const char* key, const char* trouble) {
    const fs::path file = data_folder() / name;
    const std::string text = read_file(file);
    try {
        return nlohmann::json::parse(text).at(key);
    } catch (const nlohmann::json::exception& error) {
        throw Problem(trouble, json_trouble(error, text), "Install the program again",
                      file.string());
    }
}

LAB_JSON_LOCAL_FIELDS(DocumentFigure, document, hardware, variant, n, group, set, ms)

bool comparable_with_documents(const Measurements& measurements) {
    return measurements.op == "add" && !measurements.rows.empty() &&
           measurements.rows.front().bytes == 4 * measurements.rows.front().n;
}

std::vector<DocumentFigure> document_figures() {
    return read_list<DocumentFigure>("assets/documents.json", "figures",
                                     "The documents' figures cannot be read");
}

std::vector<DocumentFigure> without_defaults(std::vector<DocumentFigure> figures,
                                             const catalogue::Catalogue& catalogue) {
    for (DocumentFigure& figure : figures)
        for (const catalogue::Kernel& variant : catalogue.variants) {
            if (variant.id != figure.variant) continue;
            std::erase_if(figure.set, [&](const auto& setting) {
                const catalogue::Toggle* toggle = variant.toggle(setting.first);
                return toggle != nullptr && !toggle->values.empty() &&
                       toggle->values.front() == setting.second;
            });
        }
    return figures;
}

// Whole words, so that "RTX 4070" is not found in "RTX 4070 Ti", which is ruled out, nor in
// "RTX 40700".
static bool has_words(const std::string& name, const std::string& words) {
    const auto part_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)); };
    for (std::size_t index = name.find(words); index != std::string::npos;
         index = name.find(words, index + 1)) {
        const std::size_t end = index + words.size();
        if ((index == 0 || !part_of_word(name[index - 1])) &&
            (end == name.size() || !part_of_word(name[end])))
            return true;
    }
    return false;
}

static bool suits(const std::string& name, const Datasheet& datasheet) {
    if (has_words(name, "MIG")) return false;  // a slice of the device, with a part of its memory
    std::istringstream parts(datasheet.device);
    std::string wanted;
    for (std::string word; parts >> word;) {
        if (word.starts_with('!')) {
            if (has_words(name, word.substr(1))) return false;
        } else {
            wanted += wanted.empty() ? word : " " + word;
        }
    }
    return !wanted.empty() && has_words(name, wanted);
}

LAB_JSON_LOCAL_FIELDS(Datasheet, device, gigabytes_per_second, source)

std::vector<Datasheet> datasheets() {
    return read_list<Datasheet>("assets/datasheets.json", "datasheets",
                                "The datasheets' figures cannot be read");
}

const Datasheet* datasheet_of(const std::string& device, std::span<const Datasheet> all) {
    return find_if(all, [&](const Datasheet& datasheet) { return suits(device, datasheet); });
}

}  // namespace lab::results
