// A variant: one kernel file, its text and what its header comment says about it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/problem.h"
#include "catalogue/element.h"
#include "catalogue/expression.h"

namespace lab::catalogue {

// A word or number that becomes a macro of the kernel. `on` is 1; `off` and `none` are 0; a number
// is itself; any other word is its position among the nonzero words, from 1.
struct Toggle {
    std::string name;
    std::vector<std::string> values;                         // the first is the default
    std::int64_t number_of(const std::string& value) const;  // throws Problem
};

// A kernel argument, as `args` of a header lists them.
struct Argument {
    enum class Kind : std::uint8_t { buffer, local, scalar } kind = Kind::scalar;
    enum class Fill : std::uint8_t {
        none,      // a buffer that the kernel only writes
        input,     // the elements to reduce
        values,    // what the previous launch left (plan `partials`); the input at first
        identity,  // the operator's neutral element
        number,    // `value`
    };
    bool once = false;  // filled before the first run only: the kernel restores it
    std::string name;
    std::optional<Type> type;  // empty: T
    bool constant = false;     // for a buffer: the kernel only reads it
    Expression count;          // for a buffer or local array: its elements
    Fill fill = Fill::none;
    Expression value;  // for a scalar, or for each element of a buffer filled with a number
};

enum class PlanKind : std::uint8_t {
    once,      // one launch
    per_pass,  // a launch per pass, with a loop variable that the host counts
    partials,  // each launch turns n values into one per group, until one is left
    iterate,   // one launch of many rounds: every cell of a ring of ones becomes the combination of
               // itself and the two after it (document D), so that all are equal at the end
};

struct PassLoop {  // for PlanKind::per_pass: for (name = first; condition; name = next)
    std::string name;
    Expression first, condition, next;
};

enum class Expect : std::uint8_t { correct, partial, races };
const char* name_of(Expect expect);

struct Expectation {
    Expect kind = Expect::correct;
    // Groups wait for each other through volatile accesses: right if all run at once on a device
    // that keeps those in order, but formally a data race in OpenCL.
    bool co_resident = false;
    Expression when;   // for `races`: while this is not 0, else correct; empty: always
    std::string text;  // as the header has it
};

// What a variant needs from a device beyond OpenCL C 1.2.
enum class Need : std::uint8_t {
    sub_groups,
    group_collectives,
    atomics,  // compare-exchange as wide as T
    ptx,      // NVIDIA's instructions, as inline asm
};

struct Needed {
    Need need;
    Expression when;   // over the toggles: while not 0; empty: always
    std::string text;  // as the header has it
};

// The launch that suits a kind of device best, as given by a `shape` line of a header.
struct LaunchShape {
    std::uint64_t group = 0;                 // work-items per group; 0: not set
    std::map<std::string, std::string> set;  // toggles
};

// What a variant gains over another one, according to its header.
struct Gain {
    std::string after;  // the id of the variant that it improves on; empty: none
    // Predicted speed-up at large n, by counting, per kind of device: "cpu", "gpu".
    std::map<std::string, double, std::less<>> predicted;
    std::map<std::string, std::string> set;  // toggles of the form that is meant; none: defaults
    std::string why;
    std::string where;  // file:line of `after`
};

struct Legal {
    Expression condition;
    std::string text;  // as the header has it
};

struct Variant {
    std::string id;  // the file's stem with - for _
    std::filesystem::path file;
    std::string text;  // the whole file

    std::string title, chapter, origin, teaches, entry;
    int order = 0;  // within the chapter
    PlanKind plan = PlanKind::once;
    PassLoop pass;
    std::vector<Argument> arguments;
    Expression group;  // default work-items per group; may be empty
    Expression global, local;
    std::string result;  // the buffer whose first element is the result
    Expression every;    // for a partial result: spacing of its parts, which make up the whole
    Expression rounds;   // for PlanKind::iterate
    std::string stuck;   // the buffer that is not 0 once a spin gave up; may be empty
    Expression depth;    // per launch: combinations on the longest way from element to result
    std::vector<Legal> legal;
    std::vector<Needed> needs;
    Expectation expect;
    // The kernel that shows this one's idea going wrong, or its cure, where no toggle does; it may
    // be empty.
    std::string pair;
    std::map<std::string, std::string> pair_set;  // that kernel's toggles; none: defaults
    std::vector<Toggle> toggles;
    // By kind of device: "cpu", "gpu", and "nvidia" where it differs from "gpu"; with the suffix
    // "-64" where it differs for 64-bit elements.
    std::map<std::string, LaunchShape, std::less<>> shapes;
    std::vector<std::string> tune;  // what is worth a search: "group", or toggles
    Gain gain;

    const Toggle* toggle(std::string_view name) const;
};

// Throws Problem with where = `file`:line and the key that is wrong.
Variant parse_variant(const std::filesystem::path& file, std::string text);

struct Catalogue {
    std::vector<Variant> variants;  // by chapter and order
    std::vector<Problem> problems;  // of files that could not be read as a variant

    const Variant& find(std::string_view id) const;  // throws Problem with the ids there are
};

// The chapter of variants from outside the program's own folder.
inline constexpr const char* kOpenedChapter = "opened";

// Whether a text's first comment is meant as a header: it names the entry.
bool has_header(std::string_view text);
// The variant of a file from elsewhere, with an id that no variant of the program has; opened again
// under the same name, a file keeps its id. Throws Problem as parse_variant does.
Variant parse_opened(const Catalogue& catalogue, const std::filesystem::path& file,
                     std::string text);
// Appends it, or replaces an earlier variant with the same id.
void add_opened(Catalogue& catalogue, Variant variant);

Catalogue load_catalogue(const std::filesystem::path& folder);
Catalogue load_catalogue();  // of data_folder()/kernels

}  // namespace lab::catalogue
