// Proves a kernel free of data races for all sizes and data, or says what such a proof lacks: by
// two symbolic work-items in each interval between barriers, as GPUVerify does (Betts, Chong,
// Donaldson, Qadeer, Thomson: GPUVerify, a verifier for GPU kernels, OOPSLA 2012; the same authors
// and Ketema and Wickerson, TOPLAS 2015). Each interval has its accesses, as Faial's access memory
// protocols have (Cogumbreiro, Lange, Rong, Zicarelli, CAV 2021).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/simulate.h"

namespace lab::analysis {

struct Proof {
    enum class Verdict : std::uint8_t {
        proved,
        refuted,           // the simulator has the race, too
        not_of_that_kind,  // something of its text is beyond the method
        unknown,           // neither: the method, or the solver's effort, does not suffice
    } verdict = Verdict::unknown;
    std::vector<std::string> assumptions;  // of the proof, in words
    std::string why;                       // of what is not proved
    std::uint32_t line = 0, other = 0;     // of the text; 0: none. If refuted: of the race
    std::string run;                       // of `refuted`: options of `hazards`
};
inline constexpr std::array kProofVerdicts{"proved", "refuted", "not of that kind", "unknown"};
void to_json(nlohmann::json& json, const Proof& proof);

struct ProofOptions {
    // Bounds each question to the solver, in the solver's own count; some seconds.
    std::uint64_t effort = 5'000'000;
    // Questions to the solver; after more it is unknown whether a kernel races.
    std::uint64_t most_questions = 400;
    bool confirm = true;  // by the simulator; else nothing is refuted
    const std::atomic<bool>* cancel = nullptr;
};

// The kernel with the operator, type and toggles of the spec. By a header it is proved for all n
// and groups that it allows; of a form, for the sizes that it gives, and all others where it gives
// none. Throws Problem if the text does not compile, or the solver is not there.
Proof prove(const RunSpec& spec, const ProofOptions& options = {});

}  // namespace lab::analysis
