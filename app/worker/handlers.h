// Who waits for what of a worker.
#pragma once

#include <map>
#include <memory>

#include "worker/client.h"
#include "worker/inbox.h"

namespace lab::worker {

class Handlers {
  public:
    // A ticket for the request that this is the handler of.
    Ticket add(Handler handler);
    bool remove(Ticket ticket) { return handlers_.erase(ticket) != 0; }  // whether it was there
    bool empty() const { return handlers_.empty(); }
    // Calls the handlers of what is in the box now: what they send in turn waits for the next call.
    void deliver(Inbox& inbox);

  private:
    void deliver(const Arrival& arrival);

    std::map<Ticket, std::shared_ptr<const Handler>> handlers_;
    Ticket last_ = 0;
};

// What a reply says about the request; nothing if it says nothing that is known.
std::optional<decltype(Arrival::what)> content_of(nlohmann::json& reply, const std::string& method);

}  // namespace lab::worker
