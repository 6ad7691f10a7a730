// The texts of the interface in the user's language and an API's terms, from assets/lang/.
#pragma once

#include <fmt/args.h>
#include <fmt/format.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/messages.h"

namespace lab {

inline constexpr const char* kLanguages[] = {"en", "zh", "ru"};

// The key -> text table of one language, falling back to English for missing keys. Texts may name
// arguments, {n}; a text that does not fit its arguments is shown unfilled. Not thread-safe.
class Translations {
  public:
    Translations() = default;
    // Throws Problem if the language is not known, or its file or the English one is missing or
    // damaged.
    explicit Translations(std::string_view language, Api api = Api::opencl);

    const std::string& language() const { return language_; }
    Api api() const { return api_; }

    // The text of `key`; the key itself if no language has it. Valid as long as this table exists.
    const std::string& operator()(std::string_view key) const;
    // The text of `key`, or `fallback` if no language has it.
    std::string get(std::string_view key, std::string_view fallback) const;

    // The text of `key` with its named arguments: tr("step.of", fmt::arg("k", 2), …). Numbers look
    // the same in every language and locale.
    template <typename... Args>
    std::string operator()(std::string_view key, Args&&... args) const {
        fmt::dynamic_format_arg_store<fmt::format_context> store;
        (store.push_back(args), ...);
        return fill((*this)(key), store);
    }

    // The text for that many, with the argument {count}: that of `key.one` or `key.few` where the
    // language has such a form and the table that key, else that of `key`.
    template <typename... Args>
    std::string counted(std::string_view key, std::uint64_t count, Args&&... args) const {
        return (*this)(form_of(key, count), fmt::arg("count", count), std::forward<Args>(args)...);
    }

    // The same with the arguments as text; `fallback` if no language has the key.
    std::string filled(std::string_view key, const std::map<std::string, std::string>& arguments,
                       std::string_view fallback) const;

    // Translates what was said in English, where only that is known; unchanged if the table lacks
    // it.
    std::string message(std::string_view english) const { return messages_.translated(english); }

    // English with the API's terms: see Terms::renamed.
    std::string renamed(std::string_view english) const {
        return messages_.terms().renamed(english);
    }

    const std::map<std::string, std::string, std::less<>>& texts() const { return texts_; }

  private:
    std::string form_of(std::string_view key, std::uint64_t count) const;
    static std::string fill(const std::string& text, fmt::format_args args);

    std::string language_ = "en";
    Api api_ = Api::opencl;
    std::map<std::string, std::string, std::less<>> texts_, english_;
    Messages messages_;
    // Requested keys that are in no table, kept so that references to them stay valid.
    mutable std::set<std::string, std::less<>> missing_;
};

}  // namespace lab
