#include "machine/job.h"

#include <array>

#include <fmt/format.h>

#include "lang/source.h"

namespace lab::machine {

constexpr std::array<Preset, 5> kPresets{{{"classroom", {{4, 2}}},  // small enough to see
                                          {"cpu", {{1, 1}, true}},
                                          {"nvidia", {{32, 0}}},
                                          {"amd", {{64, 0}}},
                                          {"independent", {{1, 0}}}}};

std::string preset_names() {
    std::string names;
    for (const Preset& preset : kPresets)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", preset.name);
    return names;
}

const Preset& find_preset(std::string_view name) {
    for (const Preset& preset : kPresets)
        if (name == preset.name) return preset;
    throw Problem(fmt::format("There is no machine '{}'", name), "", "There are " + preset_names(),
                  "--machine");
}

static Problem problem_at(const std::string& what, const std::string& why, const std::string& hint,
                          const lang::Place& place, const ProblemPhrases& phrases,
                          const lang::Code& code) {
    std::string where;
    std::string quoted;
    if (place.line > 0 && place.file < code.sources.size()) {
        where = code.sources[place.file].name + ":" + std::to_string(place.line) + ":" +
                std::to_string(place.column);
        lang::Diagnostic diagnostic;
        diagnostic.place = place;
        const std::string text = lang::text_of(diagnostic, code.sources);
        quoted = text.substr(text.find('\n') + 1);
        while (!quoted.empty() && quoted.back() == '\n')
            quoted.pop_back();
    }
    Problem problem(what, quoted.empty() ? why : why + "\n" + quoted, hint, where,
                    Exit::kernel_fault);
    problem.phrases = phrases;
    if (!phrases.why.empty() && !quoted.empty()) problem.phrases.why.push_back({"", {}, quoted});
    return problem;
}

ProblemPhrases phrases_of(const std::string& key,
                          const std::map<std::string, std::string>& arguments) {
    return {{key, arguments, {}}, {{key + ".why", arguments, {}}}, {key + ".hint", arguments, {}}};
}

Problem problem_of(const Fault& fault, const lang::Code& code) {
    return problem_at(fault.what, fault.why, fault.hint, fault.place, fault.phrases, code);
}

Problem problem_of(const Finding& finding, const lang::Code& code) {
    return problem_at(finding.what, finding.why, finding.hint, finding.place, finding.phrases,
                      code);
}

}  // namespace lab::machine
