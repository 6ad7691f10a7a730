// The app as a page for browsers, and as the worker behind it.
#include <emscripten.h>

#include <sstream>
#include <streambuf>

#include "analysis/machine_run.h"
#include "views/shell/app.h"
#include "worker/protocol.h"

namespace {

EM_JS(void, lab_reply, (const char* line), { postMessage(UTF8ToString(line)); });

// Each line that is written is a message to the page.
class Messages : public std::streambuf {
  protected:
    int overflow(int c) override {
        if (c == '\n') {
            lab_reply(line_.c_str());
            line_.clear();
        } else {
            line_.push_back(static_cast<char>(c));
        }
        return c;
    }

  private:
    std::string line_;
};

}  // namespace

// A request to the worker: a line of worker/protocol.h.
extern "C" EMSCRIPTEN_KEEPALIVE void lab_serve(const char* line) {
    Messages messages;
    std::ostream out(&messages);
    std::istringstream in(line);
    const auto& requests = lab::analysis::requests();
    lab::worker::serve(in, out, {requests.begin(), requests.end()});
}

int main(int argc, char** argv) {
    return lab::gui::run_app(argc, argv);
}
