// The index space of a launch (OpenCL's NDRange): its sizes in up to three dimensions, and where a
// work-item stands in it.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace lab {

using Coordinates = std::array<std::uint64_t, 3>;    // x, y, z
std::uint64_t product_of(const Coordinates& sizes);  // 2^64 - 1 if it is more
std::string size_text(const Coordinates& sizes, std::uint32_t dims);

// Sizes or an offset as they are given, "64" or "8x4"; what a dimension lacks is 1 here.
struct Extent {
    std::uint32_t dims = 1;
    Coordinates sizes{0, 1, 1};  // 0: not given

    Extent() = default;
    Extent(std::uint64_t x) : sizes{x, 1, 1} {}  // NOLINT: a number is an extent
    Extent(std::uint64_t x, std::uint64_t y) : dims(2), sizes{x, y, 1} {}
    Extent(std::uint64_t x, std::uint64_t y, std::uint64_t z) : dims(3), sizes{x, y, z} {}

    bool given() const { return dims > 1 || sizes[0] != 0; }
    std::uint64_t items() const { return product_of(sizes); }

    bool operator==(const Extent&) const = default;
};
// "64", "8x4"
inline std::string size_text(const Extent& extent) {
    return size_text(extent.sizes, extent.dims);
}
// A number, or an array of two or three.
void to_json(nlohmann::json& json, const Extent& extent);
void from_json(const nlohmann::json& json, Extent& extent);

// Sizes in work-items. A dimension that there is not has the sizes 1 and the offset 0.
struct NDRange {
    std::uint32_t dims = 1;
    Coordinates global{1, 1, 1}, local{1, 1, 1}, offset{0, 0, 0};

    NDRange() = default;
    NDRange(std::uint64_t items, std::uint64_t group_items)  // of one dimension
        : global{items, 1, 1}, local{group_items, 1, 1} {}
    NDRange(std::uint32_t dimensions, const Coordinates& items, const Coordinates& group_items,
            const Coordinates& first = {0, 0, 0})
        : dims(dimensions), global(items), local(group_items), offset(first) {}
    // Throws Problem if these are of different numbers of dimensions.
    NDRange(const Extent& items, const Extent& group_items, const Extent& first);

    std::uint64_t items() const { return product_of(global); }
    std::uint64_t group_items() const { return product_of(local); }
    Coordinates num_groups() const;
    std::uint64_t groups() const { return product_of(num_groups()); }
    // One dimension without an offset: a work-item's number is its global id.
    bool plain() const { return dims == 1 && offset[0] == 0; }

    bool operator==(const NDRange&) const = default;
};

// "64 work-items in groups of 16", "8x4 work-items in groups of 4x4, from 1x0 on".
std::string text_of(const NDRange& range);
// {"global": [8, 4], "local": …, "offset": …}, as of Extent.
void to_json(nlohmann::json& json, const NDRange& range);
void from_json(const nlohmann::json& json, NDRange& range);
// "5", "(3,1)": a work-item or group by its coordinates.
std::string id_text(std::span<const std::uint64_t> id);

// Numbers count group after group; groups, and work-items within one, with x fastest: the linear
// ids of OpenCL.
class IndexSpace {
  public:
    IndexSpace() = default;
    explicit IndexSpace(const NDRange& range)
        : range_(range), num_groups_(range.num_groups()), group_items_(range.group_items()) {}

    const NDRange& range() const { return range_; }
    std::uint64_t group_id(std::uint64_t group, unsigned dimension) const {
        return within(group, num_groups_, dimension);
    }
    // Returns the id of the work-item with that local linear id.
    std::uint64_t local_id(std::uint64_t local, unsigned dimension) const {
        return within(local, range_.local, dimension);
    }
    std::uint64_t global_id(std::uint64_t group, std::uint64_t local, unsigned dimension) const {
        return range_.offset[dimension] + group_id(group, dimension) * range_.local[dimension] +
               local_id(local, dimension);
    }
    // As the function of that name, from 0 on whatever the offset.
    std::uint64_t global_linear_id(std::uint64_t group, std::uint64_t local) const;

    // As many coordinates as there are dimensions.
    std::vector<std::uint64_t> group_id(std::uint64_t group) const;
    std::vector<std::uint64_t> global_id(std::uint64_t item) const;
    // The number of the work-item with that global id.
    std::uint64_t item(const Coordinates& global_id) const;

    std::string group_name(std::uint64_t group) const { return id_text(group_id(group)); }
    std::string item_name(std::uint64_t item) const { return id_text(global_id(item)); }

  private:
    static std::uint64_t within(std::uint64_t linear, const Coordinates& sizes,
                                unsigned dimension) {
        if (dimension == 0) return linear % sizes[0];
        if (dimension == 1) return linear / sizes[0] % sizes[1];
        return linear / (sizes[0] * sizes[1]);
    }

    NDRange range_;
    Coordinates num_groups_{1, 1, 1};
    std::uint64_t group_items_ = 1;
};

}  // namespace lab
