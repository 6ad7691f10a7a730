#include "support/driver/state_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "analysis/machine_run.h"
#include "session/app_commands.h"
#include "session/view.h"
#include "views/lattice/lattice.h"
#include "views/learn/learn.h"
#include "views/measure/measure.h"
#include "views/race/race.h"
#include "views/sizes/sizes.h"
#include "views/step/step.h"

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
    const RunChoice& choice = session.settings().choice;
    json object{{"variant", choice.variant}, {"shape", choice.shape}, {"machine", choice.machine}};
    if (choice.user_kernel) object["own"] = *choice.user_kernel;
    return object;
}

// The kernel file that is open.
json own_part(const Session& session) {
    const KernelEditor& own = session.kernels.editor;
    const TextSearch& search = session.kernels.search;
    json object{{"file", own.file},
                {"unsaved", own.unsaved()},
                {"waits", own.due.has_value()},
                {"search",
                 {{"open", search.open},
                  {"sought", search.sought},
                  {"number", search.number},
                  {"count", search.count}}},
                {"differs", own.outside.has_value()},
                {"draft", own.draft},
                {"compiles", own.facts.compiles},
                {"marks", json::array()},
                {"problem", own.problem ? json(*own.problem) : json()}};
    if (const analysis::LaunchGuess* guess = guess_of(session))
        object["guess"] = {{"runs", guess->runs},
                           {"ended", guess->ended},
                           {"in_bounds", guess->in_bounds},
                           {"changed", guess->changed}};
    for (const catalogue::TextMark& mark : own.facts.marks)
        object["marks"].push_back({{"line", mark.line}, {"message", mark.message}});
    return object;
}

json step_part(const Session& session) {
    const StepView& step = session.view<StepView>();
    json object = json_of(step.table);
    object["cursor"] = step.cursor;
    object["traced"] = step.traced;
    object["side"] = step.side;
    object["playing"] = step.playing();
    object["foretells"] = step.foretells;
    object["uncovered"] = step.uncovered;
    object["time"] = step.time;
    object["grain"] = step.grain == StepUnit::pass   ? "pass"
                      : step.grain == StepUnit::line ? "line"
                                                     : "action";
    object["position"] = session.walk().position();
    object["last_position"] = session.walk().last_position();
    object["speed"] = step.passes_per_second;
    object["version"] = step.version;
    if (!step.table.answer) return object;
    const analysis::StepTable& table = *step.table.answer;
    object.update({{"last", table.rows.size() - 1},
                   {"variant", table.variant},
                   {"n", table.n},
                   {"group", table.group},
                   {"source", table.source},
                   {"device", table.device},
                   {"result", table.result},
                   {"expected", table.expected},
                   {"right", table.right},
                   {"fault", table.fault},
                   {"note", table.note}});
    json values = json::array();
    for (const analysis::Cell& cell : table.rows.at(step.cursor).cells)
        values.push_back(text_of(cell.value));
    object["values"] = std::move(values);  // of the row at the cursor
    // The launch that the host's line names, and the one that the last action belongs to; from 1.
    object["launch"] = table.rows.at(step.row()).launch;
    const auto& run = step.simulated.run;
    if (run && step.time > 0 && step.time <= run->timeline.actions.size())
        object["action_launch"] = run->timeline.actions[step.time - 1].launch + 1;
    object["prints"] = json::array();
    for (std::size_t i = 0; run && i < run->prints.size(); ++i)
        object["prints"].push_back({{"item", run->prints[i].item_name},
                                    {"line", run->prints[i].line},
                                    {"text", run->prints[i].text},
                                    {"seen", run->prints[i].time <= step.time}});
    return object;
}

json added_json(const MeasureState& measure) {
    json object = json::array();
    for (const AddedResults& added : measure.added)
        object.push_back({{"file", added.file.string()},
                          {"device", added.results.device.name},
                          {"rows", added.results.rows.size()},
                          {"drawn", is_comparable(measure, added)}});
    return object;
}

json measure_part(const Session& session) {
    const MeasureState& measure = session.view<MeasureView>().state();
    json object = json_of(measure.results);
    object.update({{"done", measure.progress.done},
                   {"total", measure.progress.total},
                   {"seconds_left", measure.progress.seconds_left},
                   {"version", measure.version},
                   {"runs", measure.runs.size()},
                   {"shown_run", measure.shown_run},
                   {"added", added_json(measure)}});
    if (!measure.results.answer) return object;
    const results::Measurements& results = *measure.results.answer;
    json rows = json::array();
    for (const results::Row& row : results.rows)
        rows.push_back({{"kind", row.kind},
                        {"variant", row.variant},
                        {"n", row.n},
                        {"group", row.group},
                        {"devices", std::max<std::size_t>(row.parts.size(), 1)},
                        {"chosen_by", row.chosen_by},
                        {"right", row.right},
                        {"samples", row.samples_ms().size()}});
    object.update({{"complete", results.complete},
                   {"rows", std::move(rows)},
                   {"problems", results.problems},
                   {"skipped", results.skipped}});
    return object;
}

