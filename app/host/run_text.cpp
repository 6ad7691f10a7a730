#include "host/run_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "catalogue/plan.h"
#include "host/cpp_expression.h"

namespace lab::host {
namespace {

using catalogue::Argument;
using catalogue::Expression;
using catalogue::PlanKind;
using Kind = Argument::Kind;
using Fill = Argument::Fill;

// What run() needs for itself.
constexpr std::array kTaken{
    "argc",  "argv",  "n",        "group",    "groups",    "global",  "local",      "units",
    "cpu",   "queue", "kernel",   "device",   "context",   "input",   "event",      "events",
    "i",     "bits",  "result",   "expected", "magnitude", "right",   "time",       "parts",
    "doing", "round", "identity", "element",  "max_group", "gave_up", "collectives"};

class LaunchWriter {
  public:
    LaunchWriter(CppLines& lines, const LaunchFacts& facts, const InputText& input)
        : lines_(lines), facts_(facts), variant_(facts.variant), input_(input) {}

    void write() {
        open_device();
        read_sizes();
        part("making the buffers");
        if (input_.any_n) add(1, input_.statements);
        const bool partials = variant_.plan == PlanKind::partials;
        for (const Argument& argument : variant_.arguments)
            if (argument.kind == Kind::buffer && (!partials || argument.fill == Fill::values))
                buffer(1, argument);
        part("running the kernel");
        if (partials)
            launch_partials();
        else if (variant_.plan == PlanKind::per_pass)
            launch_passes();
        else
            launch_once();
        add(1, "queue.finish();");
    }

  private:
    void add(int depth, std::string_view text) { lines_.add(depth, text); }
    void part(const char* doing) {
        lines_.add_empty();
        add(1, fmt::format("doing = \"{}\";", doing));
    }
    bool has(const char* name) const { return facts_.names.contains(name); }
    std::string cpp(const Expression& expression, int least = 0) const {
        return cpp_text(expression, facts_.numbers, least);
    }

    void open_device() {
        add(1, "doing = \"opening the device\";");
        add(1, "const cl::Device device = pick_device();");
        add(1, "std::cout << \"device    \" << device.getInfo<CL_DEVICE_NAME>() << \"\\n\";");
        needs();
        add(1, "const cl::Context context(device);");
        add(1, "const cl::CommandQueue queue(context, device, CL_QUEUE_PROFILING_ENABLE);");
        part("building the kernel");
        add(1, fmt::format("cl::Kernel kernel(build(context, device), \"{}\");", variant_.entry));
    }

    void need(std::string_view lacking, std::string_view what) {
        add(1, fmt::format("if ({}) {{", lacking));
        add(2, fmt::format("std::cerr << \"This device lacks {}\\n\";", what));
        add(2, "return 3;");
        add(1, "}");
    }
    void need_word(const char* query, const char* word, std::string_view what) {
        need(fmt::format("device.getInfo<{}>().find(\"{}\") == std::string::npos", query, word),
             what);
    }
    void needs() {
        if (facts_.shape.type == catalogue::Type::double_)
            need_word("CL_DEVICE_EXTENSIONS", "cl_khr_fp64", "double");
        for (const catalogue::Need each : needs_of(variant_, facts_.shape)) {
            switch (each) {
                case catalogue::Need::sub_groups:
                    need_word("CL_DEVICE_EXTENSIONS", "cl_khr_subgroups", "sub-groups");
                    break;
                case catalogue::Need::group_collectives:
                    add(1, "cl_bool collectives = CL_FALSE;  // stays so before OpenCL 3.0");
                    add(1,
                        "clGetDeviceInfo(device(), "
                        "CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, sizeof(collectives), "
                        "&collectives, nullptr);");
                    need("!collectives", "work_group_reduce functions");
                    break;
                case catalogue::Need::atomics:
                    if (info(facts_.shape.type).bytes == 8)
                        need_word("CL_DEVICE_EXTENSIONS", "cl_khr_int64_base_atomics",
                                  "64-bit atomics");
                    break;
                case catalogue::Need::ptx:
                    need_word("CL_DEVICE_VENDOR", "NVIDIA", "NVIDIA's instructions (PTX)");
                    break;
            }
        }
    }

