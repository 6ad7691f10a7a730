// A job: kernels launched one after another on buffers, and what is known of the right result. The
// simulator and the OpenCL devices run the same jobs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/index_space.h"
#include "catalogue/element.h"
#include "catalogue/reference.h"
#include "catalogue/shape.h"
#include "lang/code.h"

namespace lab::catalogue {

using lang::Scalar;
using lang::Space;

// The simulated device; an OpenCL device has its own.
struct Config : MachineShape {
    bool cpu = false;  // launch kernels as for a CPU; else as for a GPU
    std::uint32_t bank_bytes = 4;
    std::uint32_t sector_bytes = 32, line_bytes = 128;  // of global memory
    std::uint32_t max_group = 1024;

    bool operator==(const Config&) const = default;
};

struct Buffer {
    std::string name;
    Scalar element = Scalar::int_;
    std::uint64_t element_bytes = 4;  // more than the scalar's if elements are vectors, structs
    std::uint64_t bytes = 0;
    std::vector<std::byte> initial;  // all of it; empty: nothing written yet
    bool is_input = false;           // its elements are leaves of lineage
    bool of_program = false;         // a variable outside of functions, which all launches share
    bool constant = false;           // no launch writes it
    // A buffer of a header's plan holds the elements to reduce, or is filled with this element
    // within each run, which is timed; `once`: before the first run only, as the kernel restores
    // it.
    bool takes_elements = false;
    std::vector<std::byte> pattern = {};
    bool once = false;
    bool guessed = false;         // its length, which nobody told
    lang::ArrayShape shape = {};  // of a variable of the program

    std::uint64_t cells() const { return bytes / lang::info(element).bytes; }
};

struct Argument {
    enum class Kind : std::uint8_t { buffer, local, value, null } kind = Kind::value;
    std::size_t buffer = 0;                 // in Job::buffers
    std::uint64_t bytes = 0;                // for local memory
    std::vector<std::uint64_t> components;  // for a value, as registers hold them
    std::vector<std::byte> value = {};      // the same as a device takes it; empty: only its own
                                            // compiler knows how the structure lies in memory
};

struct Launch {
    std::shared_ptr<const lang::Code> code;  // not set in a plan whose text is not compiled yet
    NDRange range;
    std::vector<Argument> arguments;
    std::string variables;          // the host's loop variables, for messages: "span = 2"
    std::size_t shows = 0;          // the buffer with the values after this launch
    std::uint64_t shows_count = 0;  // elements of that buffer that are values
};

// `nothing`: no result is right or wrong, as the kernel reduces nothing.
enum class Expect : std::uint8_t { correct, partial, races, unknown, nothing };
const char* name_of(Expect expect);

struct Job {
    Config config;  // of the simulator that runs it
    std::vector<Buffer> buffers;
    std::vector<Launch> launches;  // none: there is nothing to run, as for n = 0
    // Limit on the simulator's warp instructions, over all launches; 0: default_budget().
    std::uint64_t budget = 0;

    std::uint64_t n = 0;      // elements, as the views count them
    std::uint64_t group = 0;  // work-items per group: as requested, or a default
    std::size_t start = 0;    // the buffer that holds the elements at the start
    // The buffer whose first element is the result; empty if n is 0, where it is the identity, and
    // for a launch by a form, which leaves buffers and no one result.
    std::optional<std::size_t> result;
    std::uint64_t depth = 0;  // combinations on the longest way from an element to the result
    Expect expect = Expect::unknown;
    std::uint64_t every = 1;           // for Expect::partial: distance between the result's parts
    std::uint64_t rounds = 0;          // for PlanKind::iterate, where the result is all cells
    std::optional<std::size_t> stuck;  // the buffer that is not 0 once a spin gave up

    Op op = Op::add;  // what the result combines the elements by
    Type type = Type::int_;
    std::optional<Reference> right;  // the right result, where it is known
};

// 4 million, plus 1000 for each work-item of each launch.
std::uint64_t default_budget(const Job& job);

// Returns the buffers that some launch may write: those passed to a parameter that is not
// read-only.
std::vector<bool> written_buffers(const Job& job);

}  // namespace lab::catalogue
