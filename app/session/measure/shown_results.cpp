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
    std::vector<const results::Measurements*> measurements;
    if (const results::Measurements* here = own(measure)) measurements.push_back(here);
    for (const AddedResults& added : measure.added)
        if (goes_with(measure, added)) measurements.push_back(&added.results);
    return measurements;
}

std::vector<results::Measurements> results_to_draw(const MeasureState& measure) {
    std::vector<results::Measurements> measurements;
    for (const results::Measurements* results : shown_results(measure))
        measurements.push_back(*results);
    if (measure.results.waiting && own(measure) != nullptr) measurements.front().complete = true;
    return measurements;
}

std::string name_of(const AddedResults& added) {
    const std::string& device = added.results.device.name;
    const std::string& text = device.empty() ? added.results.host.processor : device;
    return fmt::format("{}: {}", added.file.filename().string(), text);
}

}  // namespace lab::session
