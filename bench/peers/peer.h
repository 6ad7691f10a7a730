// One peer of the kernels, alone in its process: the same input, sizes, checks and result file as
// `reduction-lab-cli measure` (op add, type float, input random:1), so that the files can be laid side
// by side. A peer says how to reduce and how it is timed; this is the rest. No library but the
// standard one, so that nvcc compiles it anywhere.
#pragma once

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace peer {

struct Timed {
    float result = 0;
    double device_ms = -1;  // by the device's clock; negative: it has none
    double wall_ms = 0;     // until the result is on the host
};

// Reduces one of several copies of the same n elements.
class Peer {
  public:
    virtual ~Peer() = default;
    virtual std::string id() const = 0;
    virtual std::string title() const = 0;
    virtual std::string device() const = 0;  // its name
    virtual std::string driver() const = 0;
    virtual std::string build() const = 0;  // what the compiler was told
    virtual void prepare(const std::vector<float>& input, std::size_t copies) = 0;
    virtual Timed run(std::size_t copy) = 0;
};

inline double ms_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// As input random:1 of the program: app/catalogue/input.cpp.
inline float element(std::uint64_t index) {
    std::uint64_t z = 0xd1342543de82ef95U + (index + 1) * 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    z ^= z >> 31U;
    return static_cast<float>(z >> 40U) * 0x1p-24F;
}

inline double pairwise(const float* x, std::size_t n) {
    if (n <= 128) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i)
            sum += static_cast<double>(x[i]);
        return sum;
    }
    return pairwise(x, n / 2) + pairwise(x + n / 2, n - n / 2);
}

// By its bits: -ffast-math takes isfinite() to be true.
inline bool is_number(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return (bits >> 23U & 0xffU) != 0xffU;
}

inline std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            result += std::string("\\") + c;
        else if (static_cast<unsigned char>(c) >= 0x20)
            result += c;
    return result + "\"";
}

inline std::string list_of(const std::vector<double>& samples) {
    std::ostringstream text;
    text.precision(9);
    for (std::size_t i = 0; i < samples.size(); ++i)
        text << (i > 0 ? ", " : "") << samples[i];
    return "[" + text.str() + "]";
}

inline std::string host_json() {
    std::string processor = "not known";
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0) {
            processor = line.substr(line.find(": ") + 2);
            break;
        }
    utsname system{};
    uname(&system);
    std::ostringstream text;
    text << "{\"processor\": " << quoted(processor) << ", \"system\": "
         << quoted(std::string(system.sysname) + " " + system.release + " " + system.machine)
         << ", \"compiler\": " << quoted(__VERSION__)
         << ", \"processors\": " << std::thread::hardware_concurrency() << ", \"memory_bytes\": "
         << static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE))
         << "}";
    return text.str();
}

inline std::string row_json(Peer& peer, std::uint64_t n, int repeat) {
    std::vector<float> input(n);
    for (std::uint64_t i = 0; i < n; ++i)
        input[i] = element(i);
    const double exact = pairwise(input.data(), n);
    // So many copies that none is in the cache when its turn comes again.
    const std::size_t bytes = n * sizeof(float);
    constexpr std::size_t kCache = std::size_t{64} << 20U;
    const std::size_t copies =
        bytes > 4 * kCache ? 1 : std::max<std::size_t>(2, 2 * kCache / std::max<std::size_t>(bytes, 1));
    peer.prepare(input, copies);
    std::vector<double> device_ms, wall_ms;
    double worst = 0;
    float result = 0;
    // Its error may be what n / 1024 additions in a row would give, and is far less.
    const double bound = (static_cast<double>(n) / 1024 + 64) * 0x1p-24;
    for (int run = -1; run < repeat; ++run) {  // -1: the warm-up
        const Timed timed = peer.run(static_cast<std::size_t>(run + 1) % copies);
        result = timed.result;
        worst = std::max(worst, is_number(result) ? std::abs(static_cast<double>(result) - exact) / exact
                                                  : 1e300);
        if (run < 0) continue;
        if (timed.device_ms >= 0) device_ms.push_back(timed.device_ms);
        wall_ms.push_back(timed.wall_ms);
    }
    std::vector<double> sorted = device_ms.empty() ? wall_ms : device_ms;
    std::sort(sorted.begin(), sorted.end());
    const double median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
    std::fprintf(stderr, "%-12s n = %-12llu %10.4f ms %9.1f GB/s %s\n", peer.id().c_str(),
                 static_cast<unsigned long long>(n), median,
                 static_cast<double>(bytes) / median * 1e-6, worst <= bound ? "right" : "WRONG");
    std::ostringstream text;
    text.precision(9);
    text << "  {\"variant\": " << quoted(peer.id()) << ", \"title\": " << quoted(peer.title())
         << ", \"kind\": \"reference\", \"expect\": \"correct\", \"set\": {}, \"n\": " << n
         << ", \"group\": 0, \"groups\": 0, \"launches\": 0, \"bytes\": " << bytes
         << ", \"cache\": \"cold\", \"device_ms\": " << list_of(device_ms)
         << ", \"wall_ms\": " << list_of(wall_ms) << ", \"result\": \"" << result
         << "\", \"expected\": \"" << exact << "\", \"error\": " << worst << ", \"bound\": " << bound
         << ", \"right\": " << (worst <= bound ? "true" : "false") << "}";
    return text.str();
}

