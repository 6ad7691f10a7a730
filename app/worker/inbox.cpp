#include "worker/inbox.h"

#include <fmt/format.h>

namespace lab::worker {

using nlohmann::json;

Ticket Handlers::add(Handler handler) {
    handlers_[++last_] = std::make_shared<const Handler>(std::move(handler));
    return last_;
}

void Handlers::deliver(Inbox& inbox) {
    for (std::size_t left = inbox.size(); left > 0; --left) {
        const std::optional<Arrival> arrival = inbox.take();
        if (!arrival) return;
        deliver(*arrival);
    }
}

void Handlers::deliver(const Arrival& arrival) {
    const auto found = handlers_.find(arrival.ticket);
    if (found == handlers_.end()) return;                          // cancelled
    const std::shared_ptr<const Handler> handler = found->second;  // it may cancel itself
    if (const auto* result = std::get_if<ProgressMade>(&arrival.what)) {
        if (handler->progress) handler->progress(result->value);
        return;
    }
    handlers_.erase(found);
    if (const auto* result = std::get_if<Result>(&arrival.what)) {
        if (handler->result) handler->result(result->value);
    } else if (handler->problem) {
        handler->problem(std::get<Problem>(arrival.what));
    }
}

std::optional<decltype(Arrival::what)> content_of(json& reply, const std::string& method) {
    if (const auto found = reply.find("progress"); found != reply.end())
        return ProgressMade{std::move(*found)};
    if (const auto found = reply.find("result"); found != reply.end())
        return Result{std::move(*found)};
    const auto found = reply.find("problem");
    if (found == reply.end()) return {};
    try {
        return found->get<Problem>();
    } catch (const json::exception& error) {
        return Problem(fmt::format("'{}' failed, and the reply does not say why", method),
                       error.what(), "See that the worker is of the same version as the app");
    }
}

}  // namespace lab::worker
