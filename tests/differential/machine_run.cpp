#include "machine_run.h"

#include "lang/compile.h"

namespace lab::differential {
namespace {

machine::Scalar element_of(const std::string& type) {
    lang::Types types;
    const lang::Type* known = types.named(type);
    return known == nullptr ? machine::Scalar::uchar : known->scalar;
}

}  // namespace

MachineRun run_on_machine(const GeneratedKernel& kernel, const machine::Config& config,
                          const machine::SchedulingPolicy& order, bool lineage) {
    MachineRun machine_run;
    try {
        machine::Job job;
        job.config = config;
        machine::Launch launch;
        launch.code = std::make_shared<const lang::Code>(
            *lang::compile_or_throw({"generated.cl", kernel.text, ""}, "test").code);
        launch.range = kernel.range;
        for (const GeneratedBuffer& generated_buffer : kernel.buffers) {
            machine::Argument argument;
            argument.kind = machine::Argument::Kind::buffer;
            argument.buffer = job.buffers.size();
            launch.arguments.push_back(argument);
            machine::Buffer buffer;
            buffer.name = "buffer" + std::to_string(job.buffers.size());
            buffer.element = element_of(generated_buffer.type);
            buffer.bytes = generated_buffer.bytes.size();
            buffer.initial = generated_buffer.bytes;
            buffer.is_input = true;
            job.buffers.push_back(std::move(buffer));
        }
        for (const GeneratedLocal& local : kernel.locals) {
            machine::Argument argument;
            argument.kind = machine::Argument::Kind::local;
            argument.bytes = local.bytes;
            launch.arguments.push_back(argument);
        }
        job.launches.push_back(std::move(launch));
        machine::Recording recording;
        recording.trace = false;
        recording.lineage = lineage;
        const machine::Run run(std::move(job), order, recording);
        if (run.fault()) machine_run.problem = run.problem(*run.fault()).text();
        if (!run.findings().empty() && machine_run.problem.empty())
            machine_run.problem = run.problem(run.findings().front()).text();
        for (std::size_t i = 0; i < kernel.buffers.size(); ++i)
            machine_run.buffers.push_back(run.machine().bytes(run.end(), i));
    } catch (const Problem& problem) {
        machine_run.problem = problem.text();
    }
    return machine_run;
}

}  // namespace lab::differential
