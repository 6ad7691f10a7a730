// What a recorded text wrote down in one launch, read back into accesses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lang/record/record.h"

namespace lab::lang {

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
