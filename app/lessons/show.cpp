#include "lessons/show.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <random>

#include <fmt/format.h>

#include "base/paths.h"
#include "base/problem.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/number.h"

namespace lab::lessons {
namespace {

[[noreturn]] void refuse_value(std::string_view key, const std::string& value, std::string hint) {
    throw Problem(fmt::format("'{}' will not do for '{}'", value, key), "", std::move(hint));
}

std::uint32_t number(std::string_view key, const std::string& value, std::uint32_t most) {
    const std::uint64_t result = catalogue::parse_size(value);
    if (result > most) refuse_value(key, value, fmt::format("It is at most {}", most));
    return static_cast<std::uint32_t>(result);
}

Extent extent(std::string_view key, const std::string& value, std::uint64_t most) {
    const Extent result = catalogue::parse_extent(value);
    if (result.items() > most) refuse_value(key, value, fmt::format("It is at most {}", most));
    return result;
}

void set_kernel(Show& show, const std::string& value) {
    const bool file = is_kernel_file(value);
    if (value.empty() || value.find_first_of("/\\") != std::string::npos)
        refuse_value("kernel", value,
                     "Name a kernel, as span-modulo, or a .cl or .cu file in the lesson's folder");
    if (!file && value.find('.') != std::string::npos)
        refuse_value("kernel", value, "A kernel's file ends in .cl or .cu");
    Show fresh;
    fresh.variant = value;
    show = std::move(fresh);
}

void set_toggles(Show& show, const std::string& value) {
    for (const std::string& setting : split(value, ',')) {
        const auto equals = setting.find('=');
        if (equals == std::string::npos || equals == 0)
            refuse_value("set", setting, "Write NAME=VALUE, as BARRIER=group");
        show.shape.set[setting.substr(0, equals)] = setting.substr(equals + 1);
    }
}

void set_input(Show& show, const std::string& value) {
    if (value.starts_with('@'))
        refuse_value("input", value, "A lesson's numbers stand in it, as 7,1,6, or are random:7");
    show.shape.input = catalogue::parse_input(value);
    if (show.shape.input.kind == catalogue::Input::Kind::values) show.shape.n.reset();
}

// Numbers that were typed for another n give way to random ones.
void set_count(Show& show, const std::string& value) {
    show.shape.n = catalogue::parse_size(value);
    catalogue::Input& input = show.shape.input;
    if (input.kind == catalogue::Input::Kind::values &&
        split(input.text, ',').size() != *show.shape.n)
        input = catalogue::parse_input("random:1");
}

void set_place(Show& show, const std::string& value) {
    if (value == "start") {
        show.at = {};
    } else if (value == "end") {
        show.at = {Place::Kind::end, 0};
    } else if (value.starts_with("pass ")) {
        show.at = {Place::Kind::row, number("at", value.substr(5), 4096)};
    } else if (value.starts_with("action ")) {
        show.at = {Place::Kind::action, number("at", value.substr(7), 1'000'000)};
    } else {
        refuse_value("at", value, "Write start, pass 2, action 12 or end");
    }
}

void set_hide(Show& show, const std::string& value) {
    if (value != "later" && value != "nothing")
        refuse_value("hide", value, "Write later or nothing");
    show.hide_later = value == "later";
}

void set_word(std::string& word, std::string_view key, const std::string& value,
              std::initializer_list<const char*> words) {
    if (!contains(words, value))
        refuse_value(key, value, fmt::format("Write {}", fmt::join(words, ", ")));
    word = value;
}

void set_view(Show& show, const std::string& value) {
    set_word(show.view, "view", value, {"step", "race", "lattice", "measure"});
}

void set_panel(Show& show, const std::string& value) {
    set_word(show.panel, "panel", value,
             {"lanes", "memory", "races", "lineage", "variables", "prints", "chart", "none"});
    if (value == "none") show.panel.clear();
}

void set_lines(Show& show, const std::string& value) {
    show.lines.clear();
    for (const std::string& part : split(value, ',')) {
        const auto dash = part.find('-');
        const std::uint32_t first = number("lines", part.substr(0, dash), 1'000'000);
        const std::uint32_t last =
            dash == std::string::npos ? first : number("lines", part.substr(dash + 1), 1'000'000);
        show.lines.emplace_back(first, std::max(first, last));
    }
}

void set_order(Show& show, const std::string& value) {
    constexpr auto kHint =
        "Write in-order, reversed, round-robin, random:7, or turns as 1.0*4 0.0*9";
    const bool turns = value.find('.') != std::string::npos;
    const bool word = value == "in-order" || value == "reversed" || value == "round-robin" ||
                      value.starts_with("random:");
    if (!turns && !word) refuse_value("order", value, kHint);
    std::string order = turns && !value.starts_with(machine::kTurnsPrefix)
                            ? std::string(machine::kTurnsPrefix) + value
                            : value;
    if (const auto problem = thrown_by([&] { (void)machine::parse_order(order); }))
        throw Problem(problem->what_happened, problem->why, kHint);
    show.machine.order = std::move(order);
}

catalogue::LaunchForm& form(Show& show) {
    return show.user_kernel ? *show.user_kernel : show.user_kernel.emplace();
}

using ShowKey = std::pair<std::string, std::function<void(Show&, const std::string& value)>>;

const std::vector<ShowKey>& show_keys() {
    static const std::vector<ShowKey> kKeys = [] {
        std::vector<ShowKey> keys{
            {"kernel", set_kernel},
            {"set", set_toggles},
            {"input", set_input},
            {"n", set_count},
            {"group", [](Show& s, const auto& v) { s.shape.group = number("group", v, 4096); }},
            {"op", [](Show& s, const auto& v) { s.shape.op = catalogue::parse_op(v); }},
            {"type", [](Show& s, const auto& v) { s.shape.type = catalogue::parse_type(v); }},
            {"order", set_order},
            {"at", set_place},
            {"hide", set_hide},
            {"view", set_view},
            {"panel", set_panel},
            {"lines", set_lines},
            {"global",
             [](Show& s, const auto& v) { form(s).global = extent("global", v, 1U << 24U); }},
            {"local", [](Show& s, const auto& v) { form(s).local = extent("local", v, 4096); }},
            {"offset",
             [](Show& s, const auto& v) { form(s).offset = extent("offset", v, 1U << 24U); }},
            {"arg", [](Show& s, const auto& v) { form(s).arguments.push_back(v); }},
        };
        for (const catalogue::MachineOption& option : catalogue::machine_options())
            keys.emplace_back(option.id, [&option](Show& s, const std::string& v) {
                s.machine.*option.field = option.parse(v);
                if (option.field == &catalogue::MachineShape::lanes) s.in_lockstep = true;
            });
        return keys;
    }();
    return kKeys;
}

const ShowKey* find_key(std::string_view key) {
    return find_if(show_keys(), [&](const ShowKey& each) { return each.first == key; });
}

// A file's text; the name has no folder in it, so nothing outside the lesson's can be read.
std::string file_text(const std::string& name, const Library& library) {
    const std::filesystem::path file = library.folder / name;
    std::error_code error;
    if (library.folder.empty() || !std::filesystem::is_regular_file(file, error))
        throw Problem(fmt::format("There is no {} in the lesson's folder", name), "",
                      "Check the name; it lies beside lesson.md");
    return read_file(file, std::size_t{1} << 20U);
}

}  // namespace

bool is_show_key(std::string_view key) {
    return find_key(key) != nullptr;
}

bool is_toggle(std::string_view word) {
    return !word.empty() && word.front() >= 'A' && word.front() <= 'Z' && all_of(word, [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

void set_key(Show& show, std::string_view key, const std::string& value) {
    const ShowKey* entry = find_key(key);
    if (entry == nullptr) {
        auto names = mapped<std::string>(show_keys(), &ShowKey::first);
        throw Problem(fmt::format("'{}' is nothing that can be shown", key), "",
                      fmt::format("The keys are {}", fmt::join(names, ", ")));
    }
    if (value.empty())
        throw Problem(fmt::format("'{}' has no value", key), "", "Write it after the colon");
    entry->second(show, value);
}

void check_count(const std::string& n, const std::string& input) {
    if (catalogue::parse_input(input).kind != catalogue::Input::Kind::values) return;
    const std::size_t typed = split(input, ',').size();
    if (typed != catalogue::parse_size(n))
        throw Problem(fmt::format("The input holds {} numbers, but n is {}", typed, n), "",
                      "Leave n out, or give as many numbers");
}

std::optional<std::pair<std::int64_t, std::int64_t>> read_range(const std::string& text,
                                                                const std::string& key) {
    const auto dots = text.find("..");
    if (dots == std::string::npos) return std::nullopt;
    const auto number = [&](std::string_view part) {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc() || end != part.data() + part.size() ||
            std::abs(value) > 1'000'000'000)
            refuse_value(key, text, "Write whole numbers, as 1..9");
        return value;
    };
    const std::string_view whole = text;
    const std::pair range{number(whole.substr(0, dots)), number(whole.substr(dots + 2))};
    if (range.second <= range.first || range.second - range.first > 1'000'000)
        refuse_value(key, text, "Write the least and a greater number, as 1..9");
    return range;
}

std::uint64_t count_of_input(const Show& show) {
    const catalogue::Input& input = show.shape.input;
    const bool typed = input.kind == catalogue::Input::Kind::values;
    return show.shape.n.value_or(typed ? split(input.text, ',').size() : 8);
}

std::string shuffled(std::uint64_t n, std::pair<std::int64_t, std::int64_t> range,
                     std::uint64_t seed) {
    const auto span = static_cast<std::uint64_t>(range.second - range.first + 1);
    std::vector<std::int64_t> all(std::max(n, span));
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = range.first + static_cast<std::int64_t>(i % span);
    std::mt19937_64 random(seed);
    for (std::size_t i = all.size() - 1; i > 0; --i)  // std::shuffle differs between libraries
        std::swap(all[i], all[random() % (i + 1)]);
    all.resize(n);
    return fmt::format("{}", fmt::join(all, ","));
}

bool is_kernel_file(std::string_view kernel) {
    return kernel.ends_with(".cl") || kernel.ends_with(".cu");
}

bool Library::has(std::string_view kernel) const {
    return is_kernel_file(kernel) ||
           any_of(catalogue.variants, [&](const auto& variant) { return variant.id == kernel; });
}

std::string text_of(const Show& show, const Library& library) {
    if (show.text) return *show.text;
    if (is_kernel_file(show.variant)) return file_text(show.variant, library);
    return library.catalogue.find(show.variant).text;
}

analysis::RunSpec spec_of(const Show& show, const Library& library) {
    analysis::RunSpec spec;
    spec.shape = show.shape;
    spec.machine = options_of(show.machine);
    std::string text = text_of(show, library);
    if (!is_kernel_file(show.variant) && !show.text) {
        spec.kernel = library.catalogue.find(show.variant);
    } else if (catalogue::has_header(text)) {
        spec.kernel = catalogue::parse_kernel(show.variant, std::move(text));
    } else {
        catalogue::LaunchForm kernel = show.user_kernel.value_or(catalogue::LaunchForm());
        kernel.file = show.variant;
        kernel.text = std::move(text);
        spec.kernel = catalogue::kernel_of(std::move(kernel));
    }
    return spec;
}

std::string_view header_of(std::string_view text) {
    if (!catalogue::has_header(text)) return {};
    auto end = text.find("*/");
    if (end == std::string_view::npos) return {};
    end += 2;
    if (end < text.size() && text[end] == '\n') ++end;
    return text.substr(0, end);
}

}  // namespace lab::lessons
