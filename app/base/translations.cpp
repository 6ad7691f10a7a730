#include "base/translations.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <locale>
#include <nlohmann/json.hpp>

#include "base/paths.h"
#include "base/problem.h"

namespace lab {
namespace {

std::string place(const fs::path& file, const std::string& text, std::size_t offset) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
    return fmt::format("{}:{}", file.string(), 1 + std::count(text.begin(), end, '\n'));
}

Problem damaged(std::string why, std::string where) {
    return {"A table of translations is damaged", std::move(why),
            "Fix the file, or install the program again", std::move(where)};
}

// "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error …": what follows
// the place, which is said in our own way.
std::string reason_of(std::string_view message) {
    for (const std::string_view before : {"] ", ": "})
        if (const auto position = message.find(before); position != std::string_view::npos)
            message.remove_prefix(position + before.size());
    return std::string(message);
}

fs::path file_of(std::string_view table) {
    return data_folder() / "assets" / "lang" / fmt::format("{}.json", table);
}

nlohmann::json parsed(const fs::path& file, const std::string& text) {
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::parse_error& error) {
        throw damaged(reason_of(error.what()), place(file, text, error.byte - 1));
    }
}

// What a table of the folder makes: `args` after its JSON.
template <typename Made, typename... Args>
Made made_of(std::string_view table, const Args&... args) {
    const fs::path file = file_of(table);
    const std::string text = read_file(file);
    try {
        return Made(parsed(file, text), args...);
    } catch (const nlohmann::json::exception& error) {
        throw damaged(reason_of(error.what()), file.string());
    }
}

std::map<std::string, std::string, std::less<>> read_table(std::string_view language,
                                                           const Terms& terms) {
    const fs::path file = file_of(language);
    const std::string text = read_file(file);
    const nlohmann::json json = parsed(file, text);
    if (!json.is_object()) throw damaged("It is no object of key and text", place(file, text, 0));

    std::map<std::string, std::string, std::less<>> table;
    for (const auto& [key, value] : json.items()) {
        if (!value.is_string())
            throw damaged(fmt::format("The entry '{}' is no text", key),
                          place(file, text, text.find(fmt::format("\"{}\"", key))));
        table.emplace(key, terms.resolved(value.get<std::string>()));
    }
    return table;
}

}  // namespace

Translations::Translations(std::string_view language, Api api) : language_(language), api_(api) {
    if (std::find(std::begin(kLanguages), std::end(kLanguages), language) == std::end(kLanguages))
        throw Problem(fmt::format("The language '{}' is not known", language),
                      "There is no table of translations for it",
                      fmt::format("Choose one of: {}", fmt::join(kLanguages, ", ")));
    const auto terms = [api](std::string_view of) {
        return api == Api::cuda ? made_of<Terms>("terms", of) : Terms();
    };
    english_ = read_table("en", terms("en"));
    texts_ = language == "en" ? english_ : read_table(language, terms(language));
    messages_ = made_of<Messages>("messages", language, terms(language));
}

const std::string& Translations::operator()(std::string_view key) const {
    for (const auto* table : {&texts_, &english_})
        if (const auto found = table->find(key); found != table->end()) return found->second;
    return *missing_.emplace(key).first;
}

std::string Translations::get(std::string_view key, std::string_view fallback) const {
    for (const auto* table : {&texts_, &english_})
        if (const auto found = table->find(key); found != table->end()) return found->second;
    return std::string(fallback);
}

std::string Translations::form_of(std::string_view key, std::uint64_t count) const {
    const std::uint64_t ones = count % 10, tens = count / 10 % 10;
    const char* form = "";
    if (language_ == "en")
        form = count == 1 ? ".one" : "";
    else if (language_ == "ru" && tens != 1)  // 1, 21, 31 …; 2, 3, 4, 22 …; not 11 to 14
        form = ones == 1 ? ".one" : ones >= 2 && ones <= 4 ? ".few" : "";
    std::string with_form = std::string(key) + form;
    return texts_.contains(with_form) ? with_form : std::string(key);
}

std::string Translations::filled(std::string_view key,
                                 const std::map<std::string, std::string>& arguments,
                                 std::string_view fallback) const {
    if (!texts_.contains(key) && !english_.contains(key)) return std::string(fallback);
    fmt::dynamic_format_arg_store<fmt::format_context> store;
    for (const auto& [name, value] : arguments)
        store.push_back(fmt::arg(name.c_str(), std::cref(value)));
    return fill((*this)(key), store);
}

std::string Translations::fill(const std::string& text, fmt::format_args args) {
    try {
        // The classic locale: "1.5" is 1.5 in every language, as in kernels and exported files.
        return fmt::vformat(std::locale::classic(), text, args);
    } catch (const std::exception&) {
        return text;
    }
}

}  // namespace lab
