// The recursive-descent parser, private to its own files; the entry point is parse.h.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/cuda.h"
#include "lang/source.h"
#include "lang/tree.h"
namespace lab::lang {

// For messages about a word that is not a type.
inline constexpr const char* kTypesThereAre =
    "Types are int, float4, size_t and the like, or a typedef before this line";

// A name in a scope stands for one of these; exactly one is set, or none after an error.
struct Symbol {
    Variable* variable = nullptr;
    const Type* type = nullptr;  // a typedef
    std::optional<std::int64_t> enumerator = {};
    const Type* of = nullptr;       // the enumerator's type; null: int
    const Type* dynamic = nullptr;  // a pointer to CUDA's shared memory whose size the launch gives
    bool broken = false;            // its declaration was wrong: uses of it are not reported
};

// Type specifiers and qualifiers, which stand before declarators.
struct Specifiers {
    const Type* type = nullptr;
    std::optional<Space> space;
    bool is_const = false, is_typedef = false, is_kernel = false;
    bool is_overloadable = false;
    bool is_extern = false, is_static = false, is_auto = false, is_restrict = false;
    bool is_size = false;  // size_t and the like
    std::vector<std::uint64_t> required_group;
    Place place;
};

// Holds what __attribute__ says of a structure or one of its members.
struct Layout {
    bool packed = false;
    std::uint64_t alignment = 0;  // 0: not given
};

struct Declarator {
    const Type* type = nullptr;  // null after an error
    std::string name = {};
    Place place = {};
    Space space = Space::private_;  // of the object itself
    bool is_const = false;          // the object itself
    bool is_function = false;
    bool any_space = false;  // a pointer whose address space its text leaves open
    bool is_reference = false;
    bool may_refer = false;  // const T&
    Layout layout = {};
};

// Sets a variable until the end of a block.
template <typename T>
class SetWithin {
  public:
    SetWithin(T& variable, T value)
        : variable_(variable), before_(std::exchange(variable, std::move(value))) {}
    ~SetWithin() { variable_ = std::move(before_); }
    SetWithin(const SetWithin&) = delete;
    SetWithin& operator=(const SetWithin&) = delete;

  private:
    T& variable_;
    T before_;
};

class Parser {
  public:
    // `host`: of a text in CUDA C++; null: it is OpenCL C.
    // `members`: where pointers in CUDA's structures point to.
    Parser(const std::vector<Token>& tokens, Tree& tree, Diagnostics& diagnostics,
           const HostCode* host, Space members);
    void program();
    bool assumes_members() const { return assumes_members_; }  // it has such pointers

  private:
    struct Recover {};  // thrown after a syntax error, caught by the statement or declaration
    struct Broken {};   // thrown after an error in a call
    using E = Expression;
    struct Call {
        Function known;
        std::string_view name;  // as the text has it
        std::vector<E*> given;
        Place place;
    };

    // Tokens.
    const Token& peek(std::size_t ahead = 0) const;
    const Token& next();
    bool at(std::string_view text, std::size_t ahead = 0) const { return peek(ahead).is(text); }
    bool accept(std::string_view text);
    Place expect(std::string_view text, std::string_view after);
    [[noreturn]] void syntax_error(std::string message, std::string hint = {});
    std::string found() const;  // "found 'x'", for messages
    void skip_statement(int open);
    void mark_broken(std::size_t from);
    void skip_declaration();
    void skip_balanced(std::string_view open, std::string_view close);

    // Scopes.
    Symbol* find(std::string_view name);
    void declare(const std::string& name, Symbol symbol, const Place& place);
    const Type* tag(std::string_view name) const;
    struct Scope {
        std::map<std::string, Symbol, std::less<>> names;
        std::map<std::string, const Type*, std::less<>> tags;
    };

