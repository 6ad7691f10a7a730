// Instruments a kernel: every access to memory that several work-items see, and every barrier, also
// writes what it did to a buffer; and short waits come before them, so that rare orders come.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lang/text/compile.h"
#include "lang/text/instrument.h"

namespace lab::lang {

// Where the text accesses memory, or waits. A vector's access has `count` elements.
struct Site {
    enum class Kind : std::uint8_t { load, store, atomic, barrier } kind = Kind::load;
    Space space = Space::global;
    Scalar type = Scalar::int_;
    std::uint8_t count = 1;
    Place place;  // in the original text, as the simulator's instructions have it
};

struct RecordOptions {
    bool record = true;
    bool delays = false;
};

struct RecordedText {
    Text text;  // complete: no macro is needed
    std::vector<Site> sites;
    // Memory whose address the kernel writes down: its pointers to global memory, then the group's
    // local memory.
    std::vector<Watched> objects;
    std::size_t globals = 0;     // how many of them are
    std::size_t parameters = 0;  // the kernel's own; two more follow them
};

// The words of the trace buffer. A ticket is the number of elements that were accessed before, by
// anyone. An access takes one for each of its elements, then acts, then looks how many are taken by
// now: so it came before every access with a ticket of `end` or more.
namespace trace_words {
inline constexpr std::uint32_t kTickets = 0;   // taken so far
inline constexpr std::uint32_t kCapacity = 1;  // entries; more are only counted
inline constexpr std::uint32_t kEntries = 3;   // where they begin
inline constexpr std::uint32_t kBases = 4;  // addresses, two words each: the global objects; then
                                            // for each group its local ones
// Of an entry, whose number is its ticket:
inline constexpr std::uint32_t kEnd = 0, kItem = 1, kSite = 2, kAddress = 3, kBefore = 5,
                               kAfter = 7, kEntry = 9;
}  // namespace trace_words

// The kernel and its functions, written anew from the syntax tree. Two arguments follow those of
// the kernel:
//
//   volatile global uint* lab_trace   as trace_words has it
//   uint lab_seed                     of the waits; another one for each run
//
// Throws Problem for errors in the text, or if it cannot be instrumented: sub-groups, collectives,
// and structures that are copied as a whole from or to memory that others see.
RecordedText recorded_text(const Text& text, std::string_view kernel = {},
                           const RecordOptions& options = {});

}  // namespace lab::lang
