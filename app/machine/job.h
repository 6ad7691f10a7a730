// The job of the machine: buffers, and kernels launched on them one after another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/index_space.h"
#include "lang/code/code.h"
#include "machine/config.h"

namespace lab::machine {

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

}  // namespace lab::machine
