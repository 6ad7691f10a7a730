#include "session/step/wrong_order.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "analysis/outcomes/witness.h"
#include "machine/schedule.h"
#include "simulation/plan_job.h"

namespace lab::session {
namespace {

constexpr auto kWrongOrderLimit = std::chrono::seconds(120);

// The plan stays as it is on the machine that was chosen.
WrongOrder::Found found_in(const nlohmann::json& answer, const analysis::MachineUsed& chosen) {
    if (answer.is_null()) return std::nullopt;
    machine::Config config;
    config.lanes = chosen.lanes;
    config.resident = chosen.resident;
    simulation::Options options;
    options.target = simulation::target_of(config);
    options.config.lanes = answer.at("lanes").get<std::uint32_t>();
    options.config.resident = answer.at("resident").get<std::uint32_t>();
    options.order.kind = machine::Order::Kind::list;
    options.order.turns = machine::parse_turns(answer.at("turns").get<std::string>(), "turns");
    options.order.name = analysis::kGoesWrong;
    return options;
}

}  // namespace

void WrongOrder::ask(const Choice& choice, std::function<void(Found)> then) {
    cancel();
    if (!is_automatic(choice) || choice.user_kernel) return then(std::nullopt);
    analysis::MachineUsed machine = choice.machine;
    machine.order = text_of(order_of(machine));  // the usual one
    nlohmann::json asked{
        {"variant", choice.variant}, {"shape", choice.shape}, {"machine", machine}};
    add_opened(asked, choice);
    worker::Handler handler;
    handler.result = [then, machine = choice.machine](const nlohmann::json& answer) {
        then(found_in(answer, machine));
    };
    handler.problem = [then](const Problem&) { then(std::nullopt); };
    ticket_ = worker_.send("wrong_order", std::move(asked), std::move(handler), kWrongOrderLimit);
}

void WrongOrder::cancel() {
    if (ticket_ != 0) worker_.cancel(std::exchange(ticket_, 0));
}

}  // namespace lab::session
