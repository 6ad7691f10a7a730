// The places of a walk through one work-item's instructions: those that are alike are one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace lab::analysis {

// A register that holds the same wherever it stands there, or points into the same object.
struct KnownRegister {
    std::uint32_t reg = 0;
    bool object_only = false;
    std::uint64_t bits = 0;

    bool operator==(const KnownRegister&) const = default;
};

struct Standing {
    std::uint32_t pc = 0;
    bool runs = true;                  // its bit of the execution mask
    std::vector<std::uint32_t> masks;  // slots with its bit that are still needed
    std::vector<KnownRegister> known;  // by register; those of no use for addresses are left out
    std::vector<std::uint32_t> cells;  // of ItemWalk::cells: what it may touch next
    std::vector<std::uint32_t> after;  // where it may stand after that
    bool ends = false;                 // it may come to its end before it stands anywhere else
    bool chose = false, chose_now = false;  // some condition was unknown; since the loop began
};

class WalkPlaces {
  public:
    explicit WalkPlaces(std::size_t instructions) : by_pc_(instructions) {}

    // The number of that place, new or known.
    std::uint32_t stand(Standing at);
    // One to go on from: it is new, or has taken in more than when it was gone on from last.
    std::optional<std::uint32_t> next();

    Standing& operator[](std::uint32_t number) { return places_[number]; }
    const Standing& operator[](std::uint32_t number) const { return places_[number]; }
    std::size_t size() const { return places_.size(); }
    std::vector<Standing> take() { return std::move(places_); }

  private:
    // Of one instruction, once something was unknown: then they are joined to one.
    static constexpr std::size_t kMostAlike = 48;

    std::uint32_t add(Standing at);
    void queue(std::uint32_t number);
    void note_choices(std::uint32_t number, const Standing& at);

    std::vector<Standing> places_;
    std::vector<std::vector<std::uint32_t>> by_pc_;
    std::vector<std::uint32_t> left_;  // to go on from
    std::vector<bool> queued_;         // by place: it is one of these
};

}  // namespace lab::analysis
