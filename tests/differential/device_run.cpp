#include "device_run.h"

#include <CL/opencl.hpp>
#include <stdexcept>

namespace lab::differential {

namespace {

cl::NDRange cl_range(const Coordinates& sizes, std::uint32_t dims) {
    return dims == 1   ? cl::NDRange(sizes[0])
           : dims == 2 ? cl::NDRange(sizes[0], sizes[1])
                       : cl::NDRange(sizes[0], sizes[1], sizes[2]);
}

}  // namespace

struct Device::Opened {
    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;
};

Device::Device() {
    std::vector<cl::Platform> platforms;
    cl::Platform::get(&platforms);
    for (const cl::Platform& platform : platforms) {
        std::vector<cl::Device> devices;
        platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
        if (devices.empty()) continue;
        const cl::Context context(devices.front());
        opened_ = std::make_unique<Opened>(
            Opened{devices.front(), context, cl::CommandQueue(context, devices.front())});
        name_ = devices.front().getInfo<CL_DEVICE_NAME>();
        return;
    }
    throw std::runtime_error("there is no OpenCL device");
}

Device::~Device() = default;

DeviceRun Device::run(const GeneratedKernel& generated_kernel, const std::string& options) {
    DeviceRun device_run;
    cl::Program program(opened_->context, generated_kernel.text);
    try {
        program.build(opened_->device, ("-cl-std=CL1.2 " + options).c_str());
        cl::Kernel kernel(program, "test");
        std::vector<cl::Buffer> buffers;
        cl_uint index = 0;
        for (const GeneratedBuffer& buffer : generated_kernel.buffers) {
            buffers.emplace_back(opened_->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 buffer.bytes.size(), const_cast<std::byte*>(buffer.bytes.data()));
            kernel.setArg(index++, buffers.back());
        }
        for (const GeneratedLocal& local : generated_kernel.locals)
            kernel.setArg(index++, cl::Local(local.bytes));
        const NDRange& range = generated_kernel.range;
        const bool offset = range.offset != Coordinates{};
        opened_->queue.enqueueNDRangeKernel(
            kernel, offset ? cl_range(range.offset, range.dims) : cl::NullRange,
            cl_range(range.global, range.dims), cl_range(range.local, range.dims));
        for (std::size_t i = 0; i < buffers.size(); ++i) {
            device_run.buffers.emplace_back(generated_kernel.buffers[i].bytes.size());
            opened_->queue.enqueueReadBuffer(buffers[i], CL_TRUE, 0,
                                             device_run.buffers.back().size(),
                                             device_run.buffers.back().data());
        }
    } catch (const cl::Error& error) {
        device_run.problem = std::string(error.what()) + " " + std::to_string(error.err());
        if (error.err() == CL_BUILD_PROGRAM_FAILURE)
            device_run.problem +=
                "\n" + program.getBuildInfo<CL_PROGRAM_BUILD_LOG>(opened_->device);
    }
    return device_run;
}

}  // namespace lab::differential
