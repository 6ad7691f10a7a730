// if, loops and switch. Every loop has a bound that nothing in its body changes.
#include "expressions.h"
#include "statements.h"

namespace lab::differential {
namespace {

void inside(Context& context, unsigned depth) {
    block(context, 1 + static_cast<unsigned>(context.random.below(3)), depth - 1);
}

void branch(Context& context, unsigned depth) {
    open(context, "if (" + condition(context, 2) + ") {");
    inside(context, depth);
    if (context.random.percent(25)) {
        --context.indent;
        open(context, "} else if (" + condition(context, 1) + ") {");
        inside(context, depth);
    }
    if (context.random.percent(45)) {
        --context.indent;
        open(context, "} else {");
        inside(context, depth);
    }
    close(context);
}

// The body of a loop, which may leave it or skip the rest.
void loop_body(Context& context, unsigned depth) {
    ++context.loops;
    inside(context, depth);
    if (context.random.percent(30)) {
        const std::string jump = context.random.percent(50) ? "break;" : "continue;";
        line(context, "if (" + condition(context, 1) + ") " + jump);
        inside(context, depth);
    }
    --context.loops;
}

void counted(Context& context, unsigned depth) {
    const std::string counter = fresh(context, "i");
    const std::string bound = std::to_string(1 + context.random.below(5));
    switch (context.random.below(3)) {
        case 0:
            open(context, "for (int " + counter + " = 0; " + counter + " < " + bound + "; ++" +
                              counter + ") {");
            break;
        case 1:
            open(context, "for (int " + counter + " = " + bound + "; " + counter + " > 0; " +
                              counter + "--) {");
            break;
        default: {
            const std::string other = fresh(context, "j");
            open(context, "for (int " + counter + " = 0, " + other + " = " + bound + "; " +
                              counter + " < " + other + "; " + counter + " += 2, ++" + other +
                              ") {");
        }
    }
    context.small.push_back(counter);
    loop_body(context, depth);
    context.small.pop_back();
    close(context);
}

// The counter changes in the condition, so that no `continue` passes it by.
void conditional(Context& context, unsigned depth) {
    const std::string counter = fresh(context, "left");
    line(context, "int " + counter + " = " + std::to_string(1 + context.random.below(5)) + ";");
    const bool first = context.random.percent(50);
    const std::string more = context.random.percent(30) ? " && " + condition(context, 1) : "";
    open(context, first ? "while (" + counter + "-- > 0" + more + ") {" : "do {");
    context.small.push_back("(" + counter + " & 7)");
    loop_body(context, depth);
    context.small.pop_back();
    close(context, first ? "}" : "} while (--" + counter + " > 0" + more + ");");
}

void choice(Context& context, unsigned depth) {
    const unsigned cases = 2 + static_cast<unsigned>(context.random.below(3));
    const std::uint64_t without_default = context.random.percent(20) ? cases : 0;
    const std::uint64_t middle = context.random.below(cases);
    open(context, "switch (" + index(context, 1) + " & 3) {");
    for (unsigned i = 0; i < cases; ++i) {
        const bool otherwise = without_default == 0 && i == middle;
        open(context, otherwise ? "default: {" : "case " + std::to_string(i) + ": {");
        inside(context, depth);
        close(context);
        if (context.random.percent(65)) line(context, "    break;");
    }
    close(context);
}

}  // namespace

void control(Context& context, unsigned depth) {
    const std::uint64_t kind = context.random.below(10);
    // Loops within loops within loops take long.
    if (kind < 4 || context.loops >= 2) return branch(context, depth);
    if (kind < 6) return counted(context, depth);
    if (kind < 8) return conditional(context, depth);
    return choice(context, depth);
}

}  // namespace lab::differential
