#include "cli/witness_report.h"

#include <fmt/format.h>

namespace lab::cli {
namespace {

// The first cell that differs.
std::string difference(const analysis::Witness& of) {
    const std::size_t row = of.agreement.row;
    std::string where = fmt::format("row {}", row);
    if (of.rows && row < of.rows->rows.size()) {
        const analysis::Row& pass = of.rows->rows[row];
        where = fmt::format("launch {}", pass.launch);
        if (pass.number > 0) where += fmt::format(", pass {}", pass.number);
        if (!pass.array.empty()) where += fmt::format(", {}", pass.array);
    }
    return fmt::format("{}, cell {}: {} there, {} here", where, of.agreement.cell,
                       of.agreement.device, of.agreement.machine);
}

std::string compared(const analysis::Witness& of) {
    return fmt::format(
        "{} row{} compared{}", of.agreement.rows, of.agreement.rows == 1 ? "" : "s",
        of.agreement.kind == analysis::Agreement::Kind::rounding ? ", equal up to rounding" : "");
}

}  // namespace

std::string text_of(const analysis::Witness& of) {
    using Verdict = analysis::Witness::Verdict;
    const std::string note = of.note.empty() ? std::string() : of.note + '\n';
    switch (of.verdict) {
        case Verdict::absent: {
            std::string text = of.why.empty()
                                   ? std::string()
                                   : fmt::format("not compared with a device: {}\n", of.why);
            if (of.origin == analysis::Witness::Origin::goes_wrong)
                text += "This order was looked for: it goes wrong\n";
            return text;
        }
        case Verdict::unknown:
            return fmt::format("{} tells of no row that is shown here; its result is {}\n{}",
                               of.device, of.result, note);
        case Verdict::same:
            return of.origin == analysis::Witness::Origin::device
                       ? fmt::format("as on your device: {}, {}\n{}", of.device, compared(of), note)
                       : fmt::format("the same on {}: {}\n{}", of.device, compared(of), note);
        case Verdict::lucky:
            return fmt::format(
                "{} got {} this time, which is right; shown is an order that goes wrong\n{}",
                of.device, of.result, note);
        case Verdict::explained:
            return fmt::format(
                "{} went another way ({}).\nAnother order gives its rows: step without --order "
                "shows it\n{}",
                of.device, difference(of), note);
        case Verdict::unexplained:
            return fmt::format("{} DIFFERS, {} ({}).\n{}\n{}", of.device,
                               of.complete ? "and no order gives what it has"
                                           : "and no order was found that gives what it has",
                               difference(of),
                               of.complete
                                   ? "Its compiler or driver has a mistake, or the simulator has"
                                   : "Not all orders were tried: there may be one; or its compiler "
                                     "or driver has a mistake",
                               note);
    }
    return {};
}

}  // namespace lab::cli
