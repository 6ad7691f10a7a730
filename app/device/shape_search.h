// A short search for the fastest launch: changes one setting at a time and keeps the better.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "catalogue/kernel.h"
#include "catalogue/shape.h"
#include "device/benchmark_cases.h"
#include "results/device_info.h"
namespace lab::device {

// The results of earlier searches: the fastest launches by device and driver, in a file in the
// user's cache folder.

// A search is kept for this. Another driver or a changed kernel text needs another search.
struct ShapeKey {
    std::string device, driver, variant, text, op, type;  // text: its hash
    unsigned size = 0;  // n up to 2 to this power, and above half of that
    bool operator==(const ShapeKey&) const = default;
};

ShapeKey shape_key(const results::DeviceInfo& device, const catalogue::Kernel& variant,
                   const catalogue::Shape& shape, std::uint64_t n);

struct KeptShape {
    ShapeKey key;
    catalogue::LaunchShape shape;
    double ms = 0, table_ms = 0;  // per reduction, with this shape and with the table's
    unsigned tried = 0;
    std::string found;  // "2026-11-22T09:30:00Z"
};

class KeptShapes {
  public:
    // Reads the file if there is one. A damaged one counts as empty and sets `problem`.
    explicit KeptShapes(std::filesystem::path file);

    const KeptShape* find(const ShapeKey& key) const;
    // Replaces an earlier one, and writes the file. What other processes have written since is
    // kept. Throws Problem if it cannot be written.
    void keep(const KeptShape& shape);
    const std::optional<Problem>& problem() const { return problem_; }

  private:
    std::filesystem::path file_;
    std::optional<Problem> problem_;  // before what reading it sets
    std::vector<KeptShape> shapes_;
};

std::filesystem::path kept_shapes_file();  // of cache_folder()

// Coordinate descent over the header's `tune`, from `start`: each neighbour takes turns with the
// best so far, and replaces it if its median is 1 % lower. Ends when nothing helps any more, or
// after `limit_s` seconds. What does not build or run, or is wrong, is skipped. Throws Problem if
// `start` itself cannot run.
KeptShape search_shape(const BenchmarkContext& context, const catalogue::Kernel& variant,
                       Programs& programs, const catalogue::LaunchShape& start, double limit_s);

}  // namespace lab::device
