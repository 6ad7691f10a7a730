#include "session/step/device_recorder.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "results/request.h"
#include "session/race/race_view.h"
#include "session/shell/answer_handler.h"
#include "session/shell/session.h"
#include "session/step/step_view.h"

namespace lab::session {
namespace {

constexpr auto kRecordLimit = std::chrono::seconds(300);

}  // namespace

DeviceRecorder::DeviceRecorder(Session& session)
    : session_(session), client_(session.worker_options()) {}

void DeviceRecorder::start() {
    if (recorded_.waiting) return;
    asked_ = session_.settings().choice;
    results::RecordRequest request;
    if (!asked_.user_kernel) request.variant = asked_.variant;
    request.shape = asked_.shape;
    nlohmann::json parameters = request;
    if (asked_.user_kernel) parameters["own"] = *asked_.user_kernel;
    add_opened(parameters, asked_);
    runs_ = 0;
    recorded_ = {};
    recorded_.waiting = true;
    worker::Handler handle = handler(recorded_);
    handle.progress = [this](const nlohmann::json& progress) {
        runs_ = progress.value("done", runs_);
    };
    handle.result = [this, keep = handle.result](const nlohmann::json& result) {
        keep(result);
        take(*recorded_.answer);
    };
    ticket_ = client_.send("record", std::move(parameters), std::move(handle), kRecordLimit);
}

void DeviceRecorder::cancel() {
    if (!recorded_.waiting) return;
    client_.cancel(ticket_);
    recorded_.waiting = false;
}

// The turns carry their name as a remark, so that it stays with them wherever they are saved.
void DeviceRecorder::take(const results::Recorded& recorded) {
    const Translations& words = session_.words();
    const auto rate = [&](const results::WrongRate& of) {
        return fmt::format("{} / {}", of.wrong, of.runs);
    };
    const bool own = asked_.user_kernel.has_value();
    const auto said = [&](const char* key) {
        return words(key, fmt::arg("with", rate(recorded.recorded)),
                     fmt::arg("without", rate(recorded.plain)));
    };
    if (recorded.run == 0) {
        session_.notices().say(said(own ? "toast.recorded_none_own" : "toast.recorded_none"));
        return;
    }
    if (!recorded.difference.empty()) {
        recorded_.problem = Problem(
            "The simulator does not go the way of the recorded run", recorded.difference,
            "Try again: another run may do; or the device's compiler made something else of the "
            "text");
        return;
    }
    if (!same_but_order(asked_, session_.settings().choice)) return;  // something else is looked at
    Choice choice = asked_;
    choice.machine.lanes = 1;
    choice.machine.resident = 0;
    choice.machine.order =
        fmt::format("{}# {}\n{}", machine::kTurnsPrefix, recorded.order, recorded.turns);
    session_.choose(std::move(choice));
    session_.notices().say(said(own ? "toast.recorded_own" : "toast.recorded"));
    if (session_.shows<RaceView>())
        session_.view<StepView>().after_run([turns = recorded.turns](Session& ready) {
            ready.view<RaceView>().set_turns(turns, 0);
        });
}

}  // namespace lab::session