json devices_part(const Session& session) {
    json object = json_of(session.devices);
    object["in_use"] = device_in_use(session);
    json ids = json::array();
    if (session.devices.answer)
        for (const results::DeviceInfo& device : session.devices.answer->devices)
            ids.push_back(device.id);
    object["ids"] = std::move(ids);
    return object;
}

json machine_part(const Session& session) {
    const RunState& simulated = session.view<StepView>().simulated;
    json object{{"waiting", simulated.waiting},
                {"problem", simulated.problem ? json(*simulated.problem) : json()},
                {"version", simulated.version}};
    if (!simulated.run) return object;
    const analysis::StepTable& table = simulated.run->table;
    object.update({{"actions", simulated.run->actions()},
                   {"lines", simulated.run->line_ends.size()},
                   {"hazards", analysis::races_in(simulated.run->hazards)},
                   {"result", table.result},
                   {"expected", table.expected},
                   {"right", table.right},
                   {"order", table.machine ? table.machine->order : ""},
                   {"fault", table.fault}});
    if (session.view<StepView>().beside && session.view<StepView>().other.run)
        object["beside"] = {{"variant", session.view<StepView>().other.run->table.variant},
                            {"result", session.view<StepView>().other.run->table.result},
                            {"right", session.view<StepView>().other.run->table.right}};
    return object;
}

// What the device says of the shown run; null while it is at work.
json witness_part(const Session& session) {
    const WitnessState& witness = session.view<StepView>().witness;
    return witness.answer ? json(*witness.answer) : json();
}

json outcomes_json(const RaceView& desk) {
    json object = json_of(desk.now.outcomes);
    if (!desk.now.outcomes.answer) return object;
    json results = json::array();
    for (const analysis::PossibleResult& each : desk.now.outcomes.answer->results)
        results.push_back({{"result", each.ending.result},
                           {"right", each.ending.right ? json(*each.ending.right) : json()},
                           {"fault", each.fault},
                           {"never_ends", each.never_ends},
                           {"turns", in_a_line(each.turns)}});
    object["complete"] = desk.now.outcomes.answer->complete;
    object["bound"] = json(*desk.now.outcomes.answer)["bound"];
    object["results"] = std::move(results);
    return object;
}

json trials_json(const RaceView& desk) {
    json result = json_of(desk.now.trials);
    result["delays"] = desk.delays;
    if (!desk.now.trials.answer) return result;
    json counts = json::object(), delayed = json::object();
    for (const results::TrialResult& each : desk.now.trials.answer->results) {
        counts[each.result] = each.count;
        delayed[each.result] = each.delayed;
    }
    result["counts"] = std::move(counts);
    result["count"] = desk.now.trials.answer->count;
    if (desk.now.trials.answer->delays) {
        result["seed"] = *desk.now.trials.answer->delays;
        result["delayed_counts"] = std::move(delayed);
        result["delayed"] = desk.now.trials.answer->delayed;
    }
    result["unforeseen"] = desk.now.trials.answer->unforeseen();
    return result;
}

json race_part(const Session& session) {
    const RaceView& desk = session.view<RaceView>();
    json result{{"problem", desk.problem ? json(*desk.problem) : json()},
                {"playing", desk.playing()},
                {"found", desk.now.found ? json(*desk.now.found) : json()},
                {"outcomes", outcomes_json(desk)},
                {"trials", trials_json(desk)}};
    if (!desk.race()) return result;
    const Race& race = *desk.race();
    json ready = json::array();
    for (const analysis::WarpView* warp : race.ready())
        ready.push_back({{"group", warp->group},
                         {"warp", warp->warp},
                         {"line", warp->line},
                         {"array", warp->next ? warp->next->array : ""}});
    json values = json::object();
    for (const analysis::StateArray& array : race.state_view().arrays)
        for (const analysis::StateCell& cell : array.cells)
            values[array.local ? array.name + "/" + std::to_string(array.group) : array.name]
                .push_back(cell.value);
    std::size_t come = 0;
    for (const analysis::Hazard& hazard : race.hazards())
        come += hazard.severity == analysis::Hazard::Severity::race && hazard.here &&
                        hazard.time < race.cursor()
                    ? 1U
                    : 0U;
    result.update(
        {{"cursor", race.cursor()},
         {"length", race.length()},
         {"at_end", race.at_end()},
         {"turns", in_a_line(race.turns())},
         {"expected", race.expected()},
         {"ready", std::move(ready)},
         {"picked", desk.picked()},
         {"side", desk.side},
         {"mending", desk.kept.has_value()},
         {"memory", std::move(values)},
         {"hazards", analysis::races_in(race.hazards())},
         {"hazards_come", come},
         {"fault", race.fault() ? json(*race.fault()) : json()},
         {"fault_words", race.fault() ? translated(*race.fault(), session.words()).what_happened
                                      : std::string()}});
    if (race.ending())
        result["ending"] = {{"result", race.ending()->result},
                            {"right", race.ending()->right ? json(*race.ending()->right) : json()}};
    return result;
}

