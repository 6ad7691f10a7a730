// Instruments a kernel: every access to memory that several work-items see, and every barrier, also
// writes what it did to a buffer; and short waits come before them, so that rare orders come.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lang/compile.h"
#include "lang/tree.h"
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
};

struct RecordOptions {
    bool record = true;
    bool delays = false;
    bool plain = false;  // nothing is added
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
Text opencl_text(const Text& text, std::string_view kernel = {});

// Writes a kernel as OpenCL C from its typed tree, with calls in the place of its accesses to
// memory that others see. Everything is evaluated in the simulator's order.

class Printer {
  public:
    Printer(const Compiled& compiled, const RecordOptions& options);
    RecordedText print();

  private:
    using E = Expression;

    [[noreturn]] void cannot(const Place& place, const std::string& why) const;

    // Names, which are the text's own where OpenCL C has no use for them.
    const std::string& name(const Variable& variable);
    const std::string& name(const FunctionDefinition& function);
    std::string unused_name(std::string_view wanted);
    void find_shared(const Statement& statement);

    // Types and constants.
    std::string declared(const Type& type, const std::string& name);
    std::string type_text(const Type& type) { return declared(type, ""); }
    const std::string& structure_name(const Type& type);
    std::string member_name(const Type& type, std::size_t index) const;
    std::string constant(const Type& type, std::uint64_t bits) const;
    std::string initializer(const E& list, const Type& type, std::uint64_t offset);

    // Expressions.
    std::string value(const E& expr);
    std::string operands(const E& expr);
    std::string lvalue(const E& expr);  // without its value being read
    std::string swizzle_name(const E& expr) const;
    std::string converted(const E& expr);
    std::string assign(const E& expr);
    std::string compound(const E& expr);
    std::string increment(const E& expr);
    std::string builtin(const E& expr);
    std::string call(const E& expr);

    // Accesses that are recorded.
    bool is_shared(const E& expr) const;  // an lvalue that others may see, and whose accesses count
    struct Cell {                         // of such an lvalue
        std::string address;              // evaluated once
        Space space = Space::global;
        const Type* type = nullptr;       // of what lies at the address
        std::vector<std::uint8_t> lanes;  // of a vector that lies there; empty: all of it
    };
    Cell cell(const E& expr);
    std::string load(const Cell& from, const Place& place);
    std::string store(const Cell& to, const std::string& value, const Place& place);
    std::string load_at(const std::string& address, Space space, const Type& type,
                        const Place& place);
    std::string store_at(const std::string& address, Space space, const Type& type,
                         const std::string& value, const Place& place);
    std::string lane_address(const std::string& pointer, const Cell& at, std::uint8_t lane);
    std::string vector_memory(const E& expr);
    std::string atomic(const E& expr);
    std::string atomic_action(const E& expr, const Type& type);
    std::string atomic_loop(const E& expr, const Type& type);
    std::string compare_exchange(const E& expr, const std::string& call);
    std::string barrier(const E& expr);
    std::size_t site(Site::Kind kind, Space space, const Type& type, const Place& place);
    std::string temporary(const std::string& declaration_of_type, const Type* type);
    std::string pointer_temporary(Space space, const Type& target);
    std::string state() const;       // what every helper is given
    std::string parameters() const;  // the same, declared
    std::string given_shared();      // what every function is given beside it
    std::string shared_parameters();
    std::string printed(const E& expr);

    // The helpers' own texts, each needed once.
    std::string helper(const std::string& name, const std::string& text);
    std::string notes(const Type& type, const std::string& before, const std::string& after) const;
    std::string begins(std::size_t elements) const;
    std::string ends() const;
    std::string prelude() const;

    // Statements.
    void statement(const Statement& statement, int depth);
    void block(const Statement& statement, int depth);
    std::string statements(const E& expr);
    void declare(const Variable& variable, int depth);
    void loop(const Statement& statement, int depth);
    void cases(const Statement& statement, int depth);
    void line(int depth, const std::string& text);
    std::string head(const FunctionDefinition& function);
    void function(const FunctionDefinition& function);
    void used_functions(const FunctionDefinition& function);
    std::string kernel_begin();
    std::string base(std::size_t object, const std::string& address) const;

    const Compiled& compiled_;
    const RecordOptions options_;
    const FunctionDefinition& kernel_;
    RecordedText made_;
    std::string body_, functions_, helpers_, structures_;
    std::vector<std::string> temporaries_;  // declarations at the start of a function
    std::size_t temporary_count_ = 0;
    std::set<std::string> helper_names_;
    std::map<const Type*, std::string> structure_names_;
    std::vector<const FunctionDefinition*> used_;
    const bool cuda_;
    const FunctionDefinition* function_ = nullptr;  // that is being written
    // CUDA's shared variables, which all functions may declare: the kernel does, for all of them.
    std::vector<const Variable*> shared_;
    std::map<const void*, std::string> names_;
    std::set<std::string, std::less<>> taken_;
};

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