    // Declarations.
    void external_declaration();
    bool at_type(std::size_t ahead = 0);
    bool at_type_word(std::string_view word);
    Specifiers specifiers();
    bool qualifier(Specifiers& specifiers);
    void attribute(Specifiers* specifiers, Layout* layout = nullptr);
    const Type* type_specifier(Specifiers& specifiers);
    const Type* structure_specifier();
    std::vector<std::size_t> structure_members(Type& type, const Type* base, bool overlaid,
                                               Layout layout);
    const Type* enum_specifier();
    static bool holds_pointer(const Type& type);
    void spread_argument(const Type& type, const std::string& name, std::uint64_t offset, E& list,
                         std::vector<Variable*>& variables);
    Declarator declarator(const Specifiers& base, bool name_needed);
    const Type* array_suffixes(const Type* element);
    const Type* type_name(bool* any_space = nullptr);
    void function(const Specifiers& base, const Declarator& declared);
    std::vector<Variable*> parameters(bool is_kernel);
    FunctionDefinition* declared_before(const std::string& name, bool is_overloadable,
                                        const std::vector<Variable*>& given);
    const FunctionDefinition* overload(const std::string& name, const std::vector<E*>& given);
    void check_kernel(const FunctionDefinition& definition, const Specifiers& base);

    // Pointers of open address space, which OpenCL C 2.0 calls generic: parse_generic.cpp.
    void warn_of_open(const Place& place, Space space);
    const Type* in_space_of(const Type* pointer, const E* given);
    void take_space(Variable& variable, const E* given);
    const FunctionDefinition* instance_for(const FunctionDefinition* function,
                                           std::vector<E*>& given);
    void read_again(std::size_t first_token, const Scope* bound, const Type* method_of = nullptr);
    Statement* body_of(FunctionDefinition& definition);
    Statement* body_once(FunctionDefinition& definition);
    E* space_call(const Call& call);
    void check_depth(const Type& type);
    Variable* make_variable(const Declarator& declared, const Specifiers& base);
    void initialize(Variable& variable);
    const E* initializer_value(const Type* type, E* given);
    E* folded(E* expr);
    void initializer_part(E& list, const Type* type, std::uint64_t offset, E* given);
    void initializer_list(E& list, const Type* type, std::uint64_t offset, bool braces, E* given);
    std::uint64_t designator(const Type& type);
    void file_scope_variable(const Specifiers& base, const Declarator& declared);
    void static_variable(const Specifiers& base, const Declarator& declared);
    void program_variable(Variable& variable, const Declarator& declared);
    void typedef_name(const Declarator& declared);

    // CUDA C++: parse_cuda.cpp.
    struct Template {
        struct Parameter {
            std::string name;
            const Type* type = nullptr;  // of a value; null: it is a type itself
            std::size_t usual = 0;       // the first token of its default; 0: none
        };
        std::string name;
        std::vector<Parameter> parameters;
        std::size_t first = 0;  // token of the function or structure
        bool is_kernel = false, is_structure = false;
    };
    struct Binding {
        const Type* type = nullptr;
        std::optional<std::uint64_t> value;
    };
    using Bindings = std::vector<Binding>;
    std::string_view word(std::string_view text) const;  // as OpenCL C has it
    const Type* named_type(std::string_view word);
    bool static_assertion();
    bool cuda_declaration();
    void refuse_left_out(const Token& token);
    bool skipped_attribute(Layout* layout = nullptr);
    void template_declaration();
    void explicit_instance();
    const Template* template_named(std::string_view name) const;
    Bindings template_arguments(const Template& from);
    bool deduce(const Template& from, const std::vector<E*>& given, Bindings& bound);
    bool complete(const Template& from, Bindings& bound);
    Scope scope_of(const Template& from, const Bindings& bound) const;
    static std::string instance_name(const Template& from, const Bindings& bound);
    const FunctionDefinition* template_instance(const Template& from, const Bindings& bound);
    const Type* structure_instance(const Template& from, const Bindings& bound, std::size_t first);
    void special_structure();
    void special_function();
    bool at_method() const;
    void method();
    static std::string method_name(const Type& of, std::string_view name);
    const Variable* object_of_method();
    E* member_of_this(std::string_view name, const Place& place);
    E* having(E* object, std::string_view method);
    E* based(E* object, const Type* type);
    E* object_of(E* expr, const Place& place);
    E* own_operator(std::string_view sign, std::vector<E*> given, const Place& place);
    E* converted_by_own(E* expr);
    void instantiate_kernels();
    const FunctionDefinition* cuda_overload(const std::string& name, const std::vector<E*>& given,
                                            Bindings bound, const FunctionDefinition* plain);
    void complete_arguments(const FunctionDefinition& function, std::vector<E*>& given);
    void auto_declaration(const Specifiers& base, Statement& statement);
    void name_constant(Variable& variable);
    const Type* dynamic_pointer(const Type* declared);
    E* dynamic_shared(const Type* pointer, const std::string& name, const Place& place);
    E* cuda_word(const Token& token);
    E* cast_word(const Token& token);
    E* numeric_limit(const Place& begin);
    E* made_by_type(const Place& place);
    E* index_word(const Token& token);
    E* cuda_call(Call& call);
    E* cuda_atomic(Call& call);
    E* named_lanes(const Call& call);
    E* assert_call(const Place& place);
    const Type* class_of_prelude(std::string_view name, const Place& place);
    const Type* class_instance(const Type& type);
    E* class_member(E* expr, const std::string& name, const Place& place);
    E* atomic_member(E* ref, std::string_view name, std::vector<E*> given, const Place& place);
    E* atomic_in(E* expr);
    E* referred(E* expr);
    E* referent(E* given, const Type* type);
    bool at_temporary() const;
    E* opencl_call(std::string_view name, std::vector<E*> given, const Place& place);

