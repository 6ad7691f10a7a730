// Asks the page's worker for the run of a broken kernel that goes wrong: a page has one thread, and
// a search takes its time. The desktop looks for it on a thread, with what the device did.
#pragma once

#include <functional>
#include <optional>

#include "session/shell/settings.h"
#include "simulation/simulate.h"
#include "worker/client.h"

namespace lab::session {

class WrongOrder {
  public:
    // The worker outlives it.
    explicit WrongOrder(worker::Client& worker) : worker_(worker) {}
    ~WrongOrder() { cancel(); }
    WrongOrder(const WrongOrder&) = delete;
    WrongOrder& operator=(const WrongOrder&) = delete;

    // Calls `then` with the options to run the choice with; empty if there is no such
    // order, or if it could not be looked for. One question at a time: a newer one takes the place
    // of an older one.
    using Found = std::optional<simulation::Options>;
    void ask(const Choice& choice, std::function<void(Found)> then);
    void cancel();

  private:
    worker::Client& worker_;
    worker::Ticket ticket_ = 0;
};

}  // namespace lab::session
