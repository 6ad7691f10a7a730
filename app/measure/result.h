// What was measured, as plain data: samples, medians, verdicts.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "compute/device_info.h"

namespace lab {

struct Row {
    std::string variant, title;
    std::uint64_t n = 0, group = 0, bytes = 0;  // bytes of the input
    std::vector<double> device_ms, wall_ms;     // a sample a run, in the order they were taken
    std::string result, expected;
    double error = 0, bound = 0;  // relative to the expected result
    bool right = false;           // a wrong row has times, but no rank

    double device_median() const;
    double wall_median() const;
    double gigabytes_per_second() const;  // of the input, by the device's median time
};

struct Measurements {
    DeviceInfo device;
    std::string op, type, input;
    int repeat = 0;
    std::vector<Row> rows;
    std::vector<Problem> problems;  // of rows that could not be measured
};

double median(std::vector<double> samples);  // 0 of none

void to_json(nlohmann::json& nlohmann_json_j, const Row& nlohmann_json_t);
void from_json(const nlohmann::json& nlohmann_json_j, Row& nlohmann_json_t);
void to_json(nlohmann::json& json, const Measurements& measurements);
void from_json(const nlohmann::json& json, Measurements& measurements);

}  // namespace lab