// What a result file says besides its rows.
struct Facts {
    std::string id, device, driver, build, op, type;
    int repeat;
};

// Whole or not at all. 0, or an exit status.
inline int write_rows(const std::string& file, const Facts& facts, const std::string& rows) {
    char started[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(started, sizeof started, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
    const std::string part = file + ".part";
    std::ofstream out(part);
    out << "{\n \"schema\": 2, \"program\": " << quoted(facts.id) << ", \"started\": " << quoted(started)
        << ",\n \"device\": {\"id\": \"\", \"platform\": \"\", \"name\": " << quoted(facts.device)
        << ", \"vendor\": \"\", \"driver\": " << quoted(facts.driver)
        << ", \"version\": \"\", \"c_version\": \"\", \"kind\": \"other\", \"compute_units\": 0,"
           " \"max_group\": 0, \"local_bytes\": 0, \"global_bytes\": 0, \"largest_buffer\": 0,"
           " \"cache_bytes\": 0, \"buffer_align\": 0, \"timer_ns\": 0, \"doubles\": true,"
           " \"wide_atomics\": true, \"sub_groups\": false, \"group_collectives\": false},\n \"host\": "
        << host_json() << ",\n \"build_options\": " << quoted(facts.build) << ", \"op\": " << quoted(facts.op)
        << ", \"type\": " << quoted(facts.type) << ", \"input\": \"random:1\", \"repeat\": "
        << facts.repeat << ", \"precision\": 0, \"limit_s\": 0, \"complete\": true,\n \"rows\": [\n"
        << rows << "\n ],\n \"problems\": [], \"skipped\": []\n}\n";
    out.close();
    if (!out || std::rename(part.c_str(), file.c_str()) != 0) {
        std::fprintf(stderr, "%s cannot be written\n", file.c_str());
        std::remove(part.c_str());
        return 2;
    }
    return 0;
}

// PROGRAM OUT.json REPEAT N…
inline int main_of(Peer& peer, int argc, char** argv) {
    if (argc < 4) {
        std::fprintf(stderr, "usage: %s OUT.json REPEAT N...\n", argv[0]);
        return 2;
    }
    const int repeat = std::atoi(argv[2]);
    std::string rows;
    for (int i = 3; i < argc; ++i)
        rows += (rows.empty() ? "" : ",\n") + row_json(peer, std::strtoull(argv[i], nullptr, 10), repeat);
    return write_rows(argv[1], {peer.id(), peer.device(), peer.driver(), peer.build(), "add", "float", repeat},
                      rows);
}

// What the peers on the host have in common.
class HostPeer : public Peer {
  public:
    std::string device() const override { return "the host"; }
    std::string driver() const override { return ""; }
    void prepare(const std::vector<float>& input, std::size_t copies) override {
        n_ = input.size();
        pool_.clear();
        for (std::size_t i = 0; i < copies; ++i)
            pool_.insert(pool_.end(), input.begin(), input.end());
    }
    Timed run(std::size_t copy) override {
        const auto start = std::chrono::steady_clock::now();
        Timed timed;
        timed.result = sum(pool_.data() + copy * n_, n_);
        timed.wall_ms = ms_since(start);
        return timed;
    }

  protected:
    virtual float sum(const float* x, std::size_t n) = 0;

  private:
    std::size_t n_ = 0;
    std::vector<float> pool_;
};

}  // namespace peer
