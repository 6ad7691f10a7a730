// What every host program has in common, word for word.
#pragma once

namespace lab::host {

inline constexpr const char* kPickDevice = R"(
// The first GPU, or else the first device of any kind.
cl::Device pick_device()
{
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    for (cl_device_type kind : {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU,
                                CL_DEVICE_TYPE_ACCELERATOR})
        for (const cl::Platform& platform : platforms) {
            std::vector<cl::Device> devices;
            platform.getDevices(kind, &devices);
            if (!devices.empty()) return devices.front();
        }
    throw std::runtime_error("there is none");
}
)";

inline constexpr const char* kNumber = R"(
// A number of the command line.
int64_t number(const std::string& text)
{
    std::size_t end = 0;
    int64_t value = 0;
    try {
        value = std::stoll(text, &end);
    } catch (const std::logic_error&) {  // no number, or too large
    }
    if (value < 1 || end != text.size())
        throw std::runtime_error("'" + text + "' is no number from 1 up");
    return value;
}
)";

inline constexpr const char* kDemand = R"(
// What the kernel cannot do without.
void demand(bool met, const std::string& condition)
{
    if (!met) throw std::runtime_error("the kernel asks for " + condition);
}
)";

inline constexpr const char* kErrorName = R"(
// OpenCL's errors are numbers. These can come from the calls above.
std::string name_of(cl_int error)
{
    static const std::map<cl_int, std::string> names = {
#define NAMED(error) {error, #error}
        NAMED(CL_DEVICE_NOT_FOUND),
        NAMED(CL_DEVICE_NOT_AVAILABLE),
        NAMED(CL_COMPILER_NOT_AVAILABLE),
        NAMED(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        NAMED(CL_OUT_OF_RESOURCES),
        NAMED(CL_OUT_OF_HOST_MEMORY),
        NAMED(CL_PROFILING_INFO_NOT_AVAILABLE),
        NAMED(CL_BUILD_PROGRAM_FAILURE),
        NAMED(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        NAMED(CL_INVALID_VALUE),
        NAMED(CL_INVALID_DEVICE),
        NAMED(CL_INVALID_QUEUE_PROPERTIES),
        NAMED(CL_INVALID_BUILD_OPTIONS),
        NAMED(CL_INVALID_PROGRAM_EXECUTABLE),
        NAMED(CL_INVALID_KERNEL_NAME),
        NAMED(CL_INVALID_ARG_INDEX),
        NAMED(CL_INVALID_ARG_VALUE),
        NAMED(CL_INVALID_ARG_SIZE),
        NAMED(CL_INVALID_KERNEL_ARGS),
        NAMED(CL_INVALID_WORK_GROUP_SIZE),
        NAMED(CL_INVALID_WORK_ITEM_SIZE),
        NAMED(CL_INVALID_OPERATION),
        NAMED(CL_INVALID_BUFFER_SIZE),
        NAMED(CL_INVALID_GLOBAL_WORK_SIZE),
        {-1001, "CL_PLATFORM_NOT_FOUND_KHR"},  // no driver is installed
#undef NAMED
    };
    const auto found = names.find(error);
    if (found == names.end()) return "error " + std::to_string(error);
    return found->second;
}
)";

inline constexpr const char* kMain = R"(
int main(int argc, char** argv)
{
    try {
        return run(argc, argv);
    } catch (const cl::Error& error) {
        std::cerr << "While " << doing << ": " << error.what()
                  << " failed with " << name_of(error.err()) << "\n";
    } catch (const std::exception& error) {
        std::cerr << "While " << doing << ": " << error.what() << "\n";
    }
    return 2;
}
)";

}  // namespace lab::host
