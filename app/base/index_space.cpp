#include "base/index_space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/problem.h"

namespace lab {
std::uint64_t product_of(const Coordinates& sizes) {
    std::uint64_t product = 1;
    for (const std::uint64_t size : sizes)
        if (__builtin_mul_overflow(product, size, &product))
            return std::numeric_limits<std::uint64_t>::max();
    return product;
}

[[noreturn]] static void different(const char* name, const Extent& extent, const Extent& items) {
    throw Problem("The sizes of the launch have different numbers of dimensions",
                  fmt::format("--global {} has {}, --{} {} has {}", size_text(items), items.dims,
                              name, size_text(extent), extent.dims),
                  fmt::format("Write {0} for each, as --global {1} --local {2}", items.dims,
                              items.dims == 1   ? "64"
                              : items.dims == 2 ? "8x8"
                                                : "4x4x4",
                              items.dims == 1   ? "16"
                              : items.dims == 2 ? "4x4"
                                                : "2x2x2"),
                  fmt::format("--global, --{}", name));
}

void to_json(nlohmann::json& json, const Extent& extent) {
    if (extent.dims == 1)
        json = extent.sizes[0];
    else
        json = std::vector<std::uint64_t>(extent.sizes.begin(), extent.sizes.begin() + extent.dims);
}

void from_json(const nlohmann::json& json, Extent& extent) {
    if (!json.is_array()) {
        extent = Extent(json.get<std::uint64_t>());
        return;
    }
    const auto sizes = json.get<std::vector<std::uint64_t>>();
    if (sizes.empty() || sizes.size() > extent.sizes.size())
        throw Problem(fmt::format("{} is no size of a launch", json.dump()),
                      "It has one, two or three dimensions", "Write a number, or [8, 8]");
    extent = Extent();
    extent.dims = static_cast<std::uint32_t>(sizes.size());
    std::copy(sizes.begin(), sizes.end(), extent.sizes.begin());
}

NDRange::NDRange(const Extent& items, const Extent& group_items, const Extent& first)
    : dims(items.dims), global(items.sizes), local(group_items.sizes) {
    if (group_items.dims != dims) different("local", group_items, items);
    if (!first.given()) return;
    if (first.dims != dims) different("offset", first, items);
    std::copy(first.sizes.begin(), first.sizes.begin() + dims, offset.begin());
}

Coordinates NDRange::num_groups() const {
    Coordinates groups{};
    for (std::size_t i = 0; i < groups.size(); ++i)
        groups[i] = global[i] / std::max<std::uint64_t>(1, local[i]);
    return groups;
}

std::string size_text(const Coordinates& sizes, std::uint32_t dims) {
    return fmt::format("{}", fmt::join(sizes.begin(), sizes.begin() + dims, "x"));
}

std::string text_of(const NDRange& range) {
    std::string text =
        fmt::format("{} work-items in groups of {}", size_text(range.global, range.dims),
                    size_text(range.local, range.dims));
    if (range.offset != Coordinates{})
        text += fmt::format(", from {} on", size_text(range.offset, range.dims));
    return text;
}

void to_json(nlohmann::json& json, const NDRange& range) {
    const auto as_extent = [&](const Coordinates& sizes) {
        Extent extent;
        extent.dims = range.dims;
        extent.sizes = sizes;
        return extent;
    };
    json = {{"global", as_extent(range.global)},
            {"local", as_extent(range.local)},
            {"offset", as_extent(range.offset)}};
}

void from_json(const nlohmann::json& json, NDRange& range) {
    range = NDRange(json.at("global").get<Extent>(), json.at("local").get<Extent>(),
                    json.at("offset").get<Extent>());
}

std::string id_text(std::span<const std::uint64_t> id) {
    return id.size() == 1 ? std::to_string(id[0]) : fmt::format("({})", fmt::join(id, ","));
}

std::uint64_t IndexSpace::global_linear_id(std::uint64_t group, std::uint64_t local) const {
    Coordinates from_start{};
    for (unsigned i = 0; i < from_start.size(); ++i)
        from_start[i] = global_id(group, local, i) - range_.offset[i];
    return (from_start[2] * range_.global[1] + from_start[1]) * range_.global[0] + from_start[0];
}

std::vector<std::uint64_t> IndexSpace::group_id(std::uint64_t group) const {
    if (range_.dims == 1) return {group};
    std::vector<std::uint64_t> id;
    for (unsigned i = 0; i < range_.dims; ++i)
        id.push_back(group_id(group, i));
    return id;
}

std::vector<std::uint64_t> IndexSpace::global_id(std::uint64_t item) const {
    if (range_.dims == 1) return {range_.offset[0] + item};
    std::vector<std::uint64_t> id;
    for (unsigned i = 0; i < range_.dims; ++i)
        id.push_back(global_id(item / group_items_, item % group_items_, i));
    return id;
}

std::uint64_t IndexSpace::item(const Coordinates& global_id) const {
    std::uint64_t group = 0, local = 0;
    for (unsigned i = 3; i-- > 0;) {
        const std::uint64_t from_start = global_id[i] - range_.offset[i];
        group = group * num_groups_[i] + from_start / range_.local[i];
        local = local * range_.local[i] + from_start % range_.local[i];
    }
    return group * group_items_ + local;
}

}  // namespace lab
