// Made-up results to draw in tests.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "results/result.h"

namespace lab::figures {

// Five samples around `ms`, the quartiles 4 % below and above it.
inline results::Row example_row(std::string variant, std::uint64_t n, double ms) {
    results::Row row;
    row.title = variant;
    row.variant = std::move(variant);
    row.n = n;
    row.group = 256;
    row.groups = (n + 255) / 256;
    row.launches = 1;
    row.bytes = 4 * n;
    row.cache = "cold";
    for (const double part : {0.92, 0.96, 1.0, 1.04, 1.08})
        row.device_ms.push_back(part * ms);
    row.wall_ms = row.device_ms;
    row.result = row.expected = "41";
    row.error = 3e-8 * std::log2(static_cast<double>(n));
    row.bound = 1e-6;
    row.right = true;
    return row;
}

inline results::Measurements example_results(const std::string& device,
                                             std::vector<results::Row> rows) {
    results::Measurements measurements;
    measurements.device.name = device;
    measurements.device.platform = "Example";
    measurements.host.processor = "Example(R) Processor of " + device;
    measurements.op = "add";
    measurements.type = "float";
    measurements.input = "random:1";
    measurements.complete = true;
    measurements.rows = std::move(rows);
    return measurements;
}

// Launch costs of 5 µs, and then `rate` GB/s.
inline double example_ms(std::uint64_t n, double rate) {
    return 0.005 + 4 * static_cast<double>(n) / rate * 1e-6;
}

// A lesson's worth: the ladder, a racing variant that is wrong, one that is a part of the work, the
// ceiling and a host's loop, at five sizes.
inline results::Measurements example_lesson(const std::string& device = "NVIDIA H200",
                                            double slower = 1) {
    std::vector<results::Row> rows;
    for (const std::uint64_t n : {1ULL << 12, 1ULL << 16, 1ULL << 20, 1ULL << 24, 1ULL << 26}) {
        const auto add = [&](const char* variant, double rate) -> results::Row& {
            return rows.emplace_back(example_row(variant, n, slower * example_ms(n, rate)));
        };
        results::Row& ceiling = add("read-ceiling", 4400);
        ceiling.kind = "ceiling";
        add("one-pass", 1300).expect = "partial";
        results::Row& broken = add("span-modulo", 120);
        broken.expect = "races";
        broken.right = false;
        broken.error = 0.4;
        broken.result = "27";
        broken.cache = "warm";
        add("ladder-1-modulo", 380);
        add("ladder-2-strided", 650);
        add("ladder-3-sequential", 820).error = 0;
        add("tile", 4390);
        results::Row& host = add("cpu-serial", 4.5);
        host.kind = "reference";
        host.device_ms.clear();
        host.group = host.groups = host.launches = 0;
        if (n == 1ULL << 26) {
            host.right = false;
            host.error = 0.5;
        }
    }
    return example_results(device, std::move(rows));
}

// Two variants by group size at one n.
inline results::Measurements example_groups() {
    std::vector<results::Row> rows;
    for (const std::uint64_t group : {32U, 64U, 128U, 256U, 512U, 1024U})
        for (const auto& [variant, base] :
             {std::pair{"local-tree", 0.2}, std::pair{"tile", 0.05}}) {
            results::Row row =
                example_row(variant, 1 << 20, base * (1 + 64.0 / static_cast<double>(group)));
            row.group = group;
            rows.push_back(std::move(row));
        }
    return example_results("NVIDIA H200", std::move(rows));
}

}  // namespace lab::figures
