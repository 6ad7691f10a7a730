#include "worker/client.h"

#include <map>
#include <thread>
#include <utility>

#include "base/child_process.h"
#include "worker/asio.h"
#include "worker/conversation.h"
#include "worker/inbox.h"
#include "worker/protocol.h"

namespace lab::worker {

struct Client::Impl {
    explicit Impl(Options given) : options(std::move(given)), inbox(options.wake) {
        const SignalsBlocked blocked;
        thread = std::thread([this] { context.run(); });
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() {
        context.stop();
        thread.join();
        conversation.close();
    }

    const Options options;
    Inbox inbox;
    asio::io_context context{1};
    asio::executor_work_guard<asio::io_context::executor_type> work = make_work_guard(context);
    Conversation conversation{context, options, inbox};
    // Workers are started on this thread, and die with it whatever else happens.
    std::thread thread;
    std::map<Ticket, std::shared_ptr<const Handler>> handlers;
    Ticket last = 0;

    void deliver(const Arrival& arrival) {
        const auto found = handlers.find(arrival.ticket);
        if (found == handlers.end()) return;                           // cancelled
        const std::shared_ptr<const Handler> handler = found->second;  // it may cancel itself
        if (const auto* result = std::get_if<ProgressMade>(&arrival.what)) {
            if (handler->progress) handler->progress(result->value);
            return;
        }
        handlers.erase(found);
        if (const auto* result = std::get_if<Result>(&arrival.what)) {
            if (handler->result) handler->result(result->value);
        } else if (handler->problem) {
            handler->problem(std::get<Problem>(arrival.what));
        }
    }
};

Client::Client(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Client::~Client() = default;

Ticket Client::send(std::string method, nlohmann::json parameters, Handler handler,
                    std::chrono::milliseconds limit) {
    const Ticket ticket = ++impl_->last;
    const Request request{ticket, std::move(method), std::move(parameters)};
    Job job{ticket, request.method, line_of(request), limit};
    impl_->handlers[ticket] = std::make_shared<const Handler>(std::move(handler));
    asio::post(impl_->context,
               [conversation = &impl_->conversation, job = std::move(job)]() mutable {
                   conversation->add(std::move(job));
               });
    return ticket;
}

void Client::cancel(Ticket ticket) {
    if (impl_->handlers.erase(ticket) == 0) return;
    asio::post(impl_->context,
               [conversation = &impl_->conversation, ticket] { conversation->cancel(ticket); });
}

void Client::poll() {
    // As many as there are now: handlers that send are not to keep the caller here forever.
    for (std::size_t left = impl_->inbox.size(); left > 0; --left) {
        const std::optional<Arrival> arrival = impl_->inbox.take();
        if (!arrival) return;
        impl_->deliver(*arrival);
    }
}

bool Client::busy() const {
    return !impl_->handlers.empty();
}
int Client::starts() const {
    return impl_->conversation.starts();
}
int Client::process() const {
    return impl_->conversation.process();
}

}  // namespace lab::worker
