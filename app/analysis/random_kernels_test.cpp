// The search beside one that reduces nothing (support/plain_search.h), on random kernels: all
// results, faults and hangs, and whether each schedule that it found gives what it says.
//
// A thousand kernels by default; LAB_RANDOM_KERNELS=20000 for more, LAB_RANDOM_SEED=N begins at
// another one. Each is run with 1, 2, 3 and 4 lanes, as far as its groups have so many.
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "analysis/hazards.h"
#include "analysis/simulate.h"
#include "analysis/size_map.h"
#include "support/plain_search.h"

namespace lab::analysis {
namespace {

class RandomKernel {
  public:
    explicit RandomKernel(std::uint32_t seed) : random_(seed) {
        const std::pair<int, int> shapes[] = {{1, 2}, {2, 1}, {1, 3}, {3, 1}, {2, 2}, {1, 4},
                                              {1, 4}, {2, 2}, {1, 3}, {4, 1}};  // groups, items
        std::tie(groups_, items_) = shapes[any(10)];
        resident_ = static_cast<std::uint32_t>(any(3));
        write();
    }

    const std::string& text() const { return text_; }
    // The same in the words of CUDA C++, line by line; and the OpenCL C that says as much: CUDA's
    // barrier and fences order both memories. `grid`: at some barriers all groups wait.
    std::string in_cuda(bool grid = false) const;
    std::string as_strong() const;
    std::uint32_t items() const { return static_cast<std::uint32_t>(items_); }

    machine::Job job(std::uint32_t lanes) const { return job(lanes, text_); }
    machine::Job job(std::uint32_t lanes, const std::string& text) const {
        Example example;
        example.text = text;
        example.global = static_cast<std::uint64_t>(groups_ * items_);
        example.local = items();
        example.buffers = {x_, y_, {2, 0, 1, 1}};
        example.unwritten = 2;
        example.local_ints = {2};
        example.numbers = {most_};
        if (offset_ > 0) {
            example.range = NDRange(example.global, example.local);
            example.range->offset[0] = static_cast<std::uint64_t>(offset_);
        }
        machine::Job job = machine::job_of(example, lanes, resident_);
        job.budget = 20'000;
        if (text.starts_with("//! cuda"))  // what the launch gives shared memory comes last
            std::swap(job.launches[0].arguments[3], job.launches[0].arguments[4]);
        if (alias_) job.launches[0].arguments[2].buffer = 0;
        if (launches_ == 2) {
            job.launches.push_back(job.launches[0]);
            if (!alias_) job.launches[1].arguments[2].buffer = 0;  // what the first one wrote
        }
        return job;
    }
    std::string about(std::uint32_t lanes) const {
        return fmt::format(
            "{}{} groups of {}, {} at once, {} lanes, x {} {} {} {}, y {}, most {}, c "
            "is x: {}, {} launches",
            text_, groups_, items_, resident_, lanes, x_[0], x_[1], x_[2], x_[3],
            y_.empty() ? "?" : std::to_string(y_[0]), most_, alias_, launches_, offset_);
    }

  private:
    int any(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }
    bool chance(int percent) { return any(100) < percent; }

    // Something to read or write, and something to read only.
    std::string cell() {
        if (known_) {
            const std::string all[] = {"x[g]", "x[3 - g]", "x[0]",       "x[1]",
                                       "b[0]", "b[l & 1]", "x[c[1] & 3]"};
            return all[any(launches_ == 2 ? 7 : 6)];
        }
        switch (any(15)) {
            case 0:
            case 1:
                return "x[g]";
            case 2:
                return "x[3 - g]";
            case 3:
            case 4:
                return "x[0]";
            case 5:
                return fmt::format("x[{}]", any(4));
            case 6:
                return fmt::format("x[x[{}] & 3]", any(3));
            case 7:
                return "b[l & 1]";
            case 8:
            case 9:
                return fmt::format("b[{}]", any(2));
            case 10:
                return any(2) == 0 ? "x[b[0] & 1]" : fmt::format("x[c[{}] & 3]", any(2));
            case 11:
                return "y[g & 1]";
            case 12:
                return fmt::format("y[{}]", any(2));
            case 13:
                return variable_ ? "v" : "x[1]";
            default:
                return "x[1]";
        }
    }
    std::string value() {
        switch (any(8)) {
            case 0:
                return "g";
            case 1:
            case 2:
                return cell();
            case 3:
                return fmt::format("c[{}]", any(3));
            case 4:
            case 5:
                return fmt::format("{} * 2 + g + 1", cell());
            default:
                return std::to_string(any(3));
        }
    }
    std::string condition() {
        switch (any(5)) {
            case 0:
                return fmt::format("{} != {}", cell(), any(3));
            case 1:
                return fmt::format("{} < {}", cell(), any(3));
            case 2:
                return fmt::format("({} & 1) == {}", cell(), any(2));
            default:
                return fmt::format("{} == {}", cell(), any(3));
        }
    }
    std::string fence() {
        const char* const all[] = {"mem_fence(CLK_GLOBAL_MEM_FENCE);",
                                   "read_mem_fence(CLK_LOCAL_MEM_FENCE);",
                                   "write_mem_fence(CLK_GLOBAL_MEM_FENCE);"};
        return all[any(3)];
    }
    std::string barrier() {
        return any(2) == 0 ? "barrier(CLK_LOCAL_MEM_FENCE);" : "barrier(CLK_GLOBAL_MEM_FENCE);";
    }

