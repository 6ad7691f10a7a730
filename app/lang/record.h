// Instruments a kernel: every access to memory that several work-items see, and every barrier, also
// writes what it did to a buffer; and short waits come before them, so that rare orders come.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/compile.h"
namespace lab::lang {

// Where the text accesses memory, or waits. A vector's access has `count` elements.
struct Site {
    enum class Kind : std::uint8_t { load, store, atomic, barrier } kind = Kind::load;
    Space space = Space::global;
    Scalar type = Scalar::int_;
    std::uint8_t count = 1;
    Place place;  // in the original text, as the simulator's instructions have it
};

// An array whose accesses are recorded: a kernel parameter that points to global or local memory,
// or a local variable of the kernel.
struct Watched {
    std::string name;
    Space space = Space::global;
    bool is_parameter = false;
    std::size_t parameter = 0;  // of the kernel
    std::uint64_t bytes = 0;    // of a variable; a parameter's are known at launch only
    ArrayShape shape = {};
    std::uint64_t unit = 1;  // bytes of a cell
};

struct RecordOptions {
    bool record = true;
    bool delays = false;
    bool plain = false;  // nothing is added
};

struct RecordedText {
    Text text;  // complete: no macro is needed
    // For each of its lines, those of the kernel's text that it says again, ascending.
    std::vector<std::vector<std::uint32_t>> lines;
    // Where the kernel's text first calls what takes sub-groups, and functions of whole groups;
    // line 0: nowhere.
    Place sub_groups, collectives;
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
// The fields of an entry, whose number is its ticket:
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

// The kernel and its functions as OpenCL C, such as of a text in CUDA C++. Throws Problem for
// errors in the text, and for what OpenCL C 1.2 lacks, at its line.
RecordedText opencl_text(const Text& text, std::string_view kernel = {});

// Reads what a recorded text wrote down in one launch into accesses.

struct RecordedElement {
    std::uint64_t before = 0, after = 0;  // as registers hold values; a load: both its value
};

struct RecordedAccess {
    std::uint32_t begin = 0, end = 0;  // tickets: see trace_words
    std::uint32_t item = 0;            // its number in base/index_space.h
    std::uint32_t site = 0;            // in RecordedText::sites
    std::int32_t object = -1;          // in RecordedText::objects; -1: none of them
    std::uint64_t offset = 0;          // in bytes, of the first element
    std::uint32_t first = 0;           // of its elements
};

struct RecordedLaunch {
    std::uint32_t local = 1;               // work-items per group
    std::vector<RecordedAccess> accesses;  // by ticket
    std::vector<RecordedElement> elements;
};

// `words`: the trace buffer. `bytes`: of each object. Nothing of an access that did not fit.
RecordedLaunch read_trace(const RecordedText& text, std::span<const std::uint32_t> words,
                          std::span<const std::uint64_t> bytes, std::uint32_t local);

}  // namespace lab::lang
