#include "measure/timing/host.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>

namespace lab::measure {
namespace {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (const auto colon = line.find(": ");
            line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    return "not known";
}

// "32768K", as the kernel tells the size of a cache.
std::uint64_t size_in(const std::string& text) {
    const std::uint64_t number = std::strtoull(text.c_str(), nullptr, 10);
    return number << (text.ends_with('M') ? 20U : text.ends_with('K') ? 10U : 0U);
}

std::string line_of(const std::filesystem::path& file) {
    std::string line;
    std::ifstream stream(file);
    std::getline(stream, line);
    return line;
}

}  // namespace

std::uint64_t host_cache_bytes() {
    std::map<std::string, std::uint64_t> caches;  // by the processors that share one
    std::error_code none;
    for (const auto& cpu : std::filesystem::directory_iterator("/sys/devices/system/cpu", none)) {
        const auto level3 = cpu.path() / "cache/index3";
        if (const std::string size = line_of(level3 / "size"); !size.empty())
            caches[line_of(level3 / "shared_cpu_list")] = size_in(size);
    }
    constexpr std::uint64_t kLeast = std::uint64_t{64} << 20U;
    std::uint64_t all = 0;
    for (const auto& [shared_by, size] : caches)
        all += size;
    return std::max(kLeast, all);
}

results::Host this_host() {
    results::Host host;
    host.processor = processor_name();
    host.processors = std::max(1U, std::thread::hardware_concurrency());
    utsname system{};
    if (uname(&system) == 0)
        host.system = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
#ifdef __VERSION__
    host.compiler = __VERSION__;
#endif
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
    if (pages > 0 && size > 0)
        host.memory_bytes = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
    return host;
}

}  // namespace lab::measure