    // A wait that may give up, in the ways that people write them.
    std::string bounded() {
        const std::string a = cell(), to = cell();
        const int c = any(3), d = any(3);
        const std::string most = any(4) == 0   ? fmt::format("{} + l", 2 + any(3))
                                 : any(5) == 0 ? std::string("most")
                                               : std::to_string(2 + any(5));
        switch (any(12)) {
            case 9:
                return fmt::format("t = 0; while ({} != {} && ++t < 4) {} = {};", a, c, to, d);
            case 10:
                return fmt::format(
                    "t = 0; while ({} != {}) {{ if ({} == {}) continue; if (++t == {}) return; "
                    "if (t > 9) break; }}",
                    a, c, to, d, most);
            case 11:
                return fmt::format("t = 0; while (x[g & 1] != {} && ++t < {});", c, most);
            case 0:
                return fmt::format("for (t = 0; {} != {} && t < {}; ++t);", a, c, most);
            case 1:
                return fmt::format("t = 0; while ({} != {} && ++t < {});", a, c, most);
            case 2:
                return fmt::format("t = 0; while ({} != {}) if (++t == 5) break;", a, c);
            case 3:
                return fmt::format("for (t = {}; {} != {} && t > 0; --t);", most, a, c);
            case 4:
                return fmt::format("for (t = 0; {} != {} && t < {}; ++t); if (t == {}) {} = {};", a,
                                   c, most, most, to, d);
            case 5:
                return fmt::format("for (t = 0; {} != {} && t < 3; ++t); {} = t;", a, c, to);
            case 6:
                return fmt::format("t = 0; while (atomic_add(&x[{}], 0) != {} && ++t < {});",
                                   any(2), c, most);
            case 7:
                return fmt::format(
                    "t = 0; while ({} != {}) {{ if (++t >= {}) {{ {} = {}; break; }} }}", a, c,
                    most, to, d);
            default:
                return fmt::format("t = 0; do {{ if ({} == {}) break; }} while (++t < {});", a, c,
                                   most);
        }
    }

    std::string atomic() {
        const std::string to = fmt::format("&x[{}]", any(2));
        switch (any(7)) {
            case 0:
                return fmt::format("atomic_xchg({}, {});", to, any(3));
            case 1:
                return fmt::format("x[2 + (g & 1)] = atomic_inc({});", to);
            case 2:
                return fmt::format("r = atomic_cmpxchg({}, {}, {}); if (r == 0) {} = 2;", to,
                                   any(2), any(3), cell());
            case 3:
                return fmt::format("if (atomic_add({}, 1) == {}) {} = {};", to, any(3), cell(),
                                   value());
            case 4:
                return fmt::format("r = atomic_or({}, 0); {} = r;", to, cell());
            case 5:
                return fmt::format(
                    "while (atomic_cmpxchg({}, 0, 1) != 0); {} = {}; {} "
                    "atomic_xchg({}, 0);",
                    to, cell(), value(), fence(), to);
            default:
                return fmt::format("atomic_max({}, {});", to, any(4));
        }
    }

    std::string fault() {
        switch (any(8)) {
            case 0:
                return fmt::format("r = 6 / {}; {} = r;", cell(), cell());
            case 1:
                return fmt::format("{} = 5 % (g - {});", cell(), any(3));
            case 2:
                return fmt::format("if ({}) x[99] = 1;", condition());
            case 3:
                return fmt::format("x[{} * 50] = 1;", cell());
            case 4:
                return fmt::format("if ({}) {}", condition(), barrier());
            case 5:
                return fmt::format("if (l == {}) {}", any(2), barrier());
            case 6:
                return fmt::format("{} = 1; r = 4 / ({} - 1); x[2] = r;", cell(), cell());
            default:
                return fmt::format("p[{} & 3] = 1;", cell());
        }
    }

