// Writes a kernel as OpenCL C from its typed tree, with calls in the place of its accesses to
// memory that others see. Everything is evaluated in the simulator's order.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lang/record/record.h"
#include "lang/tree/tree.h"

namespace lab::lang {

class Printer {
  public:
    Printer(const Compiled& compiled, const RecordOptions& options);
    RecordedText print();

  private:
    using E = Expression;

    [[noreturn]] void cannot(const Place& place, const std::string& why) const;

    // Types and constants.
    std::string declared(const Type& type, const std::string& name);
    std::string type_text(const Type& type) { return declared(type, ""); }
    const std::string& structure_name(const Type& type);
    std::string member_name(const Type& type, std::size_t index) const;
    std::string constant(const Type& type, std::uint64_t bits) const;
    std::string initializer(const E& list, const Type& type, std::uint64_t offset);

    // Expressions.
    std::string value(const E& expr);
    std::string operands(const E& expr, const char* separator = ", ");
    std::string lvalue(const E& expr);  // without its value being read
    std::string swizzle_name(const E& expr) const;
    std::string unary(const E& expr);
    std::string converted(const E& expr);
    std::string assign(const E& expr);
    std::string compound(const E& expr);
    std::string increment(const E& expr);
    std::string builtin(const E& expr);
    std::string call(const E& expr);

    // Accesses that are recorded.
    static bool is_shared(const E& expr);  // an lvalue that others may see
    struct Cell {                          // of such an lvalue
        std::string address;               // evaluated once
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
    std::string barrier(const E& expr);
    std::size_t site(Site::Kind kind, Space space, const Type& type, const Place& place);
    std::string temporary(const std::string& declaration_of_type, const Type* type);
    std::string pointer_temporary(Space space, const Type& target);
    std::string state() const;       // what every helper and function is given
    std::string parameters() const;  // the same, declared

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
    std::string kernel_begin() const;
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
};

}  // namespace lab::lang
