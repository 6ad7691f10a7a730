#include "device/snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "device/reduction.h"
#include "lang/instrument.h"

namespace lab::device {
namespace {

lang::Instrumented instrumented_text(const catalogue::Variant& variant,
                                     const catalogue::Shape& shape) {
    const catalogue::KernelText text = kernel_text(variant, shape);
    return lang::instrument({text.file, text.text, text.macros}, variant.entry);
}

catalogue::KernelText text_of(const lang::Instrumented& instrumented) {
    catalogue::KernelText text;
    text.macros = instrumented.text.macros;
    text.text = instrumented.text.text;
    text.file = instrumented.text.name;
    text.macro_lines = static_cast<int>(std::count(text.macros.begin(), text.macros.end(), '\n'));
    return text;
}

// How the launch's snapshots lie in memory; nothing is in them yet.
Snapshots laid_out(const lang::Instrumented& text, const Launches& launches, std::size_t launch,
                   std::uint32_t most) {
    Snapshots snapshots;
    for (const lang::Watched& watched : text.watched) {
        Snapshots::Array array{watched.name, watched.space == lang::Space::local, 0,
                               snapshots.bytes_each, watched.bytes};
        if (watched.is_parameter) {
            const Launches::Memory memory = launches.memory(launch, watched.parameter);
            array.buffer = memory.buffer;
            array.bytes = memory.bytes;
        }
        snapshots.bytes_each += array.bytes;
        snapshots.arrays.push_back(std::move(array));
    }
    snapshots.most = most;
    snapshots.at_end = text.at_end;
    snapshots.taken.resize(launches.range(launch).groups());
    return snapshots;
}

// Runs launches of one text.
class Watch {
  public:
    Watch(const Device& device, const lang::Instrumented& text, const Program& program,
          Launches& launches)
        : device_(device), text_(text), program_(program), launches_(launches) {}

    std::vector<Snapshots> run(const std::vector<std::uint32_t>& most) {
        std::vector<Snapshots> all;
        check_room(most);
        launches_.reset();
        std::vector<std::vector<std::byte>> before = launches_.all_contents();
        for (std::size_t k = 0; k < launches_.launches(); ++k) {
            Snapshots snapshots = laid_out(text_, launches_, k, most.empty() ? 0 : most[k]);
            snapshots.before = std::move(before);
            launch(k, snapshots);
            snapshots.sub_group = sub_group_of(launches_.range(k));
            snapshots.after = before = launches_.all_contents();
            all.push_back(std::move(snapshots));
        }
        return all;
    }

  private:
    void check_room(const std::vector<std::uint32_t>& most) const {
        std::uint64_t bytes = 0;
        for (std::size_t k = 0; k < most.size(); ++k) {
            const Snapshots snapshots = laid_out(text_, launches_, k, most[k]);
            bytes += snapshots.bytes_each * snapshots.most * snapshots.taken.size();
            if (bytes > kMostSnapshotBytes)
                throw Problem("The kernel has too many barriers to copy its arrays at each",
                              fmt::format("That takes {} bytes and more; {} are the most", bytes,
                                          kMostSnapshotBytes),
                              "Choose a smaller n, fewer rounds, or larger groups", "--n");
        }
    }

    // The question is of OpenCL 2.1.
    std::uint64_t sub_group_of(const NDRange& range) const {
        if (!device_.info.sub_groups || device_.info.version < "OpenCL 2.1") return 0;
        const std::array<std::size_t, 3> local{range.local[0], range.local[1], range.local[2]};
        std::size_t items = 0;
        const cl_int error = ::clGetKernelSubGroupInfo(
            program_.kernel(), device_.device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
            range.dims * sizeof local[0], local.data(), sizeof items, &items, nullptr);
        return error == CL_SUCCESS ? items : 0;
    }