    std::string statement() {
        if (known_) {
            const std::string a = cell(), b = cell();
            const std::string all[] = {fmt::format("{} = {};", a, value()),
                                       fmt::format("{} = {} * 2 + {} + g;", a, b, cell()),
                                       fmt::format("{} = {} + ({} == {});", a, b, cell(), any(3)),
                                       fmt::format("atomic_add(&x[{}], {});", any(2), 1 + any(3)),
                                       fmt::format("r = 6 / {}; {} = r;", a, b),
                                       fmt::format("if ({}) {} = {};", condition(), a, value())};
            return all[chance(15) ? 4 : chance(8) ? 5 : any(4)];
        }
        switch (any(27)) {
            case 26:  // where it stands, one way or the other, is one line
                return fmt::format("{{ int i = 0; if ({}) i = 1; x[i] = {}; }}", condition(),
                                   value());
            case 0:
            case 1:
            case 2:
                return fmt::format("{} = {};", cell(), value());
            case 3:
                return fmt::format("{} = {} * 2 + {} + g;", cell(), cell(), cell());
            case 4:
            case 5:
                return fmt::format("if ({}) {} = {};", condition(), cell(), value());
            case 6:
                return fmt::format("if ({}) {{ {} = {}; }} else {{ {} = 1; }}", condition(), cell(),
                                   value(), cell());
            case 7:
                return fmt::format(
                    "switch ({}) {{ case 0: {} = 1; break; case 1: {} = 2; default: "
                    "{} = 0; }}",
                    cell(), cell(), cell(), cell());
            case 8:
                return fmt::format("while ({});", condition());
            case 9:
                return fmt::format("do {{ {} = {}; }} while ({});", cell(), any(3), condition());
            case 10:
            case 11:
                return bounded();
            case 12:
            case 13:
                return atomic();
            case 14:
                return fmt::format("{} {} = {};", fence(), cell(), value());
            case 15:
                return any(3) == 0 ? std::string("return;")
                                   : fmt::format("if ({}) return;", condition());
            case 16:
                return fmt::format("{{ volatile global int* q = ({}) ? x : y; q[{}] = {}; }}",
                                   condition(), any(2), value());
            case 17:
                return fmt::format("((volatile global uchar*)x)[{}] = {};", any(8),
                                   any(2) == 0 ? "165" : "1");
            case 18:
                return any(2) == 0 ? fmt::format("if ({}) ((global uchar*)y)[{}] = 165;",
                                                 condition(), any(4))
                                   : fmt::format("((global uchar*)y)[{}] = g;", any(4));
            case 19:
                return fmt::format("((global int*)c)[{}] = {};", any(2), value());
            case 20:
                return fault();
            case 21:
                return fmt::format("printf(\"%d \", {});", any(2) == 0 ? cell() : "g");
            case 22:
                return fmt::format("add({}, {});", any(2) == 0 ? "x" : "x + 1", any(3));
            case 23:
                return fmt::format("p[l & 1] = {}; {} = p[{}];", value(), cell(), any(2));
            case 24:
                return fmt::format("for (int i = 0; i < 2; ++i) x[i] = {};", value());
            default:
                return fmt::format("{} = {} ? {} : {};", cell(), condition(), any(3), cell());
        }
    }

    // By whom: all, some, or some this and the others that.
    std::string part() {
        const int all = groups_ * items_;
        const std::string who =
            any(2) == 0 ? fmt::format("g == {}", any(all)) : fmt::format("l == {}", any(items_));
        if (!known_ && all > 1 && chance(12)) {  // one waits for another
            const int a = any(all), b = (a + 1 + any(all - 1)) % all;
            return fmt::format(
                "if (g == {}) {{ {} x[1] = 2; {} }} if (g == {}) {{ while (x[1] != 2); {} }}", a,
                statement(), all < 3 ? statement() : "", b, statement());
        }
        switch (all > 3 ? 1 + any(4) : any(6)) {
            case 0:
            case 5:
                return statement();
            case 1:
                return fmt::format("if ({}) {{ {} {} }}", who, statement(), statement());
            case 2:
            case 3:
                return fmt::format("if ({}) {{ {} }} else {{ {} }}", who, statement(), statement());
            default:
                return fmt::format("if ({}) {{ {} }}", who, statement());
        }
    }

    // Who ends by a write, while others may come to a barrier that it does not, and others look.
    std::string missed() {
        const int all = groups_ * items_, a = any(all), b = a - a % items_ + any(items_);
        const int c = (a + (chance(70) ? all / 2 : any(all))) % all;
        const std::string end = any(2) == 0 ? "return;" : "";
        std::string text = fmt::format("if (g == {}) {{ {} x[1] = 1; {} }}\n", a,
                                       any(2) == 0 ? statement() : "", end);
        text += any(3) == 0 ? fmt::format("if (x[3] == {}) {}\n", any(2), barrier())
                            : fmt::format("if (g == {}) {}\n", b, barrier());
        return text + fmt::format("if (g == {}) {{ if (x[1] == 1) x[{}] = 1; {} }}\n", c,
                                  any(3) == 0 ? 2 : 99, any(2) == 0 ? statement() : "");
    }

