#include "compute/steps.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

#include "compute/reduction.h"

namespace lab::compute {
namespace {

// T as it is for the runs that find origins: which of 64 elements went in, and who combined last
// (global id + 1, 0 for nobody). The host's form of an OpenCL ulong2.
struct Tag {
    std::uint64_t elements = 0;
    std::uint64_t item = 0;
};
constexpr std::uint64_t kWindow = 64;

constexpr const char* kTagMacros =
    "#define T ulong2\n"
    "#define COMBINE(a, b) ((ulong2)((a).x | (b).x, get_global_id(0) + 1))\n"
    "#define IDENTITY ((ulong2)(0, 0))\n";

template <typename E>
std::span<const std::byte> bytes_in(const E& elements) {
    return std::as_bytes(std::span(elements));
}

Values values_from(Type type, std::span<const std::byte> bytes) {
    Values values = make_values(type, bytes.size() / info(type).bytes);
    if (!bytes.empty()) std::memcpy(bytes_of(values), bytes.data(), bytes.size());
    return values;
}

// The buffer that holds the values before launch k, and how many they are.
struct Place {
    std::size_t buffer = 0;
    std::uint64_t count = 0;
};

Place before(const Plan& plan, std::size_t k) {
    if (k > 0) return {plan.launches[k - 1].shows, plan.launches[k - 1].shows_count};
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        if (plan.buffers[i].fill == Argument::Fill::input) return {i, plan.buffers[i].count};
    return {};
}

// The origins of what launch k wrote, by as many runs of it as there are windows of 64 elements.
std::vector<Origin> origins_of(Reduction& tagged, const Plan& plan, std::size_t k) {
    const Place from = before(plan, k);
    const Launch& launch = plan.launches[k];
    std::vector<Origin> origins(launch.shows_count);
    for (std::uint64_t first = 0; first < from.count; first += kWindow) {
        std::vector<Tag> tags(from.count);
        for (std::uint64_t i = first; i < std::min(first + kWindow, from.count); ++i)
            tags[i].elements = std::uint64_t{1} << (i - first);
        tagged.reset();
        tagged.write(from.buffer, bytes_in(tags));
        tagged.launch(k);
        const std::vector<std::byte> bytes = tagged.read(launch.shows, launch.shows_count);
        for (std::size_t cell = 0; cell < origins.size(); ++cell) {
            Tag tag;
            std::memcpy(&tag, bytes.data() + cell * sizeof(Tag), sizeof(Tag));
            Origin& origin = origins[cell];
            origin.written = origin.written || tag.item != 0 || launch.shows != from.buffer;
            if (tag.item != 0) origin.item = static_cast<std::int64_t>(tag.item) - 1;
            for (std::uint64_t set = tag.elements; set != 0; set &= set - 1)
                origin.from.push_back(static_cast<std::uint32_t>(
                    first + static_cast<std::uint64_t>(std::countr_zero(set))));
        }
    }
    for (Origin& origin : origins)
        if (!origin.written) origin.from.clear();
    return origins;
}

}  // namespace

std::vector<Step> run_steps(const Device& device, const Variant& variant, const Shape& shape,
                            const Plan& plan, const Values& input) {
    if (count_of(input) > kMostSteppedElements)
        throw Problem(fmt::format("{} elements are too many to step through", count_of(input)),
                      fmt::format("The step view holds up to {}", kMostSteppedElements),
                      "Choose a smaller n; measure takes any size", "--n");
    if (plan.launches.empty()) return {};

    const Program program = build(device, kernel_text(variant, shape), variant.entry);
    const Values neutral = identity(shape.op, shape.type);
    Reduction reduction(device, program, plan, elements_of(input, neutral));

    const Program tag_program =
        build(device, kernel_text(variant, shape, kTagMacros), variant.entry);
    const std::vector<Tag> no_tags(count_of(input));
    const std::array<Tag, 1> no_tag{};
    Reduction tagged(device, tag_program, plan, {sizeof(Tag), bytes_in(no_tags), bytes_in(no_tag)});

    std::vector<Step> steps;
    for (std::size_t k = 0; k < plan.launches.size(); ++k) {
        reduction.launch(k);
        const Launch& launch = plan.launches[k];
        steps.push_back({values_from(shape.type, reduction.read(launch.shows, launch.shows_count)),
                         origins_of(tagged, plan, k)});
    }
    return steps;
}

}  // namespace lab::compute