    // Statements.
    const Statement* statement();
    E* statement_expression();
    bool is_block_in_brackets() const;
    E* elsewhere(const Variable& variable, E* from);
    bool meet(E*& a, E*& b);
    const Statement* statement_inside();  // in a scope of its own
    Statement* block(bool own_scope);
    void block_item(Statement& result, Statement* of_switch = nullptr);
    void declaration(Statement& statement);
    const Statement* if_statement();
    const Statement* for_statement();
    void loop_body(Statement& loop);
    const Statement* while_statement();
    const Statement* do_statement();
    const Statement* switch_statement();
    bool case_label(Statement& statement);
    const Statement* return_statement();
    const Statement* jump(Statement::Kind kind, int depth, const char* where);
    Statement* make(Statement::Kind kind, const Place& place);

    // Expressions.
    E* expression();
    E* assignment();
    E* conditional();
    E* binary(int level);
    E* unary();
    E* cast_or_unary();
    E* postfix_of(E* expr);
    E* primary();
    E* number();
    E* character();
    E* identifier();
    E* compound_literal(const Type* type, const Place& place);
    E* vector_parts(const Type* type, const Place& place, std::string_view close);
    E* call(const std::string& name, const Place& place, E* object = nullptr);  // its member
    E* call_of(const std::string& name, Bindings bound, std::vector<E*> given, const Place& place,
               const Place& whole);
    E* member(E* expr, bool arrow);
    E* member_at(E* expr, std::size_t index, const Place& place);
    E* member_named(E* expr, std::string_view name, const Place& place);
    E* swizzle(E* expr, std::string_view name, const Place& place);
    E* index(E* expr);
    E* size_of();
    std::string variable_hint(std::string_view name) const;
    std::string function_hint(std::string_view name) const;
    std::vector<E*> arguments();
    E* condition(const char* of);
    std::optional<std::int64_t> constant_integer(const char* what);