json lattice_part(const Session& session) {
    const LatticeView& view = session.view<LatticeView>();
    const LatticePicture& seen = view.picture;
    const LatticeCamera camera = camera_of(seen);
    json object{{"running", view.run.running()},
                {"moving", seen.moving},
                {"version", seen.version},
                {"zoom", camera.zoom},
                {"x", camera.x},
                {"y", camera.y},
                {"most_zoom", most_zoom(seen.frame)},
                {"problem", view.problem ? json(*view.problem) : json()}};
    if (const auto& picture = seen.lattice) {
        object["n"] = picture->head.n;
        object["variant"] = picture->head.variant;
        object["rows"] = picture->rows.size();
        object["result"] = picture->head.result;
        object["right"] = picture->head.right;
        object["stale"] = picture->stale_reads;
        object["raced"] = picture->raced.size();
    }
    return object;
}

json sizes_part(const Session& session) {
    const SizesView& view = session.view<SizesView>();
    json object{{"waiting", view.busy()}, {"version", view.version}};
    if (view.map.answer) object["map"] = *view.map.answer;
    if (view.inputs.answer) object["inputs"] = *view.inputs.answer;
    if (view.barriers.answer) object["barriers"] = *view.barriers.answer;
    return object;
}

json worker_json(const WorkerProcess& worker) {
    return {{"process", worker.process}, {"starts", worker.starts}};
}

json workers_part(const Session& session) {
    return {{"step", worker_json({session.worker.process(), session.worker.starts()})},
            {"measure", worker_json(session.view<MeasureView>().worker())},
            {"search", worker_json(session.view<RaceView>().search_worker())},
            {"trials", worker_json(session.view<RaceView>().trial_worker())}};
}

json undo_part(const Session& session) {
    return {{"can_undo", session.can_undo()}, {"can_redo", session.can_redo()}};
}

// What lies over the view, and beside it.
json over_part(const Session& session) {
    return {{"overlay", session.overlay}, {"log", session.log_shown}};
}

json notices_part(const Session& session) {
    json toasts = json::array();
    for (const Toast& toast : session.notices.toasts())
        toasts.push_back(toast.words);
    json log = json::array();
    for (const LogEntry& entry : session.notices.log())
        log.push_back({{"where", entry.where}, {"problem", entry.problem}, {"times", entry.times}});
    const Hint* hint = hint_for(session);
    return {{"toasts", std::move(toasts)},
            {"log", std::move(log)},
            {"hint", hint != nullptr && session.options().remember ? hint->id : ""}};
}

// The word whose card is shown, and how far its run is.
json glossary_part(const Session& session) {
    const GlossaryBook& book = session.glossary;
    const std::vector<lessons::Word>& words = book.glossary.words;
    return {{"word", book.shown ? words[*book.shown].id : ""},
            {"focus", book.focus ? words[*book.focus].id : ""},
            {"step", book.step},
            {"moments", book.moments.size()},
            {"moving", (book.shown && book.next_tick)}};
}

