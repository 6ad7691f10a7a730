#include "cli/reports/witness_report.h"

#include <fmt/format.h>

namespace lab::cli {
namespace {

// The first cell that differs.
std::string difference(const analysis::Witness& witness) {
    const std::size_t row = witness.agreement.row;
    std::string where = fmt::format("row {}", row);
    if (witness.rows && row < witness.rows->rows.size()) {
        const analysis::Row& pass = witness.rows->rows[row];
        where = fmt::format("launch {}", pass.launch);
        if (pass.number > 0) where += fmt::format(", pass {}", pass.number);
        if (!pass.array.empty()) where += fmt::format(", {}", pass.array);
    }
    return fmt::format("{}, cell {}: {} there, {} here", where, witness.agreement.cell,
                       witness.agreement.device, witness.agreement.machine);
}

std::string compared(const analysis::Witness& witness) {
    return fmt::format(
        "{} row{} compared{}", witness.agreement.rows, witness.agreement.rows == 1 ? "" : "s",
        witness.agreement.kind == analysis::Agreement::Kind::rounding ? ", equal up to rounding"
                                                                      : "");
}

}  // namespace

std::string text_of(const analysis::Witness& witness) {
    using Verdict = analysis::Witness::Verdict;
    const std::string note = witness.note.empty() ? std::string() : witness.note + '\n';
    switch (witness.verdict) {
        case Verdict::absent: {
            std::string text = witness.why.empty()
                                   ? std::string()
                                   : fmt::format("not compared with a device: {}\n", witness.why);
            if (witness.origin == analysis::Witness::Origin::goes_wrong)
                text += "This order was looked for: it goes wrong\n";
            return text;
        }
        case Verdict::unknown:
            return fmt::format("{} tells of no row that is shown here; its result is {}\n{}",
                               witness.device, witness.result, note);
        case Verdict::same:
            return witness.origin == analysis::Witness::Origin::device
                       ? fmt::format("as on your device: {}, {}\n{}", witness.device,
                                     compared(witness), note)
                       : fmt::format("the same on {}: {}\n{}", witness.device, compared(witness),
                                     note);
        case Verdict::lucky:
            return fmt::format(
                "{} got {} this time, which is right; shown is an order that goes wrong\n{}",
                witness.device, witness.result, note);
        case Verdict::explained:
            return fmt::format(
                "{} went another way ({}).\nAnother order gives its rows: step without --order "
                "shows it\n{}",
                witness.device, difference(witness), note);
        case Verdict::unexplained:
            return fmt::format("{} DIFFERS, {} ({}).\n{}\n{}", witness.device,
                               witness.complete ? "and no order gives what it has"
                                                : "and no order was found that gives what it has",
                               difference(witness),
                               witness.complete
                                   ? "Its compiler or driver has a mistake, or the simulator has"
                                   : "Not all orders were tried: there may be one; or its compiler "
                                     "or driver has a mistake",
                               note);
    }
    return {};
}

}  // namespace lab::cli