    void launch(std::size_t k, Snapshots& snapshots) {
        std::vector<cl_uint> head{snapshots.most, static_cast<cl_uint>(snapshots.bytes_each)};
        for (const Snapshots::Array& array : snapshots.arrays)
            head.push_back(static_cast<cl_uint>(array.bytes));
        const std::size_t first = head.size();
        head.resize(first + snapshots.taken.size());
        snapshots.bytes.resize(snapshots.bytes_each * snapshots.most * snapshots.taken.size());
        guarded("Copying the kernel's arrays", device_.info.name, [&] {
            const std::size_t head_bytes = head.size() * sizeof(cl_uint);
            const cl::Buffer head_buffer(device_.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                         head_bytes, head.data());
            const cl::Buffer to(device_.context, CL_MEM_READ_WRITE,
                                std::max<std::size_t>(snapshots.bytes.size(), 1));
            // The kernel is the very one that `launches_` binds the other arguments of.
            cl::Kernel kernel = program_.kernel;
            if (text_.parameters > 0) {
                kernel.setArg(static_cast<cl_uint>(text_.parameters), head_buffer);
                kernel.setArg(static_cast<cl_uint>(text_.parameters + 1), to);
            }
            launches_.launch(k);
            device_.queue.enqueueReadBuffer(head_buffer, CL_TRUE, 0, head_bytes, head.data());
            if (!snapshots.bytes.empty())
                device_.queue.enqueueReadBuffer(to, CL_TRUE, 0, snapshots.bytes.size(),
                                                snapshots.bytes.data());
        });
        std::copy(head.begin() + static_cast<std::ptrdiff_t>(first), head.end(),
                  snapshots.taken.begin());
    }

    const Device& device_;
    const lang::Instrumented& text_;
    const Program& program_;
    Launches& launches_;
};

}  // namespace

std::span<const std::byte> Snapshots::of(std::size_t group, std::uint32_t number,
                                         std::size_t array) const {
    const Array& which = arrays[array];
    return std::span(bytes).subspan((group * most + number) * bytes_each + which.offset,
                                    which.bytes);
}

std::vector<Snapshots> run_watched(const Device& device, const catalogue::Variant& variant,
                                   const catalogue::Shape& shape, const catalogue::Plan& plan,
                                   const catalogue::Values& input,
                                   const std::vector<std::uint32_t>& most, Optimise optimise) {
    lang::Instrumented text;
    if (!most.empty()) text = instrumented_text(variant, shape);
    const Program program = build(
        device, variant, most.empty() ? kernel_text(variant, shape) : text_of(text), optimise);
    const catalogue::Values neutral = identity(shape.op, shape.type);
    Inputs inputs(device, elements_of(input, neutral));
    Reduction reduction(device, program, plan, inputs);
    Watch watch(device, text, program, reduction);
    // A busy machine may have kept a group waiting once; to wait long again and again is in vain.
    constexpr auto kPatience = std::chrono::milliseconds(500);
    const auto start = std::chrono::steady_clock::now();
    std::vector<Snapshots> snapshots = watch.run(most);
    while (reduction.stuck() && std::chrono::steady_clock::now() - start < kPatience)
        snapshots = watch.run(most);
    if (reduction.stuck())
        throw Problem(fmt::format("{}: a spin of the kernel gave up", variant.id),
                      "Its groups wait for each other, but do not all run at once",
                      "Choose a larger group or a smaller n", variant.file.filename().string(),
                      Exit::kernel_fault);
    return snapshots;
}

std::vector<Snapshots> run_watched(const Device& device, const lang::Text& text,
                                   const catalogue::KernelText& plain, const std::string& entry,
                                   const KernelLaunch& launch,
                                   const std::vector<std::uint32_t>& most, Optimise optimise) {
    lang::Instrumented watched;
    if (!most.empty()) watched = lang::instrument(text, entry);
    catalogue::KernelText built = most.empty() ? plain : text_of(watched);
    built.needs = plain.needs;
    catalogue::Variant variant;
    variant.entry = entry;
    const Program program = build(device, variant, built, optimise);
    KernelRun run(device, program, launch);
    return Watch(device, watched, program, run).run(most);
}

}  // namespace lab::device
