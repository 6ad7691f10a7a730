// The lines between the app and its worker: one JSON object a line, each way.
//
//   request   {"id": 7, "method": "step", "parameters": {…}}
//   replies   {"id": 7, "progress": {…}}    any number
//             {"id": 7, "result": …}        or
//             {"id": 7, "problem": {"what": …, "why": …, "hint": …, "where": …, "exit": 2}}
//
// A line that is no request is answered with a problem under id 0 (or its id where it has one);
// an empty line is not answered. Numbers that JSON does not know (NaN, infinities) arrive as null,
// bytes that are no UTF-8 as U+FFFD.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "worker/bounds.h"

namespace lab::worker {

struct Request {
    std::uint64_t id = 0;
    std::string method;
    nlohmann::json parameters;
};

std::string line_of(const Request& request);     // without the line's end
Request parse_request(const std::string& line);  // throws Problem
std::uint64_t id_of(std::string_view line);      // of one that is no request, if it has one; else 0
std::string line_of(const nlohmann::json& message);  // one line of valid UTF-8, whatever is in it

// The object in a line of output, or nothing if there is none with an id; any text before it is
// skipped (a driver that printed without a line's end).
std::optional<nlohmann::json> parse_reply(std::string_view line);

using Progress = std::function<void(const nlohmann::json&)>;
// Does a request and returns its result, or throws Problem. It may call Progress from any thread,
// until it returns.
using Method = std::function<nlohmann::json(const nlohmann::json& parameters, const Progress&)>;

// Reads requests from `in` to its end and answers on `out`, a flush a line. Whatever a method
// throws becomes a problem; the loop goes on. It ends early only if `out` takes no more.
void serve(std::istream& in, std::ostream& out, const std::map<std::string, Method>& methods);

// The same on this process's standard streams. Meanwhile, what anybody else prints on standard
// output (a driver, say) goes to standard error, so that it cannot get between the replies.
void serve_standard_streams(const std::map<std::string, Method>& methods);

// From now on, this process is killed when the thread that started it ends. The client's workers
// are so already when they start; this is for a server that somebody else started.
void end_with_parent();

}  // namespace lab::worker