// The page at hand and what has been made of its answer.
json learn_part(const Session& session) {
    const LearnView& learn = session.view<LearnView>();
    json object{{"lessons", json::array()}, {"problems", learn.course_problems}};
    for (const CourseEntry& entry : learn.course)
        object["lessons"].push_back(
            {{"id", entry.lesson.id}, {"answered", entry.answered()}, {"asked", entry.asked()}});
    if (learn.page() == nullptr) return object;
    const LearnPage& shown = learn.open;
    const lessons::PageProgress* progress = learn.progress();
    object.update({{"lesson", learn.lesson_id()},
                   {"page", learn.page_id()},
                   {"place", learn.page_place},
                   {"pages", learn.lesson()->pages.size()},
                   {"title", learn.page()->title},
                   {"words", lessons::plain_text(shown.words)},
                   {"kind", learn.page()->ask ? lessons::name_of(learn.page()->ask->kind) : ""},
                   {"problem", shown.problem ? json(*shown.problem) : json()},
                   {"kernel", shown.kernel},
                   {"done", learn.done()},
                   {"spent", learn.spent()},
                   {"seed", learn.page()->seed},
                   {"checking", learn.checking()},
                   {"can_check", can_check(learn)},
                   {"draft", shown.draft},
                   {"choices", choices(learn)},
                   {"asks_why", shown.asks_why},
                   {"reasons", json::array()},
                   {"pointed", shown.pointed ? json(*shown.pointed) : json()},
                   {"picked", shown.picked},
                   {"hints", learn.page()->hints.size()},
                   {"hints_shown", shown.hints_shown},
                   {"position", learn.position()},
                   {"picture", {{"result", shown.table.result}, {"right", shown.table.right}}},
                   {"progress", progress != nullptr ? json(*progress) : json()},
                   {"panel", panel_of(learn)},
                   {"panel_wanted", shown.panel_wanted.value_or(true)},
                   {"traced", shown.traced},
                   {"told", learn.told()},
                   {"stage", shown.stage},
                   {"feedback", nullptr}});
    for (const lessons::Reason& reason : learn.page()->reasons)
        object["reasons"].push_back(reason.name);
    if (shown.poll) {
        object["poll"] = {{"place", shown.poll->place}, {"choices", json::array()}};
        for (const PollChoice& choice : shown.poll->choices)
            object["poll"]["choices"].push_back(
                {{"text", choice.text}, {"hands", choice.hands}, {"right", choice.right}});
    }
    if (shown.has_lattice)
        object["lattice"] = {{"zoom", camera_of(learn.lattice).zoom},
                             {"rows", learn.lattice.lattice->rows.size()}};
    object["rows"] = shown.rows ? shown.rows->rows.size() : 0;
    if (learn.asks(lessons::Kind::measure))
        object["measured"] = learn.page()->ask->predict == lessons::Predict::order   ? "order"
                             : learn.page()->ask->predict == lessons::Predict::ratio ? "ratio"
                                                                                     : "share";
    if (shown.feedback)
        object["feedback"] = {{"right", shown.feedback->right},
                              {"given_up", shown.feedback->given_up},
                              {"message", translated(shown.feedback->message, session.words())},
                              {"reply", lessons::plain_text(shown.reply)},
                              {"reason_reply", lessons::plain_text(shown.reason_reply)}};
    if (const Race* race = shown.race.get()) {
        object["race"] = {{"at_end", race->at_end()}, {"ready", json::array()}};
        for (const analysis::WarpView* warp : race->ready())
            object["race"]["ready"].push_back(fmt::format("{}.{}", warp->group, warp->warp));
    }
    return object;
}

// The ids of all commands that could be done now.
json commands_part(const Session& session) {
    json enabled = json::array();
    for (const Command& command : session.commands().all())
        if (command.enabled(session)) enabled.push_back(command.id);
    return enabled;
}

constexpr std::array kParts{
    StatePart{"view", [](const Session& s) { return json(s.settings().view); }},
    StatePart{"pointed", [](const Session& s) { return json(s.pointed.name()); }},
    StatePart{"busy", [](const Session& s) { return json(s.busy()); }},
    StatePart{"settings", [](const Session& s) { return json(s.settings()); }},
    StatePart{"choice", choice_part},
    StatePart{"own", own_part},
    StatePart{"step", step_part},
    StatePart{"machine", machine_part},
    StatePart{"witness", witness_part},
    StatePart{"broken", [](const Session& s) { return json(s.view<StepView>().broken()); }},
    StatePart{"race", race_part},
    StatePart{"measure", measure_part},
    StatePart{"lattice", lattice_part},
    StatePart{"sizes", sizes_part},
    StatePart{"learn", learn_part},
    StatePart{"devices", devices_part},
    StatePart{"problems", [](const Session& s) { return json(s.notices.problems()); }},
    StatePart{"over", over_part},
    StatePart{"notices", notices_part},
    StatePart{"undo", undo_part},
    StatePart{"commands", commands_part},
    StatePart{"glossary", glossary_part},
    StatePart{"workers", workers_part},
};

}  // namespace

std::span<const StatePart> state_parts() {
    return kParts;
}

nlohmann::json state_json(const Session& session) {
    json result = json::object();
    for (const StatePart& part : state_parts())
        result[part.name] = part.of(session);
    return result;
}

}  // namespace lab::session
