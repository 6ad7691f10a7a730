#include "session/measure/shown_results.h"

#include <fmt/format.h>

namespace lab::session {
namespace {

const results::Measurements* own(const MeasureState& measure) {
    const auto& answer = measure.results.answer;
    return answer && !answer->rows.empty() ? &*answer : nullptr;
}

}  // namespace

bool goes_with(const MeasureState& measure, const AddedResults& added) {
    const results::Measurements* first = own(measure);
    if (first == nullptr && !measure.added.empty()) first = &measure.added.front().results;
    return first == nullptr || (first->op == added.results.op && first->type == added.results.type);
}

std::vector<const results::Measurements*> shown_results(const MeasureState& measure) {
    std::vector<const results::Measurements*> made;
    if (const results::Measurements* here = own(measure)) made.push_back(here);
    for (const AddedResults& added : measure.added)
        if (goes_with(measure, added)) made.push_back(&added.results);
    return made;
}

std::vector<results::Measurements> results_to_draw(const MeasureState& measure) {
    std::vector<results::Measurements> made;
    for (const results::Measurements* results : shown_results(measure))
        made.push_back(*results);
    if (measure.results.waiting && own(measure) != nullptr) made.front().complete = true;
    return made;
}

std::string name_of(const AddedResults& added) {
    const std::string& device = added.results.device.name;
    const std::string& of = device.empty() ? added.results.host.processor : device;
    return fmt::format("{}: {}", added.file.filename().string(), of);
}

}  // namespace lab::session
