// The protocol between the app and its worker: one JSON object per line, both ways.
//
//   request   {"id": 7, "method": "step", "parameters": {…}}
//   replies   {"id": 7, "progress": {…}}    any number
//             {"id": 7, "result": …}        or
//             {"id": 7, "problem": {"what": …, "why": …, "hint": …, "where": …, "exit": 2}}
//
// A line that is no request is answered with a problem under id 0 (or its id if it has one); an
// empty line is not answered. Numbers that JSON does not know (NaN, infinities) arrive as null,
// bytes that are no UTF-8 as U+FFFD.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "worker/client.h"

namespace lab::worker {

struct Request {
    std::uint64_t id = 0;
    std::string method;
    nlohmann::json parameters;
};

std::string line_of(const Request& request);     // without the line's end
Request parse_request(const std::string& line);  // throws Problem
std::uint64_t id_of(std::string_view line);      // of a line that is no request; 0 if it has none
std::string line_of(
    const nlohmann::json& message);  // one line of valid UTF-8, whatever it contains

// The object in a line of output; empty if none has an id. Text before it is skipped (a driver may
// print without a line break).
std::optional<nlohmann::json> parse_reply(std::string_view line);

using Progress = std::function<void(const nlohmann::json&)>;
// Handles a request and returns its result, or throws Problem. May call Progress from any thread
// until it returns.
using Method = std::function<nlohmann::json(const nlohmann::json& parameters, const Progress&)>;

// Reads requests from `in` to its end and answers on `out`, flushing each line. Whatever a method
// throws becomes a problem, and the loop goes on. Ends early only if `out` fails.
void serve(std::istream& in, std::ostream& out, const std::map<std::string, Method>& methods);

// The same on this process's standard streams. What others (as a driver) print on standard output
// goes to standard error, so that it cannot get between the replies.
void serve_standard_streams(const std::map<std::string, Method>& methods);

// From now on, this process is killed when the thread that started it ends. The client's workers
// start like that; this is for a server that was started otherwise.
void end_with_parent();

}  // namespace lab::worker
