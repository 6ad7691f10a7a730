// Measurements as plain data: samples, verdicts, and all that is needed to trust them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "results/device_info.h"
namespace lab::results {

double median(std::vector<double> samples);  // 0 for none

// The quantile `part` (0 to 1), interpolated between neighbours (Hyndman and Fan 1996, definition
// 7). 0 for none.
double quantile(std::vector<double> samples, double part);

struct Summary {
    double median = 0, q1 = 0, q3 = 0, p5 = 0, p95 = 0;
    // Half the width of the median's 95 % confidence interval, relative to it; empty for fewer than
    // six samples, which bound it on no side.
    std::optional<double> precision;
};

// The interval's ends are order statistics, ranks n/2 -+ 0.98 sqrt(n) (Conover 1999, section 3.2).
Summary summary_of(std::vector<double> samples);

// One device's share of a row over several devices: a part of the elements, timed together with the
// others, and alone.
struct RowPart {
    std::string device, name;                   // its id and what it is called
    std::uint64_t n = 0, group = 0;             // its elements, and the work-items per group there
    std::map<std::string, std::string> chosen;  // as Row::chosen, for this device, but the group
    std::vector<double> device_ms;              // by its own clock, in each joint run
    std::vector<double> alone_device_ms, alone_wall_ms;
};

struct Row {
    std::string variant, title;      // of a reference or the ceiling: its own id and title
    std::string kind = "variant";    // "variant", "ceiling" (reads only) or "reference" (the host)
    std::string expect = "correct";  // "correct", "partial" or "races": what the header says of it
    std::map<std::string, std::string> set;  // requested toggles
    // Toggles (and "group") that were not requested but chosen for the device, and where they come
    // from: "table", "kept", "search", or "mixed" for several devices; empty if the header has
    // none, or all were requested.
    std::map<std::string, std::string> chosen;
    std::string chosen_by;
    unsigned batch = 1;                                        // reductions per sample
    std::uint64_t n = 0, group = 0, groups = 0, launches = 0;  // groups: of the first launch
    std::uint64_t bytes = 0;                                   // of the input
    std::string cache;                       // "cold" or "warm": where a run finds its input
    std::vector<double> device_ms, wall_ms;  // one sample per run, in order
    std::string result, expected;
    std::string exact;            // of an integer that wraps: what exact arithmetic gives; or empty
    double error = 0, bound = 0;  // relative to the expected result
    bool right = false;           // each of its results
    // For a row over several devices, each; then device_ms is the longest of the devices' own
    // times, since they have no clock in common, and wall_ms ends when the parts' results are
    // combined.
    std::vector<RowPart> parts = {};

    // By the device's clock; of a reference, which has none, by the wall's.
    const std::vector<double>& samples_ms() const;
    Summary summary() const { return summary_of(samples_ms()); }
    double device_median() const { return median(samples_ms()); }
    double wall_median() const { return median(wall_ms); }
    double gigabytes_per_second() const;  // of the input, by the median time
    // 1 if all devices together take no longer than the slowest of them alone for its part; nothing
    // of a row on one device.
    std::optional<double> device_efficiency() const;
    std::optional<double> wall_efficiency() const;
    // Only a whole reduction that is right and bound to be so may be compared with others, and not
    // one without a launch, of which there is nothing to time.
    bool ranked() const {
        return right && expect == "correct" && (launches > 0 || kind == "reference");
    }
};

struct Host {
    std::string processor, system, compiler;
    std::uint64_t processors = 0, memory_bytes = 0;
};

struct Measurements {
    std::string program;  // its version
    std::string started;  // "2026-11-21T14:05:00Z"
    DeviceInfo device;
    Host host;
    std::string build_options;  // of the kernels' compiler
    std::string op, type, input;
    int repeat = 0;         // runs per row; 0: until precise, or out of time
    double precision = 0;   // asked for
    double limit_s = 0;     // per row
    bool complete = false;  // else cancelled, or stopped early
    std::vector<Row> rows;
    std::vector<Problem> problems;        // for rows that could not be measured
    std::vector<std::string> skipped;     // what was left out, and why: one line per reason
    std::vector<std::string> notes = {};  // further remarks, as for several devices
};

// Replaces the row of the same variant, toggles, n and group, or adds it.
void put(std::vector<Row>& rows, Row row);

// Merges a progress message into the results so far: no measurement is lost, whatever happens next.
void merge(Measurements& into, Measurements part);

void to_json(nlohmann::json& json, const Row& row);
void from_json(const nlohmann::json& json, Row& row);
void to_json(nlohmann::json& json, const Measurements& measurements);
void from_json(const nlohmann::json& json, Measurements& measurements);

// Result files: JSON with every sample, CSV for a spreadsheet.

// The kind of file that the suffix asks for: json or csv. Throws Problem for another.
void check_result_suffix(const std::filesystem::path& file);

// Writes the file whole or not at all. Throws Problem.
void write_results(const Measurements& results, const std::filesystem::path& file);

// Throws Problem, where = the file, if it is missing, damaged or of another version.
Measurements read_results(const std::filesystem::path& file);

// A header line, then a line a row: RFC 4180, UTF-8, times in milliseconds.
std::string csv_of(const Measurements& results);

}  // namespace lab::results
