// A kernel from any file of the user's: its launch as the command line or the form describes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/step_table.h"
#include "base/index_space.h"
#include "simulation/simulate.h"

namespace lab::simulation {

struct UserKernel {
    std::string file;  // for messages
    std::string text;
    std::string kernel;                // which one of the text; empty: the only one
    std::vector<std::string> defines;  // NAME or NAME=VALUE
    Extent global, local;
    // One for each parameter, in order:
    //   NAME:TYPE[COUNT]         an uninitialised buffer; TYPE may be a vector, as float4
    //   NAME:TYPE[COUNT]=FILL    ramp | random:SEED | bits:SEED | @FILE | 7,1,6 | one number
    //   NAME:local TYPE[COUNT]   local memory
    //   3 | 1,2,3,4 | NAME=3     a number, or the components of a vector or structure
    //   null                     no buffer
    std::vector<std::string> arguments;
    std::vector<std::string> folders = {};  // of what it includes, beside its own
    Extent offset = {};  // the first global id; of as many dimensions, or not given: from 0 on

    bool operator==(const UserKernel&) const = default;
};

// "my.cl", or with the name of the kernel if it was given: "my.cl: second".
std::string title_of(const UserKernel& kernel);

// Throws Problem: errors of the text all at once, arguments that do not fit.
machine::Job job_of(const UserKernel& kernel, const machine::Config& config);

// The buffers after a run, and the rows of its passes; the right result is not known.
struct UserKernelResult {
    struct Contents {
        std::string name, type;
        bool written = false;             // a work-item wrote to it
        std::vector<std::string> values;  // "?" if never written
    };
    std::vector<Contents> buffers;
    analysis::StepTable table;
};
// The contents of all buffers that the kernel may write, as one text.
std::string contents_of(const machine::Machine& machine, const machine::State& state);
// The same of a device, whose buffers held `unwritten` in each byte that nothing fills. A cell that
// still does is "?", unless `usual`, the end of a run of the simulator, has just that value there.
std::string contents_on_device(const machine::Machine& machine, const machine::State& usual,
                               const std::vector<std::vector<std::byte>>& contents,
                               std::byte unwritten);
// All that a run leaves: the contents, the variables outside of functions, and what each work-item
// printed, in its order. In which order work-items print is left open by OpenCL (6.12.13), and is
// no part of it.
std::string result_text(const machine::Machine& machine, const machine::State& state);

UserKernelResult result_of(const UserKernel& kernel, const machine::Run& run,
                           const Options& options);

// The buffer that the first row shows: the first one with values to read.
std::size_t start_of(const machine::Job& job);
// What was run and how it ended, without rows.
analysis::StepTable head_of(const UserKernel& kernel, const machine::Run& run,
                            const Options& options);

}  // namespace lab::simulation