    // Each for a rule that the others rarely meet, all of which are to be found in
    // bench/mutations.txt. `a` and `b` are two work-items, `b` of another group if there is one.
    std::string for_one_rule() {
        const int all = groups_ * items_, a = any(all), b = (a + all / 2) % all;
        switch (any(groups_ > 1 ? 12 : 7)) {
            case 0:
            case 1:
            case 2: {  // what has been, and is no more
                x_[1] = 0;
                const std::string seen[] = {
                    fmt::format("if (x[1] == 1) ((volatile global uchar*)y)[{}] = 165;", any(8)),
                    fmt::format("r = x[1]; if (l == {}) {{ x[3] = 5; }} x[2] = r;", any(items_)),
                    "if (x[1] == 1) printf(\"seen \");",
                    "for (t = 0; x[1] != 1 && t < most; ++t); if (t == most) x[2] = 7;"};
                if (chance(70)) y_.clear();
                return fmt::format("if (g == {}) {{ x[1] = 1; x[1] = 0; }} else {{ {} }}\n", a,
                                   seen[any(4)]);
            }
            case 3:  // who goes round and meets nobody
                return fmt::format(
                    "if (g == {}) {{ while ({}); }}\nif (g == {}) {{ {} x[{}] = 1; }}\n", a,
                    any(2) == 0 ? "c[1] == 0" : "x[3] != 7", b, statement(), any(2) * 97 + 2);
            case 4:  // each store counts, also of the same value
                x_[1] = 0;
                return fmt::format(
                    "if (g == {}) {{ t = 0; while (x[0] != 3 && ++t < 4) x[1] = 0; }}\n"
                    "if (g == {}) {{ x[1] = 1; r = x[1]; x[1] = 1; x[2] = r * 2 + x[1]; }}\n",
                    a, b);
            case 5:  // lanes that go round a loop together, some of them a shorter way
            case 6:  // … and for a while only
                groups_ = 1;
                items_ = 3;
                x_ = {0, 0, 0, 0};
                if (any(2) == 0)
                    return fmt::format(
                        "if (l < 2) {{\n"
                        "for (;;) {{ if (l == 1 && x[3] == 0) {{ r = 1; continue; }}\n"
                        "if (x[2] == 1) break; if (++t == {}) {{ x[0] = 5; break; }} }}\n"
                        "if (l == 1) x[1] = t * 2 + r;\n"
                        "}} else {{ x[3] = 1; {} x[2] = 1; }}\n",
                        5 + any(3), any(2) == 0 ? "x[0] = 3;" : "");
                return fmt::format(
                    "if (l < 2) {{\n"
                    "while (x[l] != 2) {{ if (l == 1) continue; if (x[2] == 1) break;\n"
                    "if (t == 1) x[3] = 3; if (++t == {}) {{ x[3] = 5; break; }} }}\n"
                    "}} else {{ while (x[3] == 0); x[1] = 2; x[1] = 0; x[0] = 2; }}\n",
                    5 + any(3));
            case 7:  // what ends the launch before another group comes to its own fault
                return fmt::format("{}{}\nr = 4 / (g - {});\nif (g == {}) x[99] = 1;\n",
                                   any(2) == 0 ? fmt::format("if (l == {}) ", any(items_)) : "",
                                   barrier(), any(2) == 0 ? a : 9, b);
            case 8:  // who ends by a write, before another comes to the barrier or after
                if (items_ == 1) items_ = 2;
                resident_ = 0;
                x_[1] = 0;
                return fmt::format(
                    "if (g == 0) {{ {} x[1] = 1; {} }}\nif (g == 1) {}\n"
                    "if (g == {}) {{ if (x[1] == 1) x[99] = 1; {} }}\n",
                    any(4) == 0 ? statement() : "", any(2) == 0 ? "return;" : "", barrier(),
                    items_ + any((groups_ - 1) * items_), any(2) == 0 ? statement() : "");
            case 9:  // who waits at a barrier while another group meets what comes after it
                if (items_ == 1) items_ = 2;
                resident_ = 0;
                if (any(2) == 0) {  // … and neither depends on data
                    const int group = any(2);
                    return fmt::format(
                        "if (g == {0}) {1};\nif (g == {2}) x[1] = 1;\n"
                        "if (g == {3}) x[1] = x[1] + {4};\n{5}\nif (g == {6}) x[0] = 5;\n",
                        group * items_, any(2) == 0 ? "x[0] = x[0] * 2 + 1" : "x[2] = x[0]",
                        group * items_ + 1, (1 - group) * items_, 1 + any(3), barrier(),
                        (1 - group) * items_ + 1);
                }
                return fmt::format(
                    "if (g == {}) {} = {};\n{}\nif (g == {}) x[0] = {} + 3;\n"
                    "if (g == {}) x[2] = x[0];\n",
                    any(2), any(2) == 0 ? "x[3]" : "b[0]", value(), barrier(), any(2), any(2) * 4,
                    items_ + any(items_));
            case 10: {  // a group that begins is a fault, and another one may see who made room
                groups_ = 4;
                items_ = 1;
                resident_ = 2;
                x_ = {0, any(2), 0, 0};
                const int sees = 1 + any(2), other = any(2);
                if (any(2) == 0)  // … or somebody who ends by what nobody sees
                    return fmt::format(
                        "r = 4 / (3 - (int)get_group_id(0));\nif (g == {}) x[{}] = 1;\n"
                        "if (g == {}) x[1] = 2;\n"
                        "if (g == 2) {{ r = 6 / (x[1] - 2); x[2] = r; }}\n",
                        other, any(2) * 3, 1 - other);
                return fmt::format(
                    "r = 4 / (3 - (int)get_group_id(0));\nif (g == 0) x[0] = 1;\n"
                    "if (g == {}) x[1] = 2;\n"
                    "if (g == {}) {{ {} if (x[0]{}) x[99] = 1; x[2] = r; }}\n",
                    3 - sees, sees, any(3) == 0 ? statement() : "",
                    any(2) == 0 ? " == 1" : " + x[1] > 1");
            }
            default: {  // groups that begin later
                resident_ = 2;
                std::string text;
                for (int item = 0; item < all; ++item)
                    text += fmt::format("if (g == {}) {{ {} = {}; {} }}\n", item, cell(), value(),
                                        any(3) == 0 ? statement() : "");
                return text;
            }
        }
    }

