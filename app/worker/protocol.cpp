#include "worker/protocol.h"

#include <algorithm>
#include <charconv>
#include <istream>
#include <mutex>
#include <new>
#include <ostream>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/problem.h"

namespace lab::worker {
namespace {

using nlohmann::json;

// Every message begins so: json writes an object's keys in alphabetical order.
constexpr std::string_view kBeginning = "{\"id\":";

// JSON's reader takes any depth; copying and writing what was read would use up the stack.
bool nested_too_deep(std::string_view text) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\') ++i;
            if (c == '"') quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kDeepestNesting) return true;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return false;
}

Problem no_request(std::string_view why) {
    constexpr std::size_t kMost = 300;  // bytes of why a line is no request; the rest is left out
    return {"A line of input is no request", std::string(why.substr(0, kMost)),
            R"(Write one line a request: {"id": 1, "method": "…", "parameters": {…}})"};
}

// Writes replies, each whole, from whatever thread.
class Replies {
  public:
    explicit Replies(std::ostream& out) : out_(out) {}

    void send(std::uint64_t id, const char* kind, const json& value) {
        const std::string line = line_of(json{{"id", id}, {kind, value}});
        const std::lock_guard lock(mutex_);
        out_ << line << '\n' << std::flush;
    }

  private:
    std::mutex mutex_;
    std::ostream& out_;
};

json call(const Request& request, const std::map<std::string, Method>& methods,
          const Progress& progress) {
    const auto found = methods.find(request.method);
    if (found != methods.end()) return found->second(request.parameters, progress);
    std::vector<std::string_view> names;
    names.reserve(methods.size());
    for (const auto& [name, method] : methods)
        names.emplace_back(name);
    throw Problem(fmt::format("There is no method '{}'", request.method), "",
                  fmt::format("The methods are: {}", fmt::join(names, ", ")));
}

Problem unforeseen(const std::string& method, std::string why) {
    return {fmt::format("'{}' failed", method), std::move(why),
            "This should have been foreseen; please report it with what you did"};
}

void answer(const std::string& line, const std::map<std::string, Method>& methods,
            Replies& replies) {
    Request request;
    Problem problem;
    try {
        request = parse_request(line);
        replies.send(request.id, "result", call(request, methods, [&](const json& value) {
                         replies.send(request.id, "progress", value);
                     }));
        return;
    } catch (const Problem& thrown) {
        problem = thrown;
    } catch (const std::bad_alloc&) {
        problem = Problem(fmt::format("There is not enough memory for '{}'", request.method),
                          "The system gave no more memory to the worker process",
                          "Choose a smaller size, or close other programs");
    } catch (const std::exception& error) {
        problem = unforeseen(request.method, error.what());
    } catch (...) {
        problem = unforeseen(request.method, "It threw something that says nothing about itself");
    }
    const std::uint64_t id = request.method.empty() ? id_of(line) : request.id;
    replies.send(id, "problem", problem);
}

enum class Read { line, too_long, end };

// Like getline, with a bound. Of a line that is too long, the rest is skipped.
Read read_line(std::istream& in, std::string& line) {
    line.clear();
    bool any = false;
    bool too_long = false;
    std::streambuf& bytes = *in.rdbuf();
    for (int c = bytes.sbumpc(); c != std::istream::traits_type::eof(); c = bytes.sbumpc()) {
        any = true;
        if (c == '\n') return too_long ? Read::too_long : Read::line;
        if (line.size() < kLongestLine)
            line.push_back(static_cast<char>(c));
        else
            too_long = true;
    }
    if (too_long) return Read::too_long;
    return any ? Read::line : Read::end;
}

}  // namespace

std::string line_of(const json& message) {
    return message.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string line_of(const Request& request) {
    return line_of(
        json{{"id", request.id}, {"method", request.method}, {"parameters", request.parameters}});
}

std::uint64_t id_of(std::string_view line) {
    std::uint64_t id = 0;
    if (line.substr(0, kBeginning.size()) == kBeginning) {
        line.remove_prefix(kBeginning.size());
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        const char* end = line.data() + line.size();
        const auto [rest, error] = std::from_chars(line.data(), end, id);
        if (rest != end && *rest != ',' && *rest != '}') id = 0;  // 7.5, say
    } else if (!nested_too_deep(line)) {
        const json read = json::parse(line, nullptr, false);
        if (read.is_object() && read.contains("id") && read["id"].is_number_unsigned())
            id = read["id"].get<std::uint64_t>();
    }
    return id;
}

Request parse_request(const std::string& line) {
    if (nested_too_deep(line))
        throw no_request(fmt::format("It is nested deeper than {} brackets", kDeepestNesting));
    json read;
    try {
        read = json::parse(line);
    } catch (const json::exception& error) {
        throw no_request(error.what());
    }
    if (!read.is_object()) throw no_request("It is no JSON object");
    const auto id = read.find("id"), method = read.find("method");
    if (id == read.end() || !id->is_number_unsigned())
        throw no_request("Its 'id' is missing or is no whole number from 0");
    if (method == read.end() || !method->is_string() || method->get_ref<std::string&>().empty())
        throw no_request("Its 'method' is missing or is no name");
    Request request{id->get<std::uint64_t>(), std::move(method->get_ref<std::string&>()),
                    json::object()};
    if (const auto given = read.find("parameters"); given != read.end())
        request.parameters = std::move(*given);
    return request;
}

std::optional<json> parse_reply(std::string_view line) {
    const std::size_t start = line.find(kBeginning);
    if (start == std::string_view::npos) return {};
    line.remove_prefix(start);
    if (nested_too_deep(line)) return {};
    json read = json::parse(line, nullptr, false);
    if (!read.is_object() || !read["id"].is_number_unsigned()) return {};
    return read;
}

void serve(std::istream& in, std::ostream& out, const std::map<std::string, Method>& methods) {
    Replies replies(out);
    std::string line;
    for (;;) {
        const Read read = read_line(in, line);
        if (read == Read::end || !out) return;
        if (read == Read::too_long) {
            replies.send(id_of(line), "problem",
                         no_request(fmt::format("It is longer than {} bytes", kLongestLine)));
        } else if (line.find_first_not_of(" \t\r") != std::string::npos) {
            answer(line, methods, replies);
        }
    }
}

}  // namespace lab::worker
