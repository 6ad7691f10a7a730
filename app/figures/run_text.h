// Puts into words what a figure of a run shows: banks, the lattice, lineage.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analysis/lattice.h"
#include "analysis/lineage.h"
#include "analysis/memory_traffic.h"
#include "analysis/step_table.h"
#include "base/translations.h"
#include "figures/pass_text.h"
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
// Says what to see, in a sentence or two.
std::string bank_sentence(const analysis::RequestDetail& request, const Words& words,
                          const Translations& tr);

// The words of the lattice view: rows, cells pointed at, and the sentence under it.

// As the step view calls the rows.
std::vector<RowLabel> lattice_labels(const analysis::Lattice& lattice, const Translations& tr);

// A cell with its value, who wrote it and from where, and what went wrong there: one line each.
std::vector<std::string> lattice_cell_text(const analysis::Lattice& lattice, std::size_t row,
                                           std::uint64_t cell, const Translations& tr);
// Several neighbours that are too narrow to be distinguished.
std::vector<std::string> lattice_range_text(const analysis::Lattice& lattice, std::size_t row,
                                            std::uint64_t first, std::uint64_t last,
                                            const Translations& tr);

// Says what one sees in it: how the work shrinks from pass to pass, how far apart partners stand,
// what races did, and what came out.
std::string lattice_sentence(const analysis::Lattice& lattice, const Translations& tr);

// The sentences below a lineage tree: whether each input is in the result once, and where those
// that are not were lost.

// "once", "twice", "3 times".
std::string times_text(std::uint64_t times, const Translations& tr);
// Without what was left out of the picture: it tells of the whole trees.
std::string lineage_sentence(const analysis::LineageTree& tree, const Translations& tr);
// A sentence for each way in which inputs were lost, at most three.
std::vector<std::string> loss_sentences(const analysis::LineageTree& tree, const Translations& tr);

// Heads a figure of a run: whose run it is, of what size, on which machine.
struct RunSubject {
    std::string variant, title;  // id and English title; of a user kernel a name, or empty
    std::uint64_t n = 0;         // elements; 0: not known
    std::uint64_t items = 0;     // of the first launch
    std::uint64_t group = 0;     // work-items per group
    NDRange range;               // of the first launch, if it has several dimensions
    std::string op, type;        // "add", "int"; may be empty
    std::string settings;        // toggles that were set: "BARRIER=group"; may be empty
    analysis::MachineUsed machine;
    std::vector<std::string> varied;  // ids of its options that have several values
    std::string stopped;              // why the run did not come to its end; empty: it did
};

std::string title_of(const RunSubject& subject, const Translations& tr);
// "8x4" of a launch with several dimensions, else the number of work-items.
std::string sizes_text(const Coordinates& sizes, const NDRange& range, std::uint64_t items);
// "round robin", "as on your device".
std::string order_text(const std::string& order, const Translations& tr);
// "4 lanes per warp · groups at once: 2", without what is varied; and the whole with the order.
std::string shape_text(const machine::MachineShape& machine, const Translations& tr,
                       const std::vector<std::string>& varied = {});
std::string machine_text(const analysis::MachineUsed& machine, const Translations& tr);
// "n = 8 · groups of 4 · add · int · 4 lanes · 2 groups at once · round robin"
std::string subtitle_of(const RunSubject& subject, const Translations& tr);

}  // namespace lab::figures
