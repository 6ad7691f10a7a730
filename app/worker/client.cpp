#include "worker/client.h"

#include <thread>
#include <utility>

#include "base/child_process.h"
#include "worker/conversation.h"
#include "worker/inbox.h"
#include "worker/process.h"
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
    Handlers handlers;
};

Client::Client(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Client::~Client() = default;

Ticket Client::send(std::string method, nlohmann::json parameters, Handler handler,
                    std::chrono::milliseconds limit) {
    const Ticket ticket = impl_->handlers.add(std::move(handler));
    const Request request{ticket, std::move(method), std::move(parameters)};
    Job job{ticket, request.method, line_of(request), limit};
    asio::post(impl_->context,
               [conversation = &impl_->conversation, job = std::move(job)]() mutable {
                   conversation->add(std::move(job));
               });
    return ticket;
}

void Client::cancel(Ticket ticket) {
    if (!impl_->handlers.remove(ticket)) return;
    asio::post(impl_->context,
               [conversation = &impl_->conversation, ticket] { conversation->cancel(ticket); });
}

void Client::poll() {
    impl_->handlers.deliver(impl_->inbox);
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
