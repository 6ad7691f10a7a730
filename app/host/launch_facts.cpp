#include "host/launch_facts.h"

#include <algorithm>
#include <array>

#include "catalogue/header.h"
#include "host/cpp_expression.h"

namespace lab::host {
namespace {

// The same for all, as make_plan has it.
catalogue::Expression standard_group() {
    static const std::array<std::string, 1> known{"kernel_group"};
    return {"min(256, kernel_group)", known};
}

}  // namespace

LaunchFacts launch_facts(const catalogue::Variant& variant, const catalogue::Shape& shape,
                         std::uint64_t n) {
    LaunchFacts facts{variant, shape, n, {}, {}, {}};
    for (const catalogue::OpInfo& op : catalogue::ops())
        facts.numbers[op.name] = static_cast<std::int64_t>(op.op);
    facts.numbers["op"] = static_cast<std::int64_t>(shape.op);
    facts.numbers["floating"] = info(shape.type).floating ? 1 : 0;
    if (shape.group == 0) facts.group = variant.group.empty() ? standard_group() : variant.group;

    const auto note = [&](const catalogue::Expression& expression) {
        facts.names.merge(names_in(expression));
    };
    for (const catalogue::Expression* expression :
         std::initializer_list<const catalogue::Expression*>{
             &facts.group, &variant.global, &variant.local, &variant.rounds, &variant.every,
             &variant.pass.first, &variant.pass.condition, &variant.pass.next})
        note(*expression);
    for (const catalogue::Argument& argument : variant.arguments) {
        note(argument.count);
        note(argument.value);
    }
    for (const catalogue::Legal& legal : variant.legal)
        if (is_checked(facts, legal)) note(legal.condition);
    return facts;
}

bool is_checked(const LaunchFacts& facts, const catalogue::Legal& legal) {
    const std::set<std::string> names = names_in(legal.condition);
    const auto varies = [](const std::string& name) {
        static constexpr std::array kVary{"n",   "group",     "groups",      "units",
                                          "cpu", "max_group", "kernel_group"};
        return std::find(kVary.begin(), kVary.end(), name) != kVary.end();
    };
    // How many groups there are differs from launch to launch in the plan `partials`.
    const bool later =
        facts.variant.plan == catalogue::PlanKind::partials && names.contains("groups");
    return !later && std::any_of(names.begin(), names.end(), varies);
}

bool host_needs(const LaunchFacts& facts, const catalogue::Toggle& toggle) {
    return facts.names.contains(toggle.name);
}

bool kernel_needs(const catalogue::Variant& variant, std::string_view macro) {
    const std::string& text = variant.text;
    const auto is_word = [](char c) { return catalogue::is_letter(c) || (c >= '0' && c <= '9'); };
    const std::size_t header = text.find("*/");
    for (std::size_t at = text.find(macro, header == std::string::npos ? 0 : header);
         at != std::string::npos; at = text.find(macro, at + 1)) {
        const std::size_t end = at + macro.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end])))
            return true;
    }
    return false;
}

}  // namespace lab::host
