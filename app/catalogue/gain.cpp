#include "catalogue/gain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/problem.h"
#include "base/text.h"

namespace lab::catalogue {
namespace {

constexpr std::array kGainKinds{"cpu", "gpu"};
constexpr const char* kForm = "Write a kind of device and a factor: gpu 1.7, cpu 1.0";

// "gpu 1.7"
void read_factor(const HeaderLine& line, const std::string& part, Gain& into) {
    const auto words = split(part, ' ');
    if (words.size() != 2) refuse(line, fmt::format("'{}' is no kind and factor", part), kForm);
    if (std::find(kGainKinds.begin(), kGainKinds.end(), words[0]) == kGainKinds.end())
        refuse(line, fmt::format("'{}' is no kind of device", words[0]),
               fmt::format("Choose of: {}", fmt::join(kGainKinds, ", ")));
    const double factor = parse_number<double>(words[1]).value_or(0);
    if (!(factor > 0) || factor > 1e6)
        refuse(line, fmt::format("'{}' is no factor", words[1]), kForm);
    if (!into.predicted.emplace(words[0], factor).second)
        refuse(line, fmt::format("'{}' is there twice", words[0]), "Keep one of them");
}

// "SYNC=barrier and K=4"
void read_form(const HeaderLine& line, std::string_view text, const Variant& variant, Gain& into) {
    while (!text.empty()) {
        const auto end = text.find(" and ");
        const auto sides = split(text.substr(0, end), '=');
        const Toggle* toggle = sides.size() == 2 ? variant.toggle(sides[0]) : nullptr;
        if (toggle == nullptr || std::find(toggle->values.begin(), toggle->values.end(),
                                           sides[1]) == toggle->values.end())
            refuse(line,
                   fmt::format("'{}' is no toggle and value of this file",
                               trimmed(text.substr(0, end))),
                   "Write gpu 1.7, cpu 1.0 when NAME=VALUE");
        if (sides[1] != toggle->values.front()) into.set[sides[0]] = sides[1];
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 5);
    }
}

}  // namespace

void read_gain(const Header& header, Variant& into) {
    const HeaderLine* given = nullptr;
    for (const char* key : {"after", "gain", "why"})
        if (given == nullptr) given = header.find(key);
    if (given == nullptr) return;
    Gain& gain = into.gain;
    gain.after = header.need("after").value;
    gain.where = header.need("after").where;
    gain.why = header.need("why").value;
    const HeaderLine& line = header.need("gain");
    std::string_view factors = line.value;
    constexpr std::string_view kWhen = " when ";
    if (const auto when = factors.find(kWhen); when != std::string_view::npos) {
        const std::string_view form = trimmed(factors.substr(when + kWhen.size()));
        if (form.empty()) refuse(line, "", "Write gpu 1.7, cpu 1.0 when NAME=VALUE");
        read_form(line, form, into, gain);
        factors = factors.substr(0, when);
    }
    for (const std::string& part : split(factors, ','))
        read_factor(line, part, gain);
}

std::optional<Problem> problem_of_gain(const Catalogue& catalogue, const Variant& variant) {
    const auto of = [&](const std::string& id) -> const Variant* {
        if (id == variant.id) return &variant;  // which may be newer than the catalogue's
        const auto found = std::find_if(catalogue.variants.begin(), catalogue.variants.end(),
                                        [&](const Variant& other) { return other.id == id; });
        return found == catalogue.variants.end() ? nullptr : &*found;
    };
    std::vector<std::string> way{variant.id};
    for (const Variant* at = &variant; !at->gain.after.empty(); at = of(at->gain.after)) {
        const std::string& before = at->gain.after;
        const bool known = of(before) != nullptr;
        if (!known && at != &variant) return std::nullopt;  // that one's problem
        if (!known)
            return Problem(
                fmt::format("'{}' comes after '{}', which is not there", variant.id, before), "",
                "Name a variant that can be read, or leave out after, gain and why",
                at->gain.where);
        const bool again = std::find(way.begin(), way.end(), before) != way.end();
        way.push_back(before);
        if (again && before != variant.id) return std::nullopt;  // a circle, but of others
        if (again)
            return Problem(
                fmt::format("'{}' comes after itself", variant.id),
                fmt::format("{}", fmt::join(way, " after ")),
                "Let the first of them improve on none: leave out its after, gain and why",
                variant.gain.where);
    }
    return std::nullopt;
}

void check_gains(Catalogue& catalogue) {
    std::vector<Variant*> without;
    for (Variant& variant : catalogue.variants)
        if (auto problem = problem_of_gain(catalogue, variant)) {
            catalogue.problems.push_back(std::move(*problem));
            without.push_back(&variant);
        }
    for (Variant* variant : without)  // only now: each of a circle is told
        variant->gain = {};
}

std::vector<GainStep> gain_steps(const Catalogue& catalogue) {
    std::vector<GainStep> steps;
    for (const Variant& variant : catalogue.variants)
        if (!variant.gain.after.empty()) steps.push_back({variant.id, variant.gain});
    return steps;
}

const GainStep* find_step(std::span<const GainStep> steps, std::string_view id) {
    const auto found = std::find_if(steps.begin(), steps.end(),
                                    [&](const GainStep& step) { return step.id == id; });
    return found == steps.end() ? nullptr : &*found;
}

std::vector<std::string> in_order(std::span<const GainStep> steps) {
    std::vector<std::string> texts;
    const auto add = [&](const auto& self, const std::string& id) -> void {
        texts.push_back(id);
        for (const GainStep& step : steps)
            if (step.gain.after == id) self(self, step.id);
    };
    std::set<std::string> begun;
    for (const GainStep& step : steps)
        if (find_step(steps, step.gain.after) == nullptr && begun.insert(step.gain.after).second)
            add(add, step.gain.after);
    return texts;
}

}  // namespace lab::catalogue
