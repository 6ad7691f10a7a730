// Global memory as a value: pages that copies share until one of them is written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "machine/lineage.h"

namespace lab::machine {

// A value that copies share until write() gives its caller a separate one.
template <typename T>
class Shared {
  public:
    Shared() = default;
    explicit Shared(T value) : held_(std::make_shared<T>(std::move(value))) {}
    const T& operator*() const { return *held_; }
    const T* operator->() const { return held_.get(); }
    T& write() {
        if (!alone()) copy();
        return *held_;
    }
    explicit operator bool() const { return held_ != nullptr; }
    bool same(const Shared& other) const { return held_ == other.held_; }
    bool alone() const { return held_.use_count() == 1; }  // no other copy shares it

  private:
    [[gnu::noinline, gnu::cold]] void copy() { held_ = std::make_shared<T>(*held_); }

    std::shared_ptr<T> held_;
};

// Fills memory before anything is written to it: visibly not a likely number.
inline constexpr std::byte kPoison{0xA5};

// Which bytes of a block were written: one bit per byte.
class Written {
  public:
    explicit Written(std::size_t bytes = 0) : bits_((bytes + 7) / 8) {}
    bool all(std::uint64_t index, unsigned bytes) const {  // aligned; 1, 2, 4 or 8
        const unsigned mask = ((1U << bytes) - 1U) << (index & 7U);
        return (bits_[index >> 3U] & mask) == mask;
    }
    void set(std::uint64_t index, unsigned bytes) {
        bits_[index >> 3U] =
            static_cast<std::uint8_t>(bits_[index >> 3U] | (((1U << bytes) - 1U) << (index & 7U)));
    }
    void clear() { std::fill(bits_.begin(), bits_.end(), std::uint8_t{0}); }
    void set_all() { std::fill(bits_.begin(), bits_.end(), std::uint8_t{0xff}); }
    std::uint64_t bytes() const { return bits_.capacity(); }  // its own size
    const std::vector<std::uint8_t>& bits() const { return bits_; }

  private:
    std::vector<std::uint8_t> bits_;
};

inline constexpr std::uint64_t kPageBits = 12, kPageBytes = std::uint64_t{1} << kPageBits;

struct Page {
    std::array<std::byte, kPageBytes> bytes;
    Written written{kPageBytes};
    std::vector<Node> nodes;  // one for each element; empty: none has lineage
};

struct PagedBuffer {
    std::vector<Shared<Page>> pages;
    std::uint64_t bytes = 0;
    std::uint8_t shift = 2;  // log2 of an element's bytes: what one node stands for
};

// A block of local or private memory.
struct Block {
    std::vector<std::byte> bytes;
    Written written;
    std::vector<Node> nodes;
};

}  // namespace lab::machine