    // Between two barriers the items of a group go ways of their own, of which some meet at a cell,
    // and all do behind the second one.
    std::string parted() {
        const std::string at = any(2) == 0 ? "b[0]" : fmt::format("x[{}]", any(2));
        const std::string meet[] = {
            fmt::format("r = {}; {} = r + 1;", at, at), fmt::format("r = atomic_xchg(&{}, 1);", at),
            fmt::format("if ({}) {} = 7;", condition(), at), fmt::format("{} = {};", at, value())};
        std::string text = barrier() + "\n";
        for (int item = 0; item < items_; ++item)
            text += fmt::format("if (l == {}) {{ {} {} }}\n", item, any(3) == 0 ? "" : meet[any(4)],
                                any(3) == 0   ? statement()
                                : any(2) == 0 ? "x[3] = 1; x[3] = l;"
                                              : "");
        return text + fmt::format("{}\n{} = {};\nif (l == {}) x[2] = r;\n", barrier(), at, value(),
                                  any(items_));
    }

    void write() {
        x_ = {any(3), any(2), any(3), any(2)};
        if (chance(55)) y_ = {any(3), any(2)};
        known_ = chance(20);
        most_ = 2 + any(4);
        alias_ = chance(15);
        variable_ = chance(15);
        launches_ = chance(known_ ? 25 : 8) ? 2 : 1;
        offset_ = chance(groups_ > 2 ? 50 : 20) ? 1 + any(2) : 0;
        if (variable_) text_ += "global int v = 1;\n";
        text_ +=
            "void add(volatile global int* to, int n) { *to = *to + n; }\n"
            "kernel void k(volatile global int* x, volatile global int* y, const global int* c,\n"
            "              volatile local int* b, int most) {\n"
            "const int g = get_global_id(0) - get_global_offset(0), l = get_local_id(0);\n"
            "int t = 0, r = 0; int p[2];\n";
        if (chance(6)) text_ += fmt::format("r = 4 / ({} - (int)get_group_id(0));\n", any(4));
        if (known_) text_ += "if (l == 0) { b[0] = 1; b[1] = 2; }\n" + barrier() + "\n";
        if (chance(60)) text_ += "b[l & 1] = l;\n";
        if (chance(30)) text_ += "p[0] = g; p[1] = 1;\n";
        if (groups_ > 3 && chance(60)) {
            resident_ = 2;
            text_ += "r = 4 / (3 - (int)get_group_id(0));\n" + part() +
                     fmt::format("\nif (g == {}) {{ {} x[99] = 1; }}\n}}\n", any(3), part());
            return;
        }
        if (!known_ && chance(25)) {
            text_ += for_one_rule() + "}\n";
            return;
        }
        if (!known_ && items_ > 2 && chance(50)) {
            text_ += parted() + "}\n";
            return;
        }
        if (!known_ && groups_ * items_ > 2 && chance(groups_ > 1 && items_ > 1 ? 40 : 10)) {
            text_ += missed() + "}\n";
            return;
        }
        if (chance(items_ > 1 ? 60 : 15)) text_ += barrier() + "\n";
        const int parts = 2 + any(groups_ * items_ > 3 ? 2 : 3);
        for (int i = 0; i < parts; ++i) {
            const int kind = known_ ? 3 + any(17) : any(20);
            if (i > 0 && items_ > 1 && kind < 12)
                text_ += kind == 0   ? fmt::format("if ({}) {}\n", condition(), barrier())
                         : kind == 1 ? fmt::format("for (int i = 0; i < 2; ++i) {{ {} {} }}\n",
                                                   part(), barrier())
                         : kind == 2 ? fmt::format("if ({}) return;\n", condition())
                                     : barrier() + "\n";
            text_ += part() + "\n";
        }
        text_ += "}\n";
    }

