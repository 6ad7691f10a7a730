#include "lessons/show.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/paths.h"
#include "base/problem.h"
#include "base/text.h"
#include "catalogue/kernel.h"
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
    const bool file = value.ends_with(".cl");
    if (value.empty() || value.find_first_of("/\\") != std::string::npos)
        refuse_value("kernel", value,
                     "Name a kernel, as span-modulo, or a .cl file in the lesson's folder");
    if (!file && value.find('.') != std::string::npos)
        refuse_value("kernel", value, "A kernel's file ends in .cl");
    Show fresh;
    fresh.kernel = value;
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

template <std::size_t N>
void set_word(std::string& word, std::string_view key, const std::string& value,
              const std::array<const char*, N>& words) {
    if (std::find(words.begin(), words.end(), value) == words.end())
        refuse_value(key, value, fmt::format("Write {}", fmt::join(words, ", ")));
    word = value;
}

void set_view(Show& show, const std::string& value) {
    set_word(show.view, "view", value, std::array{"step", "race", "lattice", "measure"});
}

void set_panel(Show& show, const std::string& value) {
    set_word(
        show.panel, "panel", value,
        std::array{"lanes", "memory", "races", "lineage", "variables", "prints", "chart", "none"});
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
    try {
        (void)machine::parse_order(order);
    } catch (const Problem& problem) {
        throw Problem(problem.what_happened, problem.why, kHint);
    }
    show.machine.order = std::move(order);
}

struct ShowKey {
    const char* name;
    void (*set)(Show& show, const std::string& value);
};
constexpr std::array kShowKeys{
    ShowKey{"kernel", set_kernel},
    ShowKey{"set", set_toggles},
    ShowKey{"input", set_input},
    ShowKey{"n", set_count},
    ShowKey{"group",
            [](Show& s, const std::string& v) { s.shape.group = number("group", v, 4096); }},
    ShowKey{"op", [](Show& s, const std::string& v) { s.shape.op = catalogue::parse_op(v); }},
    ShowKey{"type", [](Show& s, const std::string& v) { s.shape.type = catalogue::parse_type(v); }},
    ShowKey{"order", set_order},
    ShowKey{"at", set_place},
    ShowKey{"hide", set_hide},
    ShowKey{"view", set_view},
    ShowKey{"panel", set_panel},
    ShowKey{"lines", set_lines},
    ShowKey{"global",
            [](Show& s, const std::string& v) { s.global = extent("global", v, 1U << 24U); }},
    ShowKey{"local", [](Show& s, const std::string& v) { s.local = extent("local", v, 4096); }},
    ShowKey{"offset",
            [](Show& s, const std::string& v) { s.offset = extent("offset", v, 1U << 24U); }},
    ShowKey{"arg", [](Show& s, const std::string& v) { s.arguments.push_back(v); }},
};

const catalogue::MachineOption* machine_option(std::string_view key) {
    const auto options = catalogue::machine_options();
    const auto found = std::find_if(options.begin(), options.end(),
                                    [&](const auto& option) { return key == option.id; });
    return found == options.end() ? nullptr : &*found;
}

void set_machine(Show& show, const catalogue::MachineOption& option, const std::string& value) {
    try {
        show.machine.*option.field = option.parse(value);
    } catch (const Problem&) {  // it names an option of the command line
        refuse_value(option.id, value,
                     fmt::format("It is 1 or more, at most {}{}", option.most,
                                 option.zero_is_all ? ", or all" : ""));
    }
    if (option.field == &catalogue::MachineShape::lanes) show.in_lockstep = true;
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
    return machine_option(key) != nullptr ||
           std::any_of(kShowKeys.begin(), kShowKeys.end(),
                       [&](const ShowKey& entry) { return entry.name == key; });
}

bool is_toggle(std::string_view word) {
    return !word.empty() && word.front() >= 'A' && word.front() <= 'Z' &&
           std::all_of(word.begin(), word.end(), [](char c) {
               return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
           });
}

void set_key(Show& show, std::string_view key, const std::string& value) {
    const auto entry = std::find_if(kShowKeys.begin(), kShowKeys.end(),
                                    [&](const ShowKey& each) { return each.name == key; });
    const catalogue::MachineOption* const of_machine = machine_option(key);
    if (entry == kShowKeys.end() && of_machine == nullptr) {
        std::vector<std::string> names;
        for (const ShowKey& each : kShowKeys)
            names.emplace_back(each.name);
        for (const catalogue::MachineOption& each : catalogue::machine_options())
            names.emplace_back(each.id);
        throw Problem(fmt::format("'{}' is nothing that can be shown", key), "",
                      fmt::format("The keys are {}", fmt::join(names, ", ")));
    }
    if (value.empty())
        throw Problem(fmt::format("'{}' has no value", key), "", "Write it after the colon");
    if (of_machine != nullptr) return set_machine(show, *of_machine, value);
    entry->set(show, value);
}

void check_count(const std::string& n, const std::string& input) {
    if (catalogue::parse_input(input).kind != catalogue::Input::Kind::values) return;
    const std::size_t typed = split(input, ',').size();
    if (typed != catalogue::parse_size(n))
        throw Problem(fmt::format("The input holds {} numbers, but n is {}", typed, n), "",
                      "Leave n out, or give as many numbers");
}

bool Library::has(std::string_view kernel) const {
    return kernel.ends_with(".cl") ||
           std::any_of(catalogue.variants.begin(), catalogue.variants.end(),
                       [&](const catalogue::Kernel& variant) { return variant.id == kernel; });
}

std::string text_of(const Show& show, const Library& library) {
    if (show.text) return *show.text;
    if (show.kernel.ends_with(".cl")) return file_text(show.kernel, library);
    return library.catalogue.find(show.kernel).text;
}

analysis::RunSpec spec_of(const Show& show, const Library& library) {
    analysis::RunSpec spec;
    spec.shape = show.shape;
    spec.machine = options_of(show.machine);
    std::string text = text_of(show, library);
    if (!show.kernel.ends_with(".cl") && !show.text) {
        spec.kernel = library.catalogue.find(show.kernel);
    } else if (catalogue::has_header(text)) {
        spec.kernel = catalogue::parse_kernel(show.kernel, std::move(text));
    } else {
        catalogue::LaunchForm kernel;
        kernel.file = show.kernel;
        kernel.text = std::move(text);
        kernel.global = show.global;
        kernel.local = show.local;
        kernel.offset = show.offset;
        kernel.arguments = show.arguments;
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
