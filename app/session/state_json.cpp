#include "session/state_json.h"

#include <array>
#include <nlohmann/json.hpp>

#include "session/commands.h"

namespace lab::session {
namespace {

using nlohmann::json;

template <typename Answer>
json json_of(const Asked<Answer>& asked) {
    return {{"waiting", asked.waiting},
            {"answered", asked.answer.has_value()},
            {"problem", asked.problem ? json(*asked.problem) : json()}};
}

json choice_part(const Session& session) {
    const Choice& choice = session.settings().choice;
    json made{{"variant", choice.variant},
              {"shape", choice.shape},
              {"source", choice.source},
              {"machine", choice.machine}};
    if (choice.own) made["own"] = *choice.own;
    return made;
}

// The kernel file that is open.
json own_part(const Session& session) {
    const OwnDesk& own = session.own();
    json made{{"file", own.file()},     {"unsaved", own.unsaved()},
              {"waits", own.waits()},   {"differs", own.differs()},
              {"draft", own.draft()},   {"compiles", own.facts().compiles},
              {"marks", json::array()}, {"problem", own.problem() ? json(*own.problem()) : json()}};
    for (const TextMark& mark : own.facts().marks)
        made["marks"].push_back({{"line", mark.line}, {"message", mark.message}});
    return made;
}

json step_part(const Session& session) {
    const StepState& step = session.step();
    json made = json_of(step.passes);
    made["cursor"] = step.cursor;
    made["playing"] = step.playing;
    made["speed"] = step.passes_per_second;
    made["version"] = step.version;
    if (!step.passes.answer) return made;
    const Passes& passes = *step.passes.answer;
    made.update({{"last", passes.passes.size() - 1},
                 {"variant", passes.variant},
                 {"n", passes.n},
                 {"group", passes.group},
                 {"source", passes.source},
                 {"device", passes.device},
                 {"result", passes.result},
                 {"expected", passes.expected},
                 {"right", passes.right},
                 {"fault", passes.fault},
                 {"note", passes.note}});
    json values = json::array();
    for (const Cell& cell : passes.passes.at(step.cursor).cells)
        values.push_back(cell.value);
    made["values"] = std::move(values);  // of the row at the cursor
    return made;
}

json measure_part(const Session& session) {
    const MeasureState& measure = session.measure();
    json made = json_of(measure.results);
    made.update({{"done", measure.done},
                 {"total", measure.total},
                 {"seconds_left", measure.seconds_left},
                 {"version", measure.version}});
    if (!measure.results.answer) return made;
    const Measurements& results = *measure.results.answer;
    json rows = json::array();
    for (const Row& row : results.rows)
        rows.push_back({{"kind", row.kind},
                        {"variant", row.variant},
                        {"n", row.n},
                        {"group", row.group},
                        {"right", row.right},
                        {"samples", row.samples_ms().size()}});
    made.update({{"complete", results.complete},
                 {"rows", std::move(rows)},
                 {"problems", results.problems},
                 {"skipped", results.skipped}});
    return made;
}

json devices_part(const Session& session) {
    json made = json_of(session.devices());
    made["in_use"] = session.device_in_use();
    json ids = json::array();
    if (session.devices().answer)
        for (const DeviceInfo& device : session.devices().answer->devices)
            ids.push_back(device.id);
    made["ids"] = std::move(ids);
    return made;
}

json worker_json(const WorkerProcess& worker) {
    return {{"process", worker.process}, {"starts", worker.starts}};
}

json workers_part(const Session& session) {
    return {{"step", worker_json(session.step_worker())},
            {"measure", worker_json(session.measure_worker())}};
}

json undo_part(const Session& session) {
    return {{"can_undo", session.can_undo()}, {"can_redo", session.can_redo()}};
}

// The ids of all commands that could be done now.
json commands_part(const Session& session) {
    json enabled = json::array();
    for (const Command& command : commands())
        if (command.enabled(session)) enabled.push_back(command.id);
    return enabled;
}

constexpr std::array kParts{
    StatePart{"view", [](const Session& s) { return json(s.settings().view); }},
    StatePart{"busy", [](const Session& s) { return json(s.busy()); }},
    StatePart{"settings", [](const Session& s) { return json(s.settings()); }},
    StatePart{"choice", choice_part},
    StatePart{"own", own_part},
    StatePart{"step", step_part},
    StatePart{"measure", measure_part},
    StatePart{"devices", devices_part},
    StatePart{"problems", [](const Session& s) { return json(s.problems()); }},
    StatePart{"undo", undo_part},
    StatePart{"commands", commands_part},
    StatePart{"workers", workers_part},
};

}  // namespace

std::span<const StatePart> state_parts() {
    return kParts;
}

nlohmann::json state_json(const Session& session) {
    json made = json::object();
    for (const StatePart& part : state_parts())
        made[part.name] = part.of(session);
    return made;
}

}  // namespace lab::session
