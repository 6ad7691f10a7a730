#include "device/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <string>

#include "device/resident.h"

namespace lab::device {
namespace {

// T as it is for the runs that find origins, an OpenCL ulong: which of 32 elements went in (the low
// half), and who combined last (the high half: global id + 1, 0 for nobody). As a scalar it can be
// in vectors and atomics too.
using Tag = std::uint64_t;
constexpr std::uint64_t kWindow = 32;
std::uint64_t elements_in(Tag tag) {
    return tag & 0xffffffffU;
}
std::int64_t item_in(Tag tag) {
    return static_cast<std::int64_t>(tag >> 32U) - 1;
}

std::string tag_macros(const std::vector<catalogue::Need>& needs) {
    const bool atomics =
        std::find(needs.begin(), needs.end(), catalogue::Need::atomics) != needs.end();
    return "#define T ulong\n"
           "#define COMBINE(a, b) ((((a) | (b)) & 0xffffffffUL) "
           "| ((ulong)(get_global_id(0) + 1) << 32))\n"
           "#define IDENTITY ((ulong)0)\n" +
           (atomics ? atomic_macros(catalogue::Type::ulong_) : std::string());
}

catalogue::Values values_from(catalogue::Type type, std::span<const std::byte> bytes) {
    catalogue::Values values = make_values(type, bytes.size() / info(type).bytes);
    if (!bytes.empty()) std::memcpy(catalogue::bytes_of(values), bytes.data(), bytes.size());
    return values;
}

// The buffer that holds the values before launch k, and how many they are.
struct Place {
    std::size_t buffer = 0;
    std::uint64_t count = 0;
};

Place before(const catalogue::Plan& plan, std::size_t k) {
    if (k > 0) return {plan.launches[k - 1].shows, plan.launches[k - 1].shows_count};
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        if (plan.buffers[i].fill == catalogue::Argument::Fill::input)
            return {i, plan.buffers[i].count};
    return {};
}

// The origins of what launch k wrote, by as many runs of it as there are windows of elements; none
// where a spin of it gave up.
std::vector<Origin> origins_of(Reduction& tagged, const catalogue::Plan& plan, std::size_t k) {
    const Place from = before(plan, k);
    const catalogue::Launch& launch = plan.launches[k];
    std::vector<Origin> origins(launch.shows_count);
    for (std::uint64_t first = 0; first < from.count; first += kWindow) {
        std::vector<Tag> tags(from.count);
        for (std::uint64_t i = first; i < std::min(first + kWindow, from.count); ++i)
            tags[i] = Tag{1} << (i - first);
        tagged.reset();
        tagged.write(from.buffer, std::as_bytes(std::span(tags)));
        tagged.launch(k);
        if (tagged.stuck()) return {};
        const std::vector<std::byte> bytes = tagged.read(launch.shows, launch.shows_count);
        for (std::size_t cell = 0; cell < origins.size(); ++cell) {
            Tag tag = 0;
            std::memcpy(&tag, bytes.data() + cell * sizeof(Tag), sizeof(Tag));
            Origin& origin = origins[cell];
            origin.written = origin.written || item_in(tag) >= 0 || launch.shows != from.buffer;
            if (item_in(tag) >= 0) origin.item = item_in(tag);
            for (std::uint64_t set = elements_in(tag); set != 0; set &= set - 1)
                origin.from.push_back(static_cast<std::uint32_t>(
                    first + static_cast<std::uint64_t>(std::countr_zero(set))));
        }
    }
    for (Origin& origin : origins)
        if (!origin.written) origin.from.clear();
    return origins;
}

std::vector<Step> launch_by_launch(Reduction& reduction, const catalogue::Shape& shape) {
    std::vector<Step> steps;
    reduction.reset();
    for (std::size_t k = 0; k < reduction.plan().launches.size(); ++k) {
        reduction.launch(k);
        const catalogue::Launch& launch = reduction.plan().launches[k];
        steps.push_back(
            {values_from(shape.type, reduction.read(launch.shows, launch.shows_count)), {}});
    }
    return steps;
}

}  // namespace

std::vector<Step> run_steps(const Device& device, const catalogue::Variant& variant,
                            const catalogue::Shape& shape, const catalogue::Plan& plan,
                            const catalogue::Values& input) {
    if (catalogue::count_of(input) > kMostSteppedElements)
        throw Problem(
            fmt::format("{} elements are too many to step through", catalogue::count_of(input)),
            fmt::format("The step view holds up to {}", kMostSteppedElements),
            "Choose a smaller n; measure takes any size", "--n");
    if (plan.launches.empty()) return {};

    const Program program = build(device, variant, kernel_text(variant, shape));
    const catalogue::Values neutral = identity(shape.op, shape.type);
    Inputs inputs(device, elements_of(input, neutral));
    Reduction reduction(device, program, plan, inputs);

    // A library's own reduction cannot be told to unite sets, and a set takes 64 bits.
    const std::vector<catalogue::Need> needs = needs_of(variant, shape);
    const bool tags = std::all_of(needs.begin(), needs.end(), [&](catalogue::Need need) {
        return need == catalogue::Need::atomics && device.info.wide_atomics;
    });
    std::vector<Step> steps = launch_by_launch(reduction, shape);
    // A busy machine may have kept a group waiting once.
    for (int again = 0; again < 2 && reduction.stuck(); ++again)
        steps = launch_by_launch(reduction, shape);
    if (reduction.stuck())
        throw not_resident(
            variant, plan,
            most_groups(device, program, variant, shape, catalogue::count_of(input)));
    if (!tags || plan.rounds > 0) return steps;

    const Program tag_program =
        build(device, variant, kernel_text(variant, shape, tag_macros(needs)));
    const std::vector<Tag> no_tags(catalogue::count_of(input));
    const std::array<Tag, 1> no_tag{};
    Inputs tag_inputs(device, {catalogue::Type::ulong_, std::as_bytes(std::span(no_tags)),
                               std::as_bytes(std::span(no_tag)), std::byte{0}});
    Reduction tagged(device, tag_program, plan, tag_inputs);
    for (std::size_t k = 0; k < plan.launches.size(); ++k)
        steps[k].origins = origins_of(tagged, plan, k);
    return steps;
}

}  // namespace lab::device
