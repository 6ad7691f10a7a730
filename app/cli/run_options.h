// What step, hazards and outcomes look into: a variant, or a kernel of any file.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analysis/outcomes/outcomes.h"
#include "catalogue/shape_options.h"
#include "simulation/simulate.h"
#include "simulation/subject.h"

namespace lab::cli {

// The options that describe the machine: --machine, --lanes, --resident, --order, --budget.
struct MachineOptions {
    std::string preset, order, budget;  // preset: empty for the usual one
    std::optional<std::uint32_t> lanes;
    std::string resident;

    void add_to(CLI::App& app);
    bool any() const;  // whether one of them was given
    // Of a shipped variant: the classroom's lanes, which its pictures show. Throws Problem.
    simulation::Options options() const { return options("classroom"); }
    // Of a kernel from a file: independent items, for OpenCL promises no lockstep, unless lanes are
    // asked for or the kernel asks for sub-groups. Throws Problem.
    simulation::Options own_options(bool sub_groups) const;

  private:
    simulation::Options options(const char* usual) const;
};

inline constexpr std::size_t kMostText = std::size_t{1} << 22;  // of a kernel's file, bytes

bool is_kernel_file(const std::string& subject);  // a path, and no id

// How a kernel of a file without a header is launched.
struct LaunchOptions {
    std::string kernel, global, local, offset;
    std::vector<std::string> arguments, folders;

    void add_to(CLI::App& app);
    bool any() const;
    // Throws Problem for sizes that are no numbers.
    simulation::UserKernel kernel_of(const std::string& file, std::string text,
                                     const std::vector<std::string>& defines) const;
};

struct SubjectOptions {
    std::string variant;
    catalogue::ShapeOptions shape;
    MachineOptions machine;
    LaunchOptions launch;
    bool on_device = false;  // where a file's kernel runs, too: --device may say on which

    void add_to(CLI::App& app);
    void add_device_to(CLI::App& app);  // the same for runs of the device alone
    bool is_file() const { return is_kernel_file(variant); }
};

// Its text; a kernel in it has no header like those of kernels/, or its launch is told all the
// same.
std::string kernel_file_text(const std::string& file);
bool needs_launch(const std::string& text, const LaunchOptions& launch);

// A variant of the catalogue, or of a file with such a header; or a kernel whose launch the options
// tell. Throws Problem.
using Chosen = std::variant<catalogue::Variant, simulation::UserKernel>;
Chosen choose(const SubjectOptions& options);

// The variant with that id, or of the file at that path, which has to have a header. Throws
// Problem.
catalogue::Variant variant_named(const std::string& id_or_path);

// {"variant", "shape", "opened"} or {"own", "shape"}: what a worker has to know of it.
nlohmann::json request_for(const SubjectOptions& options, const Chosen& chosen);

struct Subject {
    std::string title;     // "span-modulo, 8 elements in groups of 4, add, int"
    nlohmann::json shape;  // the same for JSON
    simulation::Subject of;
    simulation::Ready ready;

    const simulation::Options& machine() const { return of.machine; }
};

// The machine for a kernel from a file.
simulation::Options machine_for(const MachineOptions& options,
                                const simulation::UserKernel& kernel);

// The same, ready for the machine. Throws Problem.
Subject subject_of(const SubjectOptions& options);

}  // namespace lab::cli
