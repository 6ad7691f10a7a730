#include "measure/host.h"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <thread>

namespace lab {
namespace {

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (const auto colon = line.find(": ");
            line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    return "not known";
}

}  // namespace

Host this_host() {
    Host host;
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

}  // namespace lab
