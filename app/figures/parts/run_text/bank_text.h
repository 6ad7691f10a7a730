// Which lanes touch each word of a request, in which bank cycle, and the sentences about it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/lanes/memory_request.h"
#include "base/translations.h"

namespace lab::figures {

struct Word {
    std::vector<std::uint32_t> lanes;  // rising, each once
    std::vector<std::uint64_t> items;
    std::uint32_t turn = 1;  // for local memory: a bank serves one word per cycle
    std::uint32_t of = 1;    // words that the request needs from that bank
};
// Words of Config::bank_bytes, by their number from the start of the memory; of global memory of 4
// bytes, in sectors.
using Words = std::map<std::uint64_t, Word>;
inline constexpr std::uint32_t kGlobalWord = 4;
std::uint32_t word_bytes(const analysis::RequestDetail& request);
Words words_of(const analysis::RequestDetail& request);

// "5", "0–3", "0,8,16", "8×": as much as tells who it is in few characters.
std::string lanes_text(const Word& word);

// "4 turns where 1 would do", "8 sectors where 1 would do".
std::string cost_text(const analysis::RequestDetail& request, const Translations& tr);
// What to see, in a sentence or two.
std::string bank_sentence(const analysis::RequestDetail& request, const Words& words,
                          const Translations& tr);

}  // namespace lab::figures
