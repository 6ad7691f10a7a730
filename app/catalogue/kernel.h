// A kernel: its text, and how a host launches it, as its header comment, a form or a guess has it.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/index_space.h"
#include "base/problem.h"
#include "catalogue/element.h"
#include "catalogue/expression.h"
#include "catalogue/job.h"
namespace lab::catalogue {

// A word or number that becomes a macro of the kernel. `on` is 1; `off` and `none` are 0; a number
// is itself; any other word is its position among the nonzero words, from 1.
struct Toggle {
    std::string name;
    std::vector<std::string> values;  // the first is the default
    bool has(std::string_view value) const;
    std::int64_t number_of(const std::string& value) const;  // throws Problem
};

// A kernel argument, as `args` of a header lists them.
struct ArgumentPlan {
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
    bool guessed = false;      // for a buffer: nobody told its length
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
inline constexpr std::array kPlanKinds{"once", "per-pass", "partials", "iterate"};  // by PlanKind

struct PassLoop {  // for PlanKind::per_pass: for (name = first; condition; name = next)
    std::string name;
    Expression first, condition, next;
};

struct Expectation {
    Expect kind = Expect::unknown;
    // Groups wait for each other, so it ends only if all of them run at once.
    bool co_resident = false;
    Expression when;   // for `races`: while this is not 0, else correct; empty: always
    std::string text;  // as the header has it
};

// The capabilities that a variant needs from a device beyond OpenCL C 1.2.
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

// The speed that a variant gains over another one, according to its header.
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

// A kernel of any file and its launch, as the window's form or the command line describes it.
struct LaunchForm {
    std::string file;  // for messages
    std::string text;
    std::string kernel;                // which one of the text; empty: the only one
    std::vector<std::string> defines;  // NAME or NAME=VALUE
    Extent global, local;
    // One for each parameter, in order:
    //   NAME:TYPE[COUNT]         an uninitialised buffer; TYPE may be a vector, as float4
    //   NAME:TYPE[COUNT]=FILL    ramp | random:SEED | bits:SEED | @FILE | 7,1,6 | one number
    //   NAME:local TYPE[COUNT]   local memory
    //   3 | 1,2,3,4 | NAME=3     a number, or the components of a vector or structure
    //   null                     no buffer
    std::vector<std::string> arguments;
    std::vector<std::string> folders = {};  // of what it includes, beside its own
    Extent offset = {};  // the first global id; of as many dimensions, or not given: from 0 on

    bool operator==(const LaunchForm&) const = default;
};
void to_json(nlohmann::json& json, const LaunchForm& form);
void from_json(const nlohmann::json& json, LaunchForm& form);

// How a host launches a kernel: for any n in groups of any size, as a header describes it; or once
// in sizes of its own, as a form does.
struct LaunchPlan {
    PlanKind kind = PlanKind::once;
    PassLoop pass;
    std::vector<ArgumentPlan> arguments;
    Expression group;  // default work-items per group; may be empty
    Expression global, local;
    std::string result;  // the buffer whose first element is the result
    Expression every;    // for a partial result: spacing of its parts, which make up the whole
    Expression rounds;   // for PlanKind::iterate
    std::string stuck;   // the buffer that is not 0 once a spin gave up; may be empty
    Expression depth;    // per launch: combinations on the longest way from element to result
    std::vector<Legal> legal;
    Expectation expect;
    // By kind of device: "cpu", "gpu", and "nvidia" where it differs from "gpu"; with the suffix
    // "-64" where it differs for 64-bit elements.
    std::map<std::string, LaunchShape, std::less<>> shapes;
    std::vector<std::string> tune;   // what is worth a search: "group", or toggles
    std::optional<LaunchForm> form;  // in place of all of these
};

struct Kernel {
    std::string id;  // the file's stem with - for _; of a form the file's name
    std::filesystem::path file;
    std::string text;   // the whole file
    std::string entry;  // which kernel of the text; empty: the only one
    LaunchPlan plan;
    // In the place of those that define T, COMBINE and so on; not set: these.
    std::optional<std::string> macros = {};

    // The texts of a header.
    std::string title, chapter, origin, teaches;
    int order = 0;  // within the chapter
    std::vector<Needed> needs;
    // The kernel that shows this one's idea going wrong, or its cure, where no toggle does; it may
    // be empty.
    std::string pair;
    std::map<std::string, std::string> pair_set;  // that kernel's toggles; none: defaults
    std::vector<Toggle> toggles;
    Gain gain;

    const Toggle* toggle(std::string_view name) const;
    bool by_form() const { return plan.form.has_value(); }
};

// The kernel that a form describes.
Kernel kernel_of(LaunchForm form);
// "my.cl", or with the name of the kernel if it was given: "my.cl: second".
std::string title_of(const LaunchForm& form);

// Throws Problem with where = `file`:line and the key that is wrong.
Kernel parse_kernel(const std::filesystem::path& file, std::string text);

struct Catalogue {
    std::vector<Kernel> variants;   // by chapter and order
    std::vector<Problem> problems;  // of files that could not be read as a variant

    const Kernel* known(std::string_view id) const;  // null: there is none
    const Kernel& find(std::string_view id) const;   // throws Problem with the ids there are
};

// The chapter of variants from outside the program's own folder.
inline constexpr const char* kOpenedChapter = "opened";

// True if a text's first comment is meant as a header: it names the entry.
bool has_header(std::string_view text);
// The variant of a file from elsewhere, with an id that no variant of the program has; opened again
// under the same name, a file keeps its id. Throws Problem as parse_kernel does.
Kernel parse_opened(const Catalogue& catalogue, const std::filesystem::path& file,
                    std::string text);
// Appends it, or replaces an earlier variant with the same id.
void add_opened(Catalogue& catalogue, Kernel variant);

Catalogue load_catalogue(const std::filesystem::path& folder);
Catalogue load_catalogue();  // of data_folder()/kernels

// The launch shape in which a kernel is fastest: a small table by kind of device in its header.

// The shape for these kinds of device, each overriding the one before it: {"gpu", "nvidia"}. What
// no line names stays unset.
LaunchShape launch_shape(const Kernel& variant, const std::vector<std::string>& kinds);

// `over` where it sets something, else `under`.
LaunchShape layered(LaunchShape under, const LaunchShape& over);

// "group=512 K=4"
std::string text_of(const LaunchShape& shape);

// The neighbours of `at` that a search may try for one of the variant's `tune`: every other value
// of a toggle; 1/8, 1/2, 2 and 8 times a group size, within 1 to `most` work-items.
std::vector<LaunchShape> neighbours(const Kernel& variant, const LaunchShape& shape,
                                    const std::string& name, std::uint64_t most);

// The predicted gain of each step of the ladder over the one before it, by counting: the keys
// `after`, `gain` and `why` of a header.

// A variant that improves on another, as plain data.
struct GainStep {
    std::string id;
    Gain gain;
};
std::vector<GainStep> gain_steps(const Catalogue& catalogue);  // in the catalogue's order

const GainStep* find_step(std::span<const GainStep> steps, std::string_view id);  // or nullptr

// The ids of all steps and of the variants that they improve on, depth first: each is followed by
// everything that comes after it.
std::vector<std::string> in_order(std::span<const GainStep> steps);

}  // namespace lab::catalogue