    void read_sizes() {
        part("working out the sizes");
        if (has("cpu"))
            add(1, "const bool cpu = device.getInfo<CL_DEVICE_TYPE>() == CL_DEVICE_TYPE_CPU;");
        if (has("units"))
            add(1, "const int64_t units = device.getInfo<CL_DEVICE_MAX_COMPUTE_UNITS>();");
        if (has("max_group"))
            add(1, "const int64_t max_group = device.getInfo<CL_DEVICE_MAX_WORK_GROUP_SIZE>();");
        if (has("kernel_group"))
            add(1,
                "const int64_t kernel_group = "
                "kernel.getWorkGroupInfo<CL_KERNEL_WORK_GROUP_SIZE>(device);");

        const bool any_n = takes_n(facts_, input_);
        if (!any_n) add(1, input_.statements);
        add(1, fmt::format("{}int64_t n = {};", variant_.plan == PlanKind::partials ? "" : "const ",
                           any_n ? fmt::format("argc > 1 ? number(argv[1]) : {}", facts_.n)
                                 : "input.size()"));
        const std::string group =
            facts_.shape.group != 0 ? fmt::format("{}", facts_.shape.group) : cpp(facts_.group, 1);
        add(1, fmt::format("const int64_t group = argc > {0} ? number(argv[{0}]) : {1};",
                           any_n ? 2 : 1, group));
        if (variant_.plan != PlanKind::partials && !in_pass(variant_.global)) launch_sizes(1);
        for (const catalogue::Legal& legal : variant_.legal)
            if (is_checked(facts_, legal))
                add(1, fmt::format("demand({}, \"{}\");", cpp(legal.condition), legal.text));
    }

    void launch_sizes(int depth) {
        add(depth, fmt::format("const int64_t global = {};", cpp(variant_.global)));
        if (variant_.local.text() != "group")
            add(depth, fmt::format("const int64_t local = {};", cpp(variant_.local)));
        if (has("groups") || variant_.plan == PlanKind::partials)
            add(depth, fmt::format("const int64_t groups = global / {};", local()));
    }
    const char* local() const { return variant_.local.text() == "group" ? "group" : "local"; }

    static std::string type_of(const Argument& argument) {
        return argument.type ? fmt::format("cl_{}", info(*argument.type).name) : "T";
    }
    std::string bytes(const Argument& argument) const {
        const std::string each = fmt::format("sizeof({})", type_of(argument));
        if (argument.count.text() == "1") return each;
        return fmt::format("{} * {}", cpp(argument.count, kFactor), each);
    }

    void buffer(int depth, const Argument& argument) {
        const std::string name = variable_of(argument.name);
        const bool changes = argument.fill == Fill::values;  // another one in each launch
        if (argument.fill == Fill::input || argument.fill == Fill::values) {
            const bool reads = argument.constant && !changes;
            add(depth,
                fmt::format("{}cl::Buffer {}(context, {} | CL_MEM_COPY_HOST_PTR, {}, "
                            "input.data());",
                            changes ? "" : "const ", name,
                            reads ? "CL_MEM_READ_ONLY" : "CL_MEM_READ_WRITE", bytes(argument)));
            return;
        }
        add(depth, fmt::format("const cl::Buffer {}(context, CL_MEM_READ_WRITE, {});", name,
                               bytes(argument)));
        if (argument.fill == Fill::none) return;
        const std::string value =
            argument.fill == Fill::identity
                ? "identity"
                : fmt::format("{}({})", type_of(argument), cpp(argument.value));
        add(depth,
            fmt::format("queue.enqueueFillBuffer({}, {}, 0, {});", name, value, bytes(argument)));
    }