    std::mt19937 random_;
    int groups_ = 1, items_ = 1, most_ = 2, launches_ = 1, offset_ = 0;
    std::uint32_t resident_ = 0;
    bool alias_ = false, variable_ = false;
    bool known_ = false;  // which cells are touched does not depend on data
    std::vector<std::int32_t> x_, y_;
    std::string text_;
};

std::uint32_t number_in(const char* variable, std::uint32_t usual) {
    const char* asked = std::getenv(variable);
    return asked != nullptr ? static_cast<std::uint32_t>(std::atoi(asked)) : usual;
}

using Words = std::vector<std::pair<std::string, std::string>>;

std::string with_words(std::string text, const Words& words) {
    for (const auto& [from, to] : words)
        for (std::size_t at = text.find(from); at != std::string::npos;
             at = text.find(from, at + to.size()))
            text.replace(at, from.size(), to);
    return text;
}

std::string RandomKernel::as_strong() const {
    const std::string fence =
        "atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, "
        "memory_scope_device)";
    return "\n" + with_words(text_, {{"write_mem_fence(CLK_GLOBAL_MEM_FENCE)", fence},
                                     {"read_mem_fence(CLK_LOCAL_MEM_FENCE)", fence},
                                     {" mem_fence(CLK_GLOBAL_MEM_FENCE)", " " + fence},
                                     {"barrier(CLK_LOCAL_MEM_FENCE)", "barrier(3)"},
                                     {"barrier(CLK_GLOBAL_MEM_FENCE)", "barrier(3)"}});
}

std::string RandomKernel::in_cuda(bool grid) const {
    std::string text = with_words(
        text_,
        {{"write_mem_fence(CLK_GLOBAL_MEM_FENCE)", "__threadfence()"},
         {"read_mem_fence(CLK_LOCAL_MEM_FENCE)", "__threadfence()"},
         {"mem_fence(CLK_GLOBAL_MEM_FENCE)", "__threadfence()"},
         {"barrier(CLK_LOCAL_MEM_FENCE)", "__syncthreads()"},
         {"barrier(CLK_GLOBAL_MEM_FENCE)",
          grid ? "cooperative_groups::this_grid().sync()" : "__syncthreads()"},
         {"get_global_id(0) - get_global_offset(0)", "blockIdx.x * blockDim.x + threadIdx.x"},
         {"get_local_id(0)", "threadIdx.x"},
         {"get_group_id(0)", "blockIdx.x"},
         {"atomic_add(", "atomicAdd("},
         {"atomic_xchg(", "atomicExch("},
         {"atomic_cmpxchg(", "atomicCAS("},
         {"atomic_or(", "atomicOr("},
         {"atomic_max(", "atomicMax("},
         {"global int v = 1;", "__device__ int v = 1;"},
         {"void add(", "__device__ void add("},
         {"kernel void k(", "__global__ void k("},
         {"volatile local int* b, int most) {", "int most) { extern __shared__ volatile int b[];"},
         {"global uchar*", "unsigned char*"},
         {"global int*", "int*"}});
    // The generator's only call without an operand.
    for (std::size_t at = text.find("atomic_inc("); at != std::string::npos;
         at = text.find("atomic_inc(")) {
        text.replace(at, 11, "atomicAdd(");
        text.insert(text.find(')', at), ", 1");
    }
    return "//! cuda\n" + text;
}

// What a run did, and how it ended.
std::string account_of(const machine::Job& job, std::uint32_t seed) {
    const machine::Run run(job, machine::parse_order(fmt::format("random:{}", seed)));
    std::string account;
    // A hang is long, and instructions, by which it is told, are others.
    const std::uint64_t most = std::min<std::uint64_t>(run.trace().size(), 300);
    for (std::uint64_t time = 0; time < most; ++time) {
        const machine::Action& action = run.trace().action(time);
        account += fmt::format("{} {} {} {} {:x}", time, static_cast<int>(action.kind),
                               action.group, action.warp, action.mask);
        for (const machine::Access& each : run.trace().accesses(action))
            account += fmt::format(" {}:{}>{}", each.index, each.before, each.after);
        account += fmt::format(
            " line {}\n", run.machine().context(action.launch).code->places[action.place].line);
    }
    if (run.fault() && most < 300)
        account += fmt::format("{} line {}", run.fault()->what, run.fault()->place.line);
    return account;
}

TEST(RandomKernels, AreTheSameInCuda) {
    const std::uint32_t count = number_in("LAB_RANDOM_KERNELS", kSanitized ? 60 : 400);
    int compared = 0, ended = 0;
    for (std::uint32_t i = 1; i <= count; ++i) {
        const RandomKernel kernel(i);
        for (const std::uint32_t lanes : {1U, kernel.items()}) {
            const std::string there = account_of(kernel.job(lanes, kernel.as_strong()), i);
            const std::string here = account_of(kernel.job(lanes, kernel.in_cuda()), i);
            // Who has ended need not come to a barrier of CUDA.
            if (there.find("Not all work-items") != std::string::npos && here != there) {
                ++ended;
                continue;
            }
            ++compared;
            ASSERT_EQ(here, there) << i << '\n' << kernel.in_cuda();
        }
    }
    EXPECT_GT(compared, static_cast<int>(count));
    EXPECT_GT(ended, 0);
}

// The search knows that the end of a work-item may open a barrier.
TEST(RandomKernels, OfCudaGiveWhatAPlainSearchFinds) {
    const std::uint32_t count = number_in("LAB_RANDOM_KERNELS", kSanitized ? 50 : 400);
    Seen seen;
    for (std::uint32_t i = 1; i <= count; ++i) {
        const RandomKernel kernel(i);
        for (std::uint32_t lanes = 1; lanes <= kernel.items(); lanes += 2)
            expect_as_plain(kernel.job(lanes, kernel.in_cuda()),
                            fmt::format("kernel {}: {}", i, kernel.in_cuda()), seen, 6000,
                            {Reduction::stubborn});
    }
    EXPECT_GT(seen.kernels, static_cast<int>(count / 2));
}

// Where all groups wait for each other, somewhere in the text, and not always all of them.
TEST(RandomKernels, OfGridsGiveWhatAPlainSearchFinds) {
    const std::uint32_t count = number_in("LAB_RANDOM_KERNELS", kSanitized ? 50 : 400);
    const std::uint32_t first = number_in("LAB_RANDOM_SEED", 1);
    Seen seen;
    for (std::uint32_t i = first; i < first + count; ++i) {
        const RandomKernel kernel(i);
        for (std::uint32_t lanes = 1; lanes <= kernel.items(); lanes += 2) {
            machine::Job job = kernel.job(lanes, kernel.in_cuda(true));
            job.config.resident = 0;
            expect_as_plain(std::move(job), fmt::format("kernel {}: {}", i, kernel.in_cuda(true)),
                            seen, 6000, {Reduction::stubborn, Reduction::independent});
        }
    }
    EXPECT_GT(seen.kernels, static_cast<int>(count / 2));
}

TEST(RandomKernels, GiveWhatAPlainSearchFinds) {
    constexpr std::size_t kMostStates = 6000;
    const std::uint32_t count = number_in("LAB_RANDOM_KERNELS", kSanitized ? 100 : 1000);
    const std::uint32_t first = number_in("LAB_RANDOM_SEED", 1);
    Seen seen;
    int runs = 0, wrong = 0;
    for (std::uint32_t i = first; i < first + count; ++i) {
        const RandomKernel kernel(i);
        for (std::uint32_t lanes = 1; lanes <= kernel.items(); ++lanes) {
            ++runs;
            const testing::TestResult& result =
                *testing::UnitTest::GetInstance()->current_test_info()->result();
            const int before = result.total_part_count();
            expect_as_plain(
                kernel.job(lanes), fmt::format("kernel {}: {}", i, kernel.about(lanes)), seen,
                kMostStates,
                i % 8 == 0 ? std::initializer_list<Reduction>{Reduction::none, Reduction::stubborn}
                           : std::initializer_list<Reduction>{Reduction::stubborn});
            wrong += result.total_part_count() > before ? 1 : 0;
        }
    }
    fmt::print(
        "{} kernels, {} runs, {} compared, {} differ; {} with several results, {} faults, {} "
        "hangs, {} rounds, {} skips; {} states of {}\n",
        count, runs, seen.kernels, wrong, seen.several, seen.faults, seen.hangs, seen.rounds,
        seen.skips, seen.states, seen.all_states);
    // So that it stays as nasty as it is.
    EXPECT_GT(seen.kernels, runs * 8 / 10);
    EXPECT_GT(seen.several, runs / 5);
    EXPECT_GT(seen.faults, runs / 10);
    EXPECT_GT(seen.hangs, runs / 50);
    EXPECT_GT(seen.rounds, runs / 100);
    EXPECT_GT(seen.skips, runs / 100);
}

// In the first, the shortest way to a state from which nothing ends leads elsewhere, since what is
// done at once on it is not what was done on the way by which the search had come there.
TEST(RandomKernels, ThatOnceDifferedGiveWhatAPlainSearchFinds) {
    for (const std::uint32_t seed : {11'043'699U, 42'012'646U}) {
        const RandomKernel kernel(seed);
        Seen seen;
        for (std::uint32_t lanes = 1; lanes <= kernel.items(); ++lanes)
            expect_as_plain(kernel.job(lanes),
                            fmt::format("kernel {}: {}", seed, kernel.about(lanes)), seen, 6000,
                            {Reduction::stubborn});
        EXPECT_GT(seen.hangs, 0);
    }
}

// A search that a bound stops early claims nothing that the whole one does not find: no result
// more, and none as the only one. Where it has none, it says nothing of races and independent
// items.
TEST(RandomKernels, StoppedEarlyClaimNothingWrong) {
    const std::uint32_t count = number_in("LAB_RANDOM_KERNELS", kSanitized ? 60 : 400);
    int stopped = 0, empty = 0, same = 0;
    for (std::uint32_t i = 1; i <= count; ++i) {
        const RandomKernel kernel(i);
        machine::Job job = kernel.job(1);
        job.config.resident = 0;  // as independent items have it
        OutcomesOptions options;
        options.shortest = false;
        const Outcomes all = outcomes_of(job, ending_of(job), options);
        if (!all.complete) continue;
        std::set<std::string> known;
        for (const PossibleResult& each : all.results)
            known.insert(each.ending.result);
        options.samples = i % 3;
        options.most_effort = 1 + i * 37 % 3000;
        if (i % 2 == 0) options.most_states = 1 + i % 50;
        const Outcomes early = judged_outcomes(job, options);
        std::set<std::string> found;
        for (const PossibleResult& each : early.results)
            found.insert(each.ending.result);
        EXPECT_TRUE(std::includes(known.begin(), known.end(), found.begin(), found.end()))
            << i << kernel.about(1);
        EXPECT_TRUE(!early.complete || found == known) << i << kernel.about(1);
        EXPECT_FALSE(early.is_one() && known.size() > 1) << i;
        stopped += early.complete ? 0 : 1;
        same += early.complete ? 1 : 0;
        if (!found.empty()) continue;
        ++empty;
        EXPECT_FALSE(early.complete || early.races || early.independent) << i << kernel.about(1);
    }
    EXPECT_GT(stopped, static_cast<int>(count / 10));
    EXPECT_GT(same, static_cast<int>(count / 10));
    EXPECT_GT(empty, static_cast<int>(count / 50));
}

// A cell of a map, beside what hazards and outcomes find each by itself.
// One kernel in thirty has one result, so fewer would not show each verdict.
TEST(RandomKernels, HaveTheVerdictsOfHazardsAndOutcomes) {
    const std::uint32_t count = number_in("LAB_RANDOM_KERNELS", kSanitized ? 40 : 300);
    std::map<ShapeVerdict, int> seen;
    for (std::uint32_t i = 1; i <= count; ++i) {
        const RandomKernel kernel(i);
        const machine::Job job = kernel.job(1);
        const machine::SchedulingPolicy order = machine::usual_order(job.config);
        const ShapeVerdict verdict = judge_job(job, order).verdict;
        ++seen[verdict];
        if (verdict == ShapeVerdict::unknown) continue;
        const machine::Run run(job, order);
        const bool unended = run.fault() && run.fault()->kind == machine::Fault::Kind::budget;
        ShapeVerdict expected = ShapeVerdict::one_result;
        if (run.fault() && !unended)
            expected = run.fault()->kind == machine::Fault::Kind::deadlock
                           ? ShapeVerdict::never_ends
                           : ShapeVerdict::fault;
        else if (const auto found = search_hazards(job, order).hazards; races_in(found) > 0) {
            expected = ShapeVerdict::race;
        } else {
            Outcomes all = outcomes_of(job, ending_of(job));
            ASSERT_TRUE(all.complete) << kernel.about(1);
            // What groups that wait for room hide counts, too.
            if (const auto independent = independent_job(job);
                independent && all.results.size() == 1 && !all.results[0].fault) {
                all = outcomes_of(*independent, ending_of(*independent));
                ASSERT_TRUE(all.complete) << kernel.about(1);
            }
            for (const PossibleResult& each : all.results)
                if (each.fault)
                    expected = ShapeVerdict::fault;
                else if (each.never_ends && expected != ShapeVerdict::fault)
                    expected = ShapeVerdict::never_ends;
            if (expected != ShapeVerdict::one_result) {
            } else if (count_of(found, Hazard::Severity::uninitialised) > 0) {
                expected = ShapeVerdict::unwritten;
            } else if (all.results.size() > 1) {
                expected = ShapeVerdict::several;
            }
        }
        EXPECT_STREQ(name_of(verdict), name_of(expected)) << i << '\n' << kernel.about(1);
    }
    EXPECT_LT(seen[ShapeVerdict::unknown], static_cast<int>(count) / 20);
    if (count < 300) return;
    for (const ShapeVerdict each :
         {ShapeVerdict::one_result, ShapeVerdict::race, ShapeVerdict::fault})
        EXPECT_GT(seen[each], 2) << name_of(each);
}

}  // namespace
}  // namespace lab::analysis
