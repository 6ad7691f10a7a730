// Global memory as a value: pages that copies share until one of them is written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lang/builtins.h"
namespace lab::machine {

// Lineage tells which inputs went into a value: a tree whose leaves are elements of input buffers.

// 0: no input went in. kUnwritten: what memory held before anything was written to it.
using Node = std::uint32_t;
inline constexpr Node kUnwritten = 0xffffffffU;

struct Origin {
    bool is_input = false;
    std::uint32_t buffer = 0;  // for an input: its buffer
    std::uint32_t index = 0;   // for an input: its element
    Node left = 0, right = 0;  // for a combination

    bool operator==(const Origin&) const = default;
};

// Only grows. A repeated run creates the same nodes in the same order and finds them here already;
// a run that takes another path adds its own.
class Lineage {
  public:
    Lineage() { nodes_.emplace_back(); }

    const Origin& operator[](Node node) const { return nodes_[node]; }
    std::size_t size() const { return nodes_.size(); }

    // `next`: where to look for the node first; returns where it is.
    Node input(Node next, std::uint32_t buffer, std::uint32_t index) {
        return add(next, {true, buffer, index, 0, 0});
    }
    Node combine(Node next, Node left, Node right) { return add(next, {false, 0, 0, left, right}); }

  private:
    Node add(Node next, const Origin& origin) {
        if (next < nodes_.size() && nodes_[next] == origin) return next;
        nodes_.push_back(origin);
        return static_cast<Node>(nodes_.size() - 1);
    }
    std::vector<Origin> nodes_;
};

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

// Tells which bytes of a block were written: one bit per byte.
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

// A print is what a kernel writes by printf.

struct Print {
    std::uint64_t time = 0;  // actions before it
    std::uint64_t item = 0;  // global id
    std::uint32_t launch = 0;
    std::uint32_t place = 0;  // in the code of its launch
    std::string text;
};

// A 128-bit digest: two different states collide with a probability of about 2^-128.
struct StateKey {
    std::uint64_t low = 0, high = 0;
    bool operator==(const StateKey&) const = default;
};

// Two streams of multiply and shift, as in the finishing step of SplitMix64 (Steele, Lea, Flood
// 2014), over one sequence of words.
class Digest {
  public:
    void add(std::uint64_t word) {
        low_ = mix(low_ ^ word, 0xbf58476d1ce4e5b9U) + 0x9e3779b97f4a7c15U;
        high_ = mix(high_ + word, 0x94d049bb133111ebU) ^ 0xd1342543de82ef95U;
    }
    void add(const std::byte* bytes, std::size_t count) {
        for (; count >= 8; bytes += 8, count -= 8) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes, 8);
            add(word);
        }
        if (count == 0) return;
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, count);
        add(word);
    }
    // Adds which of so many bytes were written.
    void add(const Written& written, std::size_t bytes) {
        add(reinterpret_cast<const std::byte*>(written.bits().data()), (bytes + 7) / 8);
    }
    StateKey key() const {
        return {mix(low_, 0x94d049bb133111ebU), mix(high_, 0xbf58476d1ce4e5b9U)};
    }

  private:
    static std::uint64_t mix(std::uint64_t word, std::uint64_t by) {
        word = (word ^ (word >> 30U)) * by;
        return word ^ (word >> 31U);
    }
    std::uint64_t low_ = 0x243f6a8885a308d3U, high_ = 0x13198a2e03707344U;
};

// Texts that a run prints; more are lost, as on devices, and the last one then says so.
inline constexpr std::size_t kMostPrints = 10'000;

// Keeps what was printed so far. Copies share all that they have in common, whichever goes on.
class Prints {
  public:
    Prints() = default;
    Prints(const Prints&) = default;
    Prints(Prints&&) noexcept = default;
    Prints& operator=(Prints other) noexcept { return last_.swap(other.last_), *this; }
    ~Prints();

    std::size_t size() const { return last_ ? last_->size : 0; }
    void add(Print print);
    std::vector<Print> all() const;  // in order
    // Stands for what each work-item printed, in its order. Who printed first is no part of a
    // result, so it is a sum over all texts, each with its number among those of its work-item.
    StateKey digest() const { return last_ ? last_->sum : StateKey(); }
    // The memory of those that `other` does not have, too, and of those that no copy has.
    std::uint64_t bytes_beyond(const Prints& other) const;
    std::uint64_t bytes_alone() const;

  private:
    struct Part {
        Print print;
        std::size_t size = 0;      // parts up to this one
        std::uint64_t number = 0;  // of those of its work-item, from 0
        StateKey sum;
        std::shared_ptr<Part> before;

        std::uint64_t bytes() const { return sizeof(Part) + print.text.capacity(); }
    };
    std::shared_ptr<Part> last_;
};

// `values`: all components, as registers hold them. `text_at`: what %s prints of a pointer.
std::string text_of(const lang::PrintFormat& format, const std::vector<std::uint64_t>& values,
                    const std::function<std::string(std::uint64_t)>& text_at);

}  // namespace lab::machine
