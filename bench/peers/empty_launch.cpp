// What a launch costs at the least: a kernel that does nothing, in one group, and a read of four
// bytes, on the first device. Wall time on a queue without a clock, device time on one with.
//   empty_launch OUT.json [REPEAT]
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

void check(cl_int error, const char* doing) {
    if (error == CL_SUCCESS) return;
    std::fprintf(stderr, "%s: OpenCL error %d\n", doing, error);
    std::exit(3);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

std::string list_of(const std::vector<double>& samples) {
    std::string text;
    for (const double each : samples)
        text += (text.empty() ? "" : ", ") + std::to_string(each);
    return "[" + text + "]";
}

double us_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
        .count();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: %s OUT.json [REPEAT]\n", argv[0]);
        return 2;
    }
    const int repeat = std::max(1, argc > 2 ? std::atoi(argv[2]) : 500);
    cl_platform_id platform{};
    check(clGetPlatformIDs(1, &platform, nullptr), "Finding a platform");
    cl_device_id device{};
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "Finding a device");
    char name[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, nullptr);
    cl_int error = 0;
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
    check(error, "Making a context");
    cl_command_queue plain = clCreateCommandQueue(context, device, 0, &error);
    check(error, "Making a queue");
    cl_command_queue timed =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error);
    check(error, "Making a queue");
    const char* text = "kernel void nothing(global int* out) {}";
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &error);
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "Building the kernel");
    cl_kernel kernel = clCreateKernel(program, "nothing", &error);
    check(error, "Taking the kernel");
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(cl_int), nullptr, &error);
    check(error, "Making a buffer");
    check(clSetKernelArg(kernel, 0, sizeof(out), &out), "Binding the buffer");

    std::vector<double> device_us, wall_us;
    const std::size_t one = 1;
    for (int run = -10; run < repeat; ++run) {
        cl_event event{};
        check(clEnqueueNDRangeKernel(timed, kernel, 1, nullptr, &one, &one, 0, nullptr, &event),
              "Launching");
        check(clFinish(timed), "Waiting");
        cl_ulong start = 0, end = 0;
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr);
        clReleaseEvent(event);
        cl_int result = 0;
        const auto begun = std::chrono::steady_clock::now();
        check(clEnqueueNDRangeKernel(plain, kernel, 1, nullptr, &one, &one, 0, nullptr, nullptr),
              "Launching");
        check(clFlush(plain), "Starting");
        check(clEnqueueReadBuffer(plain, out, CL_TRUE, 0, sizeof result, &result, 0, nullptr,
                                  nullptr),
              "Reading");
        const double wall = us_since(begun);
        if (run < 0) continue;
        device_us.push_back(static_cast<double>(end - start) * 1e-3);
        wall_us.push_back(wall);
    }
    std::printf(
        "an empty kernel on %s: %.2f us by its event, %.2f us with its launch and a read of 4 "
        "bytes\n",
        name, median(device_us), median(wall_us));
    std::ofstream file(argv[1]);
    file << "{\"device\": \"" << name << "\", \"device_us\": " << list_of(device_us)
         << ",\n \"wall_us\": " << list_of(wall_us)
         << ", \"rows\": [], \"op\": \"\", \"type\": \"\"}\n";
    return file.good() ? 0 : 2;
}
