// What is run launch by launch, so that its text may record accesses or copy arrays: the plan of a
// reduction, or any kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/index_space.h"

namespace lab::device {

class Launches {
  public:
    // What a launch passes for a pointer; without bytes for none.
    struct Memory {
        std::size_t buffer = 0;  // where it is global
        std::uint64_t bytes = 0;
    };

    virtual ~Launches() = default;
    virtual std::size_t launches() const = 0;
    virtual std::size_t buffers() const = 0;
    virtual NDRange range(std::size_t launch) const = 0;
    virtual Memory memory(std::size_t launch, std::size_t parameter) const = 0;

    virtual void reset() = 0;                     // all buffers as at the start of a run
    virtual void launch(std::size_t launch) = 0;  // until it is done
    // Whether a spin of the kernel gave up in the last run.
    virtual bool stuck() const = 0;
    // All of a buffer; empty for one that no launch writes.
    virtual std::vector<std::byte> contents(std::size_t buffer) const = 0;

    std::vector<std::vector<std::byte>> all_contents() const {
        std::vector<std::vector<std::byte>> all;
        for (std::size_t i = 0; i < buffers(); ++i)
            all.push_back(contents(i));
        return all;
    }
};

}  // namespace lab::device