    // Typing: each makes a node; after an error, which it reports, one without a type.
    E* make(E::Kind kind, const Type* type, const Place& place,
            std::vector<const E*> operands = {});
    E* broken(const Place& place);
    E* broken(const Place& place, std::string message, std::string hint = {});  // reports it
    E* not_of(const char* sign, const E* left, const E* right, const Place& place,
              std::string hint = {});  // an error: no operation of these
    E* constant(const Type* type, std::uint64_t bits, const Place& place);
    E* named(const Variable& variable, const Place& place);
    E* value(E* expr);  // arrays decay
    E* arithmetic(Operator how, E* left, E* right, const Place& place);
    E* pointer_arithmetic(Operator how, E* left, E* right, const Place& place);
    E* comparison(Operator how, E* left, E* right, const Place& place);
    E* logical(Operator how, E* left, E* right, const Place& place);
    E* shift(Operator how, E* left, E* right, const Place& place);
    E* binary_node(Operator how, E* left, E* right, const Place& place);
    E* unary_node(Operator how, E* expr, const Place& place);
    E* choose(E* condition, E* yes, E* no, const Place& place);
    E* assign(E* to, E* from, const Place& place);
    E* compound(Operator how, E* to, E* from, const Place& place);
    E* increment(E* expr, bool prefix, bool minus, const Place& place);
    E* dereference(E* expr, const Place& place);
    E* address(E* expr, const Place& place);
    E* offset(E* pointer, E* expr, bool minus, const Place& place);
    E* cast(E* expr, const Type* to, const Place& place);
    E* convert(E* expr, const Type* to, const char* doing);  // implicitly
    E* to_arithmetic(E* expr, const Type* to);               // scalar or vector, unchecked
    E* zero_of(const E& expr);
    E* truth(E* expr);  // 0 or 1 of a scalar or pointer
    E* widened(E* expr);
    static bool computes_wider(const Call& call);
    E* half_call(Call& call);
    E* promoted(E* expr);
    const Type* common(const Type* a, const Type* b);
    bool common_vectors(E*& left, E*& right, const Place& place, const char* doing);
    bool writable(const E* to, const char* doing);
    const Type* truth_type();
    const Type* mask_of(const Type* type);

    // Calls of built-in functions. After an error, which they report, they throw Broken.
    template <typename Make>
    E* typed(const Place& place, const Make& make) {
        try {
            return make();
        } catch (const Broken&) {
            return broken(place);
        }
    }
    E* builtin_call(Call& call);
    E* pure_call(Call& call);
    const Type* converted_to(std::string_view name);
    E* made_of_type(const Call& call);
    E* convert_call(const Call& call, std::string_view rest);
    E* where_call(Call& call);
    E* extreme_call(Call& call);
    E* any_or_all_call(Call& call);
    E* shuffle_call(Call& call);
    E* fence_call(Call& call);
    E* prefetch_call(Call& call);
    E* atomic_call(Call& call);
    E* vector_memory_call(Call& call);
    E* select_call(Call& call);
    E* collective_call(Call& call);
    E* two_results_call(Call& call);
    E* geometric_call(Call& call);
    E* copy_call(Call& call);
    E* wait_call(Call& call);
    E* ballot_call(Call& call);
    E* vec_step(const Place& place);
    void warn_of_length(const PrintPart& part, unsigned bytes, const E& given);
    E* print_call(const Place& place);
    std::string text_literal();
    E* text_constant();
    const E* text_list(Variable& variable);
    std::uint64_t memory_constant(const Call& call, std::size_t index, std::uint64_t end);
    void take_scope(Call& call, std::size_t index, MemoryScope usual);
    void take_order(Call& call, std::size_t arguments);
    void refuse_order(const Call& call, std::size_t first);
    void take_numbers(Call& call, std::size_t first, const Type* type);
    void take_integer(Call& call, std::size_t index, Scalar as, std::string_view takes);
    void take_count(const Call& call, std::size_t least, std::size_t most);
    const Type* alike(Call& call, std::size_t count);
    const Type* alike_floats(Call& call, std::size_t count);
    const Type* one_overload(Call& call, const std::vector<std::vector<Scalar>>& overloads);
    const Type* of_one_type(Call& call, bool floats);
    bool has_overloads(const Call& call, std::size_t count) const;
    E* made(const Call& call, const Type* type);
    [[noreturn]] void wrong_argument(const Call& call, const E* given, std::string_view takes);
    [[noreturn]] void refuse_unlike(const Call& call, const Type* one, const Type* other);
    [[noreturn]] void refuse(const Place& place, std::string message, std::string hint = {});

    void error(const Place& place, std::string message, std::string hint = {});

    // Counts the depth of recursion; a syntax error past what any program needs.
    class Deeper {
      public:
        explicit Deeper(Parser& parser);
        ~Deeper() { --parser_.depth_; }
        Deeper(const Deeper&) = delete;
        Deeper& operator=(const Deeper&) = delete;

      private:
        Parser& parser_;
    };

