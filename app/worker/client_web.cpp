// The client in a browser: its worker is a Web Worker, which runs the same program on the same
// lines.
#include <emscripten.h>

#include <deque>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "analysis/machine_run.h"
#include "results/device_info.h"
#include "worker/client.h"
#include "worker/inbox.h"
#include "worker/protocol.h"

namespace lab::worker {

// Each is a function of web/page.js; `id` is the client's.
EM_JS(void, lab_worker_start, (int id), { labPage.startWorker(id); });
EM_JS(void, lab_worker_send, (int id, const char* line),
      { labPage.sendToWorker(id, UTF8ToString(line)); });
EM_JS(void, lab_worker_end, (int id), { labPage.endWorker(id); });

namespace {

using Clock = std::chrono::steady_clock;

Problem needs_desktop() {
    return {"A browser has no OpenCL", "Pages may not use the system's OpenCL devices",
            "Use Reduction Lab for the desktop to run this on a device", "", Exit::no_device};
}

// Hears a worker.
class Listener {
  public:
    virtual ~Listener() = default;
    virtual void received(const std::string& line) = 0;
    virtual void fail(const std::string& why) = 0;
};

std::map<int, Listener*>& listeners() {
    static std::map<int, Listener*> all;
    return all;
}

}  // namespace

struct Client::Impl : Listener {
    explicit Impl(Options given);
    ~Impl() override;
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void next();
    void leave();
    void received(const std::string& line) override;
    void fail(const std::string& why) override;

    const Options options;
    Inbox inbox;
    Handlers handlers;
    std::deque<Job> waiting;
    std::optional<Job> current;
    Clock::time_point heard;  // the last sign of life
    bool runs = false;
    int id = 0, starts = 0;
};

Client::Impl::Impl(Options given) : options(std::move(given)), inbox(options.wake) {
    static int last = 0;
    id = ++last;
    listeners()[id] = this;
}

Client::Impl::~Impl() {
    leave();
    listeners().erase(id);
}

void Client::Impl::next() {
    if (current || waiting.empty()) return;
    current = std::move(waiting.front());
    waiting.pop_front();
    if (!runs) {
        lab_worker_start(id);
        runs = true;
        ++starts;
    }
    heard = Clock::now();
    lab_worker_send(id, current->line.c_str());
}

void Client::Impl::leave() {
    if (std::exchange(runs, false)) lab_worker_end(id);
}

void Client::Impl::received(const std::string& line) {
    std::optional<nlohmann::json> reply = parse_reply(line);
    if (!reply || !current || (*reply)["id"] != current->ticket) return;
    heard = Clock::now();
    auto content = content_of(*reply, current->method);
    if (!content) return;
    const bool done = !std::holds_alternative<ProgressMade>(*content);
    inbox.put({current->ticket, std::move(*content)});
    if (!done) return;
    current.reset();
    next();
}

void Client::Impl::fail(const std::string& why) {
    leave();
    if (!current) return;
    inbox.put({current->ticket, Problem("The background work ended", why,
                                        "Try it again; a smaller size takes less")});
    current.reset();
    next();
}

Client::Client(Options options) : impl_(std::make_unique<Impl>(std::move(options))) {}
Client::~Client() = default;

Ticket Client::send(std::string method, nlohmann::json parameters, Handler handler,
                    std::chrono::milliseconds limit) {
    const Ticket ticket = impl_->handlers.add(std::move(handler));
    // That there are none is no problem of whoever asks.
    if (method == "devices") {
        impl_->inbox.put({ticket, Result{results::Devices{{}, {needs_desktop()}}}});
        return ticket;
    }
    if (!analysis::requests().contains(method)) {
        impl_->inbox.put({ticket, needs_desktop()});
        return ticket;
    }
    const Request request{ticket, std::move(method), std::move(parameters)};
    impl_->waiting.push_back({ticket, request.method, line_of(request), limit});
    impl_->next();
    return ticket;
}

void Client::cancel(Ticket ticket) {
    if (!impl_->handlers.remove(ticket)) return;
    std::erase_if(impl_->waiting, [&](const Job& job) { return job.ticket == ticket; });
    if (!impl_->current || impl_->current->ticket != ticket) return;
    impl_->leave();
    impl_->current.reset();
    impl_->next();
}

void Client::poll() {
    if (impl_->current && Clock::now() > impl_->heard + impl_->current->limit)
        impl_->fail("It was silent for too long");
    impl_->handlers.deliver(impl_->inbox);
}

bool Client::busy() const {
    return !impl_->handlers.empty();
}
int Client::starts() const {
    return impl_->starts;
}
int Client::process() const {
    return impl_->runs ? impl_->id : 0;
}

}  // namespace lab::worker

// From web/page.js: a line of the worker's, or why there are no more.
extern "C" EMSCRIPTEN_KEEPALIVE void lab_worker_line(int id, const char* line) {
    const auto found = lab::worker::listeners().find(id);
    if (found != lab::worker::listeners().end()) found->second->received(line);
}
extern "C" EMSCRIPTEN_KEEPALIVE void lab_worker_failed(int id, const char* why) {
    const auto found = lab::worker::listeners().find(id);
    if (found != lab::worker::listeners().end()) found->second->fail(why);
}
