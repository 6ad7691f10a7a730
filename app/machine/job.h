// The job of the machine: buffers, and kernels launched on them one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/index_space.h"
#include "base/phrase.h"
#include "base/problem.h"
#include "lang/code.h"
namespace lab::machine {

// The virtual device's configuration: what a student can change about it.

struct Config {
    std::uint32_t lanes = 4;     // per warp, in lockstep: 1 to 64; 1: independent work-items
    std::uint32_t resident = 2;  // groups that run at once; 0: all of a launch
    std::uint32_t banks = 32;    // of local memory, bank_bytes wide each
    std::uint32_t bank_bytes = 4;
    std::uint32_t sector_bytes = 32, line_bytes = 128;  // of global memory
    bool cpu = false;  // launch kernels as for a CPU; else as for a GPU
    std::uint32_t max_group = 1024;

    bool operator==(const Config&) const = default;
};

inline constexpr std::uint32_t kMostLanes = 64;

struct Preset {
    const char* name;
    const char* says;
    Config config;
};
// classroom, cpu, nvidia, amd, independent.
std::span<const Preset> presets();
const Preset& find_preset(std::string_view name);  // throws Problem listing the names

// Throws Problem for an impossible configuration.
void check(const Config& config);

using lang::Scalar;
using lang::Space;

struct Buffer {
    std::string name;
    Scalar element = Scalar::int_;
    std::uint64_t element_bytes = 4;  // more than the scalar's if elements are vectors, structs
    std::uint64_t bytes = 0;
    std::vector<std::byte> initial;  // all of it; empty: nothing written yet
    bool is_input = false;           // its elements are leaves of lineage
    bool of_program = false;         // a variable outside of functions, which all launches share
};

struct Argument {
    enum class Kind : std::uint8_t { buffer, local, value, null } kind = Kind::value;
    std::size_t buffer = 0;                 // in Job::buffers
    std::uint64_t bytes = 0;                // for local memory
    std::vector<std::uint64_t> components;  // for a value, as registers hold them
};

struct Launch {
    std::shared_ptr<const lang::Code> code;
    NDRange range;
    std::vector<Argument> arguments;
    std::string variables;  // the host's loop variables, for messages: "span = 2"
};

struct Job {
    Config config;
    std::vector<Buffer> buffers;
    std::vector<Launch> launches;
    // Limit on warp instructions, over all launches; 0: default_budget().
    std::uint64_t budget = 0;
};

// 4 million, plus 1000 for each work-item of each launch.
std::uint64_t default_budget(const Job& job);
// Where that holds, also the limit on a warp's instructions from one action to its next: a loop
// without any is found out soon, however many work-items there are.
inline constexpr std::uint64_t kMostAlone = 4'000'000;

// Which buffers some launch may write: those passed to a parameter that is not read-only.
std::vector<bool> written_buffers(const Job& job);

// Faults, which stop a run: the kernel did something that no device could do correctly.

struct Fault {
    enum class Kind : std::uint8_t {
        out_of_bounds,  // also through a null pointer, or one cast from a number
        read_only,      // a write to constant data
        division,       // of an integer by zero
        divergence,     // not all who must come to a barrier or a call together do
        budget,         // the run does not end
        deadlock,       // the same, because a loop polls for something that never comes
        recording,      // the run is too long to be recorded
        copy,           // an asynchronous copy that is begun or waited for in a wrong way
    } kind = Kind::out_of_bounds;
    std::string what, why, hint;
    lang::Place place;
    std::uint32_t launch = 0;
    std::uint64_t item = 0;  // global id of a work-item that did it
    ProblemPhrases phrases = {};
    // Of an access behind the end of a buffer or of local memory: its name, and how many bytes it
    // needs.
    std::string array = {};
    std::uint64_t needed = 0;
};
const char* name_of(Fault::Kind kind);
// What, why and hint under the keys `key`, `key`.why and `key`.hint.
ProblemPhrases phrases_of(const std::string& key,
                          const std::map<std::string, std::string>& arguments);

// Exit::kernel_fault; `where` is the text's name:line:column, and the line is quoted.
Problem problem_of(const Fault& fault, const lang::Code& code);

// Something that is wrong but does not stop a run; reported once per place.
struct Finding {
    std::string what, why, hint;
    lang::Place place;
    std::uint32_t launch = 0;
    std::uint64_t item = 0;
    std::uint64_t count = 0;  // how often
    ProblemPhrases phrases = {};
};
Problem problem_of(const Finding& finding, const lang::Code& code);

}  // namespace lab::machine
