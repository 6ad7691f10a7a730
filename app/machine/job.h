// The virtual device's configuration: what a student can change about it. A job (catalogue/job.h)
// has one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/problem.h"
#include "catalogue/job.h"
#include "lang/code.h"
namespace lab::machine {

using catalogue::Argument;
using catalogue::Buffer;
using catalogue::check;
using catalogue::Config;
using catalogue::Job;
using catalogue::kMostLanes;
using catalogue::Launch;
using catalogue::MachineShape;
using lang::Scalar;
using lang::Space;

struct Preset {
    const char* name;
    Config config;
};
std::string preset_names();                        // "classroom, cpu, nvidia, amd, independent"
const Preset& find_preset(std::string_view name);  // throws Problem listing the names

// A loop without any action is found out soon, however many work-items there are. Instructions of a
// warp between two actions, where a job has the default budget; more end the run.
inline constexpr std::uint64_t kMostAlone = 4'000'000;

// Faults, which stop a run: the kernel did something that no device could do correctly.

struct Fault {
    enum class Kind : std::uint8_t {
        out_of_bounds,  // also through a null pointer, or one cast from a number
        read_only,      // a write to constant data
        division,       // of an integer by zero
        assertion,      // a condition that the text asserts does not hold
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
    // Names the buffer or local array whose end an access exceeds, and says how many bytes it
    // needs.
    std::string array = {};
    std::uint64_t needed = 0;
    // True if it would end with turns for everyone, or with all groups at once.
    bool by_schedule = false;
};
// Returns what, why and hint under the keys `key`, `key`.why and `key`.hint.
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