    // Whether it has another value in each pass.
    bool in_pass(const Expression& expression) const {
        return variant_.plan == PlanKind::per_pass &&
               names_in(expression).contains(variant_.pass.name);
    }
    bool in_pass(const Argument& argument) const {
        return in_pass(argument.count) || in_pass(argument.value);
    }

    void argument(int depth, std::size_t index) {
        const Argument& of = variant_.arguments[index];
        const std::string value = of.kind == Kind::buffer ? variable_of(of.name)
                                  : of.kind == Kind::local
                                      ? fmt::format("cl::Local({})", bytes(of))
                                      : fmt::format("{}({})", type_of(of), cpp(of.value));
        add(depth, fmt::format("kernel.setArg({}, {});", index, value));
    }
    void arguments(int depth) {
        for (std::size_t i = 0; i < variant_.arguments.size(); ++i)
            argument(depth, i);
    }
    void launch(int depth, const char* event) {
        add(depth, fmt::format("queue.enqueueNDRangeKernel(kernel, cl::NullRange, "
                               "cl::NDRange(global), cl::NDRange({}), nullptr, {});",
                               local(), event));
    }

    void launch_once() {
        arguments(1);
        add(1, "cl::Event event;");
        launch(1, "&event");
    }

    // "span * 2" as "span *= 2".
    std::string next() const {
        const catalogue::PassLoop& loop = variant_.pass;
        const auto& steps = loop.next.steps();
        using Step = Expression::Step;
        if (steps.size() == 3 && steps[0].kind == Step::Kind::variable &&
            steps[0].name == loop.name && steps[1].kind == Step::Kind::number &&
            steps[2].precedence >= 5)
            return fmt::format("{} {}= {}", loop.name, steps[2].name, steps[1].number);
        return fmt::format("{} = {}", loop.name, cpp(loop.next));
    }

    void launch_passes() {
        const catalogue::PassLoop& loop = variant_.pass;
        for (std::size_t i = 0; i < variant_.arguments.size(); ++i)
            if (!in_pass(variant_.arguments[i])) argument(1, i);
        add(1, "std::vector<cl::Event> events;");
        add(1, fmt::format("for (int64_t {} = {}; {}; {}) {{", loop.name, cpp(loop.first),
                           cpp(loop.condition), next()));
        if (in_pass(variant_.global)) launch_sizes(2);
        for (std::size_t i = 0; i < variant_.arguments.size(); ++i)
            if (in_pass(variant_.arguments[i])) argument(2, i);
        add(2, "events.emplace_back();");
        launch(2, "&events.back()");
        add(1, "}");
    }

    void launch_partials() {
        std::string values;
        for (const Argument& argument : variant_.arguments)
            if (argument.fill == Fill::values) values = variable_of(argument.name);
        add(1, "std::vector<cl::Event> events;");
        add(1, "while (n > 1) {  // each launch leaves one value a group");
        launch_sizes(2);
        for (const Argument& argument : variant_.arguments)
            if (argument.kind == Kind::buffer && argument.fill != Fill::values) buffer(2, argument);
        lines_.add_empty();
        arguments(2);
        add(2, "events.emplace_back();");
        launch(2, "&events.back()");
        lines_.add_empty();
        add(2, fmt::format("{} = {};  // which the next launch reads", values,
                           variable_of(variant_.result)));
        add(2, "n = groups;");
        add(1, "}");
    }

    CppLines& lines_;
    const LaunchFacts& facts_;
    const catalogue::Variant& variant_;
    const InputText& input_;
};

}  // namespace

std::string variable_of(const std::string& argument) {
    const bool taken = std::find(kTaken.begin(), kTaken.end(), argument) != kTaken.end();
    return taken ? argument + "_buffer" : argument;
}

bool takes_n(const LaunchFacts& facts, const InputText& input) {
    return input.any_n || facts.variant.plan == PlanKind::iterate;
}

void add_launches(CppLines& lines, const LaunchFacts& facts, const InputText& input) {
    LaunchWriter(lines, facts, input).write();
}

}  // namespace lab::host
