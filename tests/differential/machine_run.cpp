#include "machine_run.h"

#include "lang/text/compile.h"

namespace lab::differential {
namespace {

machine::Scalar element_of(const std::string& type) {
    lang::Types types;
    const lang::Type* known = types.named(type);
    return known == nullptr ? machine::Scalar::uchar : known->scalar;
}

}  // namespace

MachineRun run_on_machine(const GeneratedKernel& kernel, const machine::Config& config,
                          const machine::Order& order, bool lineage) {
    MachineRun made;
    try {
        machine::Job job;
        job.config = config;
        machine::Launch launch;
        launch.code = std::make_shared<const lang::Code>(
            lang::compile_or_throw({"generated.cl", kernel.text, ""}, "test"));
        launch.global = kernel.global;
        launch.local = kernel.local;
        for (const GeneratedBuffer& of : kernel.buffers) {
            machine::Argument argument;
            argument.kind = machine::Argument::Kind::buffer;
            argument.buffer = job.buffers.size();
            launch.arguments.push_back(argument);
            machine::Buffer buffer;
            buffer.name = "buffer" + std::to_string(job.buffers.size());
            buffer.element = element_of(of.type);
            buffer.bytes = of.bytes.size();
            buffer.initial = of.bytes;
            buffer.is_input = true;
            job.buffers.push_back(std::move(buffer));
        }
        for (const GeneratedLocal& of : kernel.locals) {
            machine::Argument argument;
            argument.kind = machine::Argument::Kind::local;
            argument.bytes = of.bytes;
            launch.arguments.push_back(argument);
        }
        job.launches.push_back(std::move(launch));
        machine::Recording recording;
        recording.trace = false;
        recording.lineage = lineage;
        const machine::Run run(std::move(job), order, recording);
        if (run.fault()) made.problem = run.problem(*run.fault()).text();
        if (!run.findings().empty() && made.problem.empty())
            made.problem = run.problem(run.findings().front()).text();
        for (std::size_t i = 0; i < kernel.buffers.size(); ++i)
            made.buffers.push_back(run.machine().bytes(run.end(), i));
    } catch (const Problem& problem) {
        made.problem = problem.text();
    }
    return made;
}

}  // namespace lab::differential
