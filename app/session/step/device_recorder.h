// Asks a worker for a run of the device that goes wrong, and makes that run the choice.
#pragma once

#include <optional>

#include "base/problem.h"
#include "results/report.h"
#include "session/shell/asked.h"
#include "session/shell/settings.h"
#include "worker/client.h"

namespace lab::session {

class Session;

class DeviceRecorder {
  public:
    explicit DeviceRecorder(Session& session);

    const Asked<results::Recorded>& recorded() const { return recorded_; }
    std::uint64_t runs() const { return runs_; }  // so far, while it is at work
    WorkerProcess worker() const { return {client_.process(), client_.starts()}; }

    void start();  // for what is chosen
    void cancel();
    void poll() { client_.poll(); }

  private:
    void take(const results::Recorded& recorded);

    Session& session_;
    Choice asked_;
    Asked<results::Recorded> recorded_;
    std::uint64_t runs_ = 0;
    worker::Ticket ticket_ = 0;
    worker::Client client_;
};

}  // namespace lab::session
