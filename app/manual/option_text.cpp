#include "manual/option_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lab::manual {
namespace {

// CLI11's names of types, as a person reads them.
constexpr std::array<std::pair<std::string_view, const char*>, 4> kTypes{
    {{"TEXT", "VALUE"}, {"UINT", "N"}, {"INT", "N"}, {"FLOAT", "NUMBER"}}};

// "TEXT" and "{en,zh}" of "TEXT:{en,zh}", "INT" and "INT in [1 - 64]" of "INT:INT in [1 - 64]".
std::pair<std::string, std::string> type_and_check(const CLI::Option& option) {
    const std::string type = option.get_type_name();
    const auto colon = type.find(':');
    const bool checked = colon != std::string::npos && colon + 1 < type.size() &&
                         (type[colon + 1] == '{' || type.find(" in [") != std::string::npos);
    if (!checked) return {type, ""};
    return {type.substr(0, colon), type.substr(colon + 1)};
}

std::vector<std::string> choices(const CLI::Option& option) {
    const std::string check = type_and_check(option).second;
    if (!check.starts_with('{')) return {};
    return CLI::detail::split(check.substr(1, check.size() - 2), ',');
}

}  // namespace

std::vector<std::string> names(const CLI::Option& option) {
    if (option.get_positional()) return {option.get_name(true, false)};
    std::vector<std::string> all = CLI::detail::split(option.get_name(false, true), ',');
    for (std::string& name : all)  // a flag's opposite: "--no-documents{false}"
        name = name.substr(0, name.find('{'));
    return all;
}

std::string value(const CLI::Option& option) {
    if (option.get_type_size() == 0) return "";
    std::string type = type_and_check(option).first;
    for (const auto& [from, to] : kTypes)
        if (type == from) type = to;
    const bool several = option.get_expected_max() == CLI::detail::expected_max_vector_size &&
                         !type.ends_with("...");
    return several ? type + " ..." : type;
}

std::string description(const CLI::Option& option) {
    std::string text = option.get_description();
    const std::vector<std::string> all = choices(option);
    if (std::any_of(all.begin(), all.end(), [&](const std::string& choice) {
            return text.find(choice) == std::string::npos;
        }))
        text += fmt::format(": {}", fmt::join(all, ", "));
    if (option.get_required() && !option.get_positional()) text += " (required)";
    const std::string otherwise = option.get_default_str();
    if (option.get_type_size() != 0 && !otherwise.empty() && !text.ends_with(']'))
        text += fmt::format(" [{}]", otherwise);
    return text;
}

}  // namespace lab::manual