    const std::vector<Token>& tokens_;
    Tree& tree_;
    Types& types_;
    Diagnostics& diagnostics_;
    std::size_t at_ = 0;
    int depth_ = 0, loops_ = 0, breakable_ = 0;
    bool unclosed_ = false;           // a block that is never closed was reported
    bool within_expression_ = false;  // in a statement expression
    E* last_expression_ = nullptr;    // of the last statement that is one
    bool outermost_ = false;          // in a kernel: where local variables may be declared
    std::vector<Scope> scopes_;
    FunctionDefinition* function_ = nullptr;
    std::set<std::string, std::less<>> reported_;  // names reported as undeclared
    std::size_t declaration_start_ = 0;            // the first token of what is declared
    struct Instance {
        std::string name;
        std::vector<std::optional<Space>> spaces;       // of its arguments
        const FunctionDefinition** function = nullptr;  // where to name it; null: nowhere
        const Type** structure = nullptr;               // it is one, to be named there
        std::string origin = {};  // the function that it is, for other spaces; empty: itself
    };
    std::optional<Instance> instance_;  // what the next function is read as
    // Errors of functions that are right perhaps for other address spaces.
    std::map<const FunctionDefinition*, std::vector<Diagnostic>> withheld_;
    // Pointers whose space is left open, by the token behind their names; those that are given
    // addresses in local and in global memory.
    std::map<const Variable*, std::size_t> open_pointers_;
    std::set<std::size_t> mixed_;
    std::set<const FunctionDefinition*> instantiated_;  // of those that were read for other spaces
    // Those that return const T&, until their first return says whether that refers to memory.
    std::set<const FunctionDefinition*> may_refer_;
    // Static variables of functions, by the function's name and the token behind their own.
    std::map<std::pair<std::string, std::size_t>, Variable*> statics_;
    // For CUDA C++.
    Place called_at_ = {};  // the last call in one's own text
    const HostCode* host_;  // null: the text is OpenCL C
    Space members_;         // that pointers in structures point to
    bool assumes_members_ = false;
    std::vector<Variable*> spread_;  // arguments of the next kernel that are passed part by part
    bool reads_kernel_ = false;
    std::vector<Template> templates_;
    std::map<std::pair<std::size_t, std::string>, const FunctionDefinition*> instances_;
    std::map<std::pair<std::size_t, std::string>, const Type*> structures_;  // of templates
    std::map<const FunctionDefinition*, Scope> bound_;  // what their templates' parameters are
    std::map<const FunctionDefinition*, const Type*> methods_;  // the structure that each is of
    const Type* method_of_ = nullptr;                           // while one's head is read
    std::map<const Variable*, std::size_t> usual_;              // first tokens of default arguments
};

// True if a pointer to memory `from` may be one to memory `to`.
inline bool reaches(Space to, Space from) {
    return to == from || (to == Space::generic && (from == Space::local || from == Space::global));
}

// True of a structure whose members are not known, or not yet.
inline bool is_open(const Type& type) {
    return type.is_structure() && type.members.empty();
}

std::string not_known(const Type& open);  // for messages

// cuda::atomic<T, scope>: a T.
inline bool is_atomic_object(const Type& type) {
    return type.is_scalar() && type.class_name == "cuda::atomic";
}

// cuda::atomic_ref<T, scope>: a pointer to T.
inline bool is_atomic_ref(const Type& type) {
    return type.is_pointer() && !type.class_name.empty();
}

// How far a number is from a parameter's type: the same, promoted, or converted (C++ 12.2.4.2).
int conversion_rank(Scalar from, Scalar to);

// The value of an integer constant expression, as a register of its type holds it; empty if it is
// not one.
// `named`: names of const numbers may stand in it.
std::optional<std::uint64_t> constant_of(const Expression& expression, bool named = false);

// Parses tokens into a typed tree.

// The whole program, or what could be read if `diagnostics` has failed. Bounded for any tokens.
// `host`: of a text in CUDA C++; null: it is OpenCL C.
std::unique_ptr<Tree> parse(const std::vector<Token>& tokens, Diagnostics& diagnostics,
                            const HostCode* host = nullptr);

// How an operator is written.

const char* sign_of(Operator how);  // "+"; of a unary minus "-", too

}  // namespace lab::lang
