// A worker for tests: the test program itself, started again with the argument --worker.
#pragma once

#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill is POSIX
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <thread>

#include "base/child_process.h"
#include "base/paths.h"
#include "worker/protocol.h"

namespace lab::worker {

inline void print(int stream, const std::string& text) {
    if (::write(stream, text.data(), text.size()) < 0) std::_Exit(99);
}

// Everything that a worker can do, well or ill.
inline std::map<std::string, Method> fake_methods() {
    using nlohmann::json;
    return {{"echo", [](const json& value, const Progress&) { return value; }},
            {"big", [](const json& bytes, const Progress&) { return std::string(bytes, 'x'); }},
            {"count",
             [](const json& n, const Progress& progress) {
                 for (int k = 1; k <= n.get<int>(); ++k)
                     progress(k);
                 return n;
             }},
            {"tick",  // as many times as asked, one each 50 ms
             [](const json& n, const Progress& progress) {
                 for (int k = 1; k <= n.get<int>(); ++k) {
                     std::this_thread::sleep_for(std::chrono::milliseconds(50));
                     progress(k);
                 }
                 return n;
             }},
            {"hang",
             [](const json&, const Progress& progress) {
                 progress("hanging");
                 std::this_thread::sleep_for(std::chrono::seconds(100));
                 return json();
             }},
            {"print",
             [](const json& text, const Progress&) {
                 print(1, text);
                 return json();
             }},
            {"complain",
             [](const json& text, const Progress&) {
                 print(2, text);
                 return json();
             }},
            {"exit", [](const json& status, const Progress&) -> json { std::_Exit(status); }},
            {"signal",
             [](const json& number, const Progress&) -> json {
                 const rlimit none{};
                 ::setrlimit(RLIMIT_CORE, &none);
                 ::signal(number, SIG_DFL);  // sanitizers have handlers of their own
                 ::raise(number);
                 return {};
             }},
            {"close",
             [](const json& stream, const Progress&) {
                 ::close(stream);
                 return json();
             }},
            {"child",  // leaves a process behind, which holds the pipes open
             [](const json&, const Progress&) {
                 const pid_t child = ::fork();
                 if (child == 0) {
                     ::execl("/bin/sleep", "sleep", "100", nullptr);
                     std::_Exit(99);
                 }
                 return child;
             }}};
}

// If this program was started as a worker: works, and ends the program. To be called before main.
inline bool work_if_asked() {
    const std::string arguments = read_file("/proc/self/cmdline");
    if (arguments.find("--worker") == std::string::npos) return false;
    if (arguments.find("--worker-guarded") == std::string::npos)
        serve(std::cin, std::cout, fake_methods());
    else
        serve_standard_streams(fake_methods());
    std::_Exit(0);
}

}  // namespace lab::worker
