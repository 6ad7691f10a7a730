#include "analysis/step_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "analysis/lattice.h"
#include "base/json_fields.h"
#include "base/ranges.h"
#include "base/text.h"
#include "lang/code.h"

namespace lab::analysis {
namespace {

using nlohmann::json;

constexpr int kSchema = 1;
// In the order of Exactness::Kind.
constexpr std::array kExactness{"exact", "within", "no_digit", "left_range", "wrapped"};

// The shortest text that reads back to the same value of the element type, as values are shown.
template <typename T>
std::string text_of_floating(T value) {
    if (value == std::trunc(value) && std::abs(value) < T(1e7)) return fmt::format("{:.0f}", value);
    return fmt::format("{}", value);
}

std::string text_of_value(const json& value, const std::string& type) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_unsigned()) return std::to_string(value.get<std::uint64_t>());
    if (value.is_number_integer()) return std::to_string(value.get<std::int64_t>());
    const double number = value.get<double>();
    return type == "float" ? text_of_floating(static_cast<float>(number))
                           : text_of_floating(number);
}

template <typename T>
std::optional<json> as_integer(const std::string& text) {
    const auto value = parse_number<T>(text);
    return value ? std::optional<json>(*value) : std::nullopt;
}

std::optional<json> as_floating(const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
    return json(value);
}

// The element type of that name; int for any other.
lang::Scalar scalar_named(const std::string& name) {
    for (std::size_t i = 0; i < lang::kScalars.size(); ++i)
        if (lang::kScalars[i].name == name) return static_cast<lang::Scalar>(i);
    return lang::Scalar::int_;
}

// A JSON number where that reads back to the very same text; else the text.
json json_value(const std::string& text, const std::string& type) {
    for (const auto parse : {as_integer<std::int64_t>, as_integer<std::uint64_t>, as_floating}) {
        const auto number = parse(text);
        if (number && text_of_value(*number, type) == text) return *number;
    }
    return text;
}

json json_of(const Cell& cell, const std::string& type) {
    json out = {{"value", json_value(text_of(cell.value), type)}};
    if (cell.written) {
        out["written"] = true;
        out["from"] = cell.from;
        if (cell.item >= 0) out["item"] = cell.item;
        if (cell.stale) out["stale"] = true;
        if (cell.kept) out["kept"] = true;
        if (cell.atomic) out["atomic"] = true;
        for (const Writer& other : cell.also) {
            out["also"].push_back(other.item);
            out["also_from"].push_back(other.from);
        }
    }
    if (cell.late_item >= 0) out["late"] = {{"item", cell.late_item}, {"pass", cell.late_pass}};
    return out;
}

CellValue cell_value(const json& in, const std::string& type) {
    return value_of(text_of_value(in, type), scalar_named(type));
}

Cell cell_of(const json& in, const std::string& type) {
    Cell cell;
    cell.value = cell_value(in.at("value"), type);
    cell.written = in.value("written", false);
    cell.from = in.value("from", std::vector<std::uint32_t>());
    cell.item = in.value("item", std::int64_t{-1});
    cell.stale = in.value("stale", false);
    cell.kept = in.value("kept", false);
    cell.atomic = in.value("atomic", false);
    const auto items = in.value("also", std::vector<std::int64_t>());
    const auto from = in.value("also_from", std::vector<std::vector<std::uint32_t>>(items.size()));
    for (std::size_t i = 0; i < items.size(); ++i)
        cell.also.push_back({items[i], from.at(i)});
    if (in.contains("late")) {
        in.at("late").at("item").get_to(cell.late_item);
        in.at("late").at("pass").get_to(cell.late_pass);
    }
    return cell;
}

LAB_JSON_SOME_FIELDS_OR_DEFAULT(StaleValue, item, array, cell, name, writer, pass, line, write_line,
                                too_new, update, time)

json json_of(const StaleValue& value, const std::string& type) {
    json out;
    put_fields(out, value);
    out["took"] = json_value(text_of(value.took), type);
    out["missed"] = json_value(text_of(value.missed), type);
    return out;
}

StaleValue stale_of(const json& in, const std::string& type) {
    StaleValue value;
    get_fields(in, value);
    value.took = cell_value(in.at("took"), type);
    value.missed = cell_value(in.at("missed"), type);
    return value;
}

// In the order of RacedCell::Ordered.
constexpr std::array kOrdered{"by nothing", "in lockstep", "by hand"};

LAB_JSON_SOME_FIELDS(RacedCell, cell, first, second, first_writes, second_writes, first_line,
                     second_line, across_groups)

json json_of(const RacedCell& cell) {
    json out;
    put_fields(out, cell);
    out["ordered"] = kOrdered[static_cast<std::size_t>(cell.ordered)];
    return out;
}

RacedCell raced_of(const json& in) {
    RacedCell cell;
    get_fields(in, cell);
    const std::size_t ordered =
        position_of(kOrdered, in.value("ordered", std::string(kOrdered[0])));
    if (ordered < kOrdered.size()) cell.ordered = static_cast<RacedCell::Ordered>(ordered);
    return cell;
}

// Beside each work-item's number its global id.
void add_ids(json& parts, const IndexSpace& space) {
    constexpr std::array kNumbers{"item", "writer", "first", "second"};
    constexpr std::array kIds{"global_id", "writer_id", "first_id", "second_id"};
    for (json& part : parts)
        for (std::size_t i = 0; i < kNumbers.size(); ++i)
            if (part.contains(kNumbers[i]))
                part[kIds[i]] = space.global_id(part[kNumbers[i]].get<std::uint64_t>());
}

LAB_JSON_SOME_FIELDS_OR_DEFAULT(Row, variables, array, number, waited, skipped, global, local,
                                items_known, working, neutral, by_hand, of_grid, origins_known,
                                handed_over, local_memory, group_cells)

static json json_of(const std::vector<lang::ArrayShape>& parts) {
    json all = json::array();
    for (const lang::ArrayShape& part : parts)
        all.push_back({{"name", part.name},
                       {"first", part.first},
                       {"cells", part.cells},
                       {"scalar", part.scalar},
                       {"rows", part.rows},
                       {"element", part.element},
                       {"parts", json_of(part.parts)}});
    return all;
}

static std::vector<lang::ArrayShape> parts_of(const json& all) {
    std::vector<lang::ArrayShape> parts;
    for (const json& part : all)
        parts.push_back({part.at("scalar"), part.at("rows"), part.at("element"),
                         parts_of(part.at("parts")), part.at("name"), part.at("first"),
                         part.at("cells")});
    return parts;
}

json json_of(const Row& row, const std::string& type) {
    json cells = json::array();
    for (const Cell& cell : row.cells)
        cells.push_back(json_of(cell, type));
    json stale = json::array();
    for (const StaleValue& read : row.stale)
        stale.push_back(json_of(read, type));
    json raced = json::array();
    for (const RacedCell& cell : row.raced)
        raced.push_back(json_of(cell));
    json others = json::array();
    for (const OtherRead& read : row.other_reads)
        others.push_back({{"item", read.item},
                          {"cell", read.cell},
                          {"took", json_value(text_of(read.took), type)}});
    json far = json::array();
    for (const FarRead& read : row.far_reads)
        far.push_back({{"item", read.item},
                       {"cell", read.cell},
                       {"row", read.row},
                       {"from", read.from},
                       {"took", json_value(text_of(read.took), type)}});
    json out = {{"launch", row.launch},        {"stale", std::move(stale)},
                {"far_reads", std::move(far)}, {"other_reads", std::move(others)},
                {"raced", std::move(raced)},   {"cells", std::move(cells)}};
    put_fields(out, row);
    if (row.shape.scalar) out["scalar"] = true;
    if (!row.shape.rows.empty()) out["rows"] = row.shape.rows;
    if (row.shape.element > 1) out["element"] = row.shape.element;
    if (!row.shape.parts.empty()) out["parts"] = json_of(row.shape.parts);
    return out;
}

Row row_of(const json& in, const std::string& type) {
    Row row;
    row.launch = in.at("launch");
    row.shape = {.scalar = in.value("scalar", false),
                 .rows = in.value("rows", std::vector<std::uint64_t>()),
                 .element = in.value("element", std::uint64_t{1}),
                 .parts = parts_of(in.value("parts", nlohmann::json::array()))};
    get_fields(in, row);
    for (const json& cell : in.at("cells"))
        row.cells.push_back(cell_of(cell, type));
    for (const json& read : in.value("stale", json::array()))
        row.stale.push_back(stale_of(read, type));
    for (const json& read : in.value("other_reads", json::array()))
        row.other_reads.push_back(
            {read.at("item"), read.at("cell"), cell_value(read.at("took"), type)});
    for (const json& read : in.value("far_reads", json::array()))
        row.far_reads.push_back({read.at("item"), read.at("cell"), read.at("row"), read.at("from"),
                                 cell_value(read.at("took"), type)});
    for (const json& cell : in.value("raced", json::array()))
        row.raced.push_back(raced_of(cell));
    return row;
}

void check_sources(const StepTable& table) {
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const std::size_t above = row == 0 ? 0 : table.rows[row - 1].cells.size();
        const auto check = [&](const std::vector<std::uint32_t>& sources) {
            for (const std::uint32_t source : sources)
                if (source >= above)
                    throw Problem("The passes do not fit together",
                                  fmt::format("a cell of pass {} comes from cell {}, but the row "
                                              "above has {} cells",
                                              row, source, above),
                                  "Compute them again");
        };
        check(table.rows[row].neutral);
        for (const OtherRead& read : table.rows[row].other_reads)
            check({read.cell});
        for (const FarRead& read : table.rows[row].far_reads)
            if (read.row >= row || read.cell >= table.rows[row].cells.size() ||
                read.from >= table.rows[read.row].cells.size())
                throw Problem("The passes do not fit together",
                              fmt::format("pass {} reads a cell that is not there", row),
                              "Compute them again");
        for (const Cell& cell : table.rows[row].cells) {
            check(cell.from);
            for (const Writer& other : cell.also)
                check(other.from);
        }
        for (const RacedCell& raced : table.rows[row].raced)
            if (raced.cell >= table.rows[row].cells.size())
                throw Problem("The passes do not fit together",
                              fmt::format("cell {} of pass {} races, but the row has {} cells",
                                          raced.cell, row, table.rows[row].cells.size()),
                              "Compute them again");
    }
}

}  // namespace

MachineUsed machine_used(const machine::Config& config, const machine::SchedulingPolicy& order) {
    return {config, text_of(order)};
}

void to_json(json& out, const MachineUsed& machine) {
    to_json(out, machine.shape());
    out["order"] = machine.order;
}

void from_json(const json& in, MachineUsed& machine) {
    from_json(in, machine.shape());
    machine.order = in.value("order", machine.order);
}

// Those that are always there, and those that may be missing.
LAB_JSON_PAIR(static, put_always, get_always, NLOHMANN_JSON_FROM, StepTable, variant, op, type, n,
              group, right)
LAB_JSON_SOME_FIELDS_OR_DEFAULT(StepTable, title, settings, source, device, optimised, stale_known,
                                note, fault, parts)

void to_json(json& out, const StepTable& table) {
    json rows = json::array();
    for (const Row& row : table.rows) {
        rows.push_back(json_of(row, table.type));
        if (table.space.range().plain()) continue;
        for (const char* part : {"cells", "stale", "other_reads", "far_reads", "raced"})
            if (rows.back().contains(part)) add_ids(rows.back()[part], table.space);
    }
    out = {{"schema", kSchema},
           {"machine", table.machine ? json(*table.machine) : json()},
           {"passes", std::move(rows)},
           {"result", json_value(table.result, table.type)},
           {"expected", json_value(table.expected, table.type)}};
    put_always(out, table);
    put_fields(out, table);
    if (!table.turns.empty()) out["turns"] = table.turns;
    if (table.never_ends) out["never_ends"] = true;
    if (table.exactness.kind != Exactness::Kind::exact)
        out["exactness"] = {{"kind", kExactness.at(static_cast<std::size_t>(table.exactness.kind))},
                            {"value", table.exactness.value},
                            {"bound", table.exactness.bound}};
    if (!table.space.range().plain()) out["ndrange"] = table.space.range();
}

void from_json(const json& in, StepTable& table) {
    const int schema = in.at("schema");
    if (schema != kSchema)
        throw Problem(fmt::format("Passes of schema {} cannot be read", schema),
                      fmt::format("this version knows schema {}", kSchema),
                      "Compute them again with this version, or use the one that wrote them");
    StepTable read;
    get_fields(in, read);
    get_always(in, read);
    if (in.contains("machine") && !in.at("machine").is_null())
        read.machine = in.at("machine").get<MachineUsed>();
    for (const json& row : in.at("passes"))
        read.rows.push_back(row_of(row, read.type));
    read.result = text_of_value(in.at("result"), read.type);
    read.expected = text_of_value(in.at("expected"), read.type);
    read.turns = in.value("turns", "");
    read.never_ends = in.value("never_ends", false);
    if (in.contains("exactness")) {
        const json& near = in.at("exactness");
        const std::size_t kind = position_of(kExactness, near.at("kind").get<std::string>());
        if (kind < kExactness.size())
            read.exactness = {static_cast<Exactness::Kind>(kind), near.at("value"),
                              near.at("bound")};
    }
    if (in.contains("ndrange")) read.space = IndexSpace(in.at("ndrange").get<NDRange>());
    check_sources(read);
    table = std::move(read);
}

using lang::Scalar;

static std::uint64_t bits_of(const std::string& text, Scalar type) {
    if (type == Scalar::half_) return lang::half_of(std::strtod(text.c_str(), nullptr));
    if (type == Scalar::float_) return lang::bits_of(std::strtof(text.c_str(), nullptr));
    if (lang::info(type).floating) return lang::bits_of(std::strtod(text.c_str(), nullptr));
    if (!lang::info(type).is_signed) return std::strtoull(text.c_str(), nullptr, 10);
    return static_cast<std::uint64_t>(std::strtoll(text.c_str(), nullptr, 10));
}

CellValue value_in(std::span<const std::byte> bytes, std::uint64_t index, Scalar type) {
    const std::size_t size = lang::info(type).bytes;
    if ((index + 1) * size > bytes.size()) return {{}, type};
    std::uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + index * size, size);
    return {lang::canonical(type, bits), type};
}

std::string text_of(const CellValue& value) {
    return value.bits ? lang::text_of(*value.bits, value.type) : "?";
}

CellValue value_of(const std::string& text, Scalar type) {
    for (const Scalar each : {type, Scalar::long_, Scalar::ulong, Scalar::double_}) {
        const CellValue value{lang::canonical(each, bits_of(text, each)), each};
        if (text_of(value) == text) return value;
    }
    return {};
}

bool operator==(const CellValue& a, const CellValue& b) {
    return (a.type == b.type && a.bits == b.bits) || text_of(a) == text_of(b);
}

double number_of(const CellValue& value) {
    if (!value.bits) return std::numeric_limits<double>::quiet_NaN();
    if (value.type == Scalar::half_)
        return double{lang::value_of_half(static_cast<std::uint16_t>(*value.bits))};
    if (value.type == Scalar::float_) return double{lang::float_of(*value.bits)};
    if (lang::info(value.type).floating) return lang::double_of(*value.bits);
    return lang::info(value.type).is_signed
               ? static_cast<double>(static_cast<std::int64_t>(*value.bits))
               : static_cast<double>(*value.bits);
}

namespace {

// The array of a row whatever rows of others are in between. Empty where that is not known; local
// memory is another's in each launch.
using ArrayKey = std::optional<std::tuple<std::string, int, std::size_t>>;

// A row without its cells, and how many these are.
struct StateRow {
    const Row& pass;
    std::size_t cells;

    ArrayKey key() const {
        if (pass.array.empty()) return std::nullopt;
        return std::tuple{pass.array, pass.local_memory ? pass.launch : 0, cells};
    }
};

bool of_one_array(const StateRow& one, const StateRow& other) {
    const bool named = !one.pass.array.empty() && !other.pass.array.empty();
    return one.cells == other.cells && (!named || one.pass.array == other.pass.array);
}

// Goes from row to row, and knows which cells went into others on the way.
class CellStates {
  public:
    // For the next row. written(cell): whether it was written in it; sources(found) calls
    // found(cell, source) for each source of one that was.
    template <typename Written, typename Sources>
    std::vector<CellState> next(const StateRow& row, Written&& written, Sources&& sources) {
        const ArrayKey key = row.key();
        std::vector<bool>& spent = spent_of_[key];
        if (!above_) {
            spent.assign(row.cells, false);
            above_.emplace(row);
            return std::vector<CellState>(row.cells, CellState::input);
        }
        const bool same_array = of_one_array(*above_, row);
        std::vector<bool>& spent_above = spent_of_[above_->key()];
        // For an array that was not there before nothing was read yet.
        if (same_array)
            spent = spent_above;
        else if (!key)
            spent.assign(row.cells, false);
        spent.resize(row.cells, false);
        std::vector<bool> read(row.cells, false);
        sources([&](std::size_t cell, std::size_t source) {
            if (same_array && source != cell && source < read.size()) read[source] = true;
            if (!same_array && key && source < spent_above.size()) spent_above[source] = true;
        });
        std::vector<CellState> states(row.cells, CellState::same);
        for (std::size_t cell = 0; cell < row.cells; ++cell) {
            if (written(cell)) {
                states[cell] = CellState::written;
                spent[cell] = false;
            } else if (read[cell]) {
                states[cell] = CellState::read;
                spent[cell] = true;
            } else if (spent[cell]) {
                states[cell] = CellState::spent;
            }
        }
        above_.emplace(row);
        return states;
    }

  private:
    std::map<ArrayKey, std::vector<bool>> spent_of_;
    std::optional<StateRow> above_;
};

}  // namespace

bool of_one_array(const Row& one, const Row& other) {
    return of_one_array(StateRow{one, one.cells.size()}, StateRow{other, other.cells.size()});
}

std::vector<std::vector<CellState>> cell_states(const StepTable& table) {
    std::vector<std::vector<CellState>> result;
    CellStates states;
    for (const Row& row : table.rows)
        result.push_back(states.next(
            {row, row.cells.size()}, [&](std::size_t cell) { return row.cells[cell].written; },
            [&](auto&& found) {
                for (std::size_t cell = 0; cell < row.cells.size(); ++cell) {
                    for (const std::uint32_t source : row.cells[cell].from)
                        found(cell, source);
                    for (const Writer& other : row.cells[cell].also)
                        for (const std::uint32_t source : other.from)
                            found(cell, source);
                }
            }));
    return result;
}

void add_states(Lattice& lattice) {
    CellStates states;
    for (std::size_t r = 0; r < lattice.rows.size(); ++r) {
        LatticeRow& row = lattice.rows[r];
        const auto result = states.next(
            {lattice.head.rows[r], row.cells.size()},
            [&](std::size_t cell) { return state_of(row.cells[cell]) == CellState::written; },
            [&](auto&& found) {
                for (const LatticeChange& change : row.changes)
                    for (const std::uint32_t source : sources_of(row, change))
                        found(change.cell, source);
                for (const LatticeWriter& other : row.others)
                    for (std::uint32_t i = other.from; i < other.end; ++i)
                        found(other.cell, row.others_from[i]);
            });
        for (std::size_t cell = 0; cell < row.cells.size(); ++cell)
            row.cells[cell] = static_cast<std::uint8_t>((row.cells[cell] & ~kStateBits) |
                                                        static_cast<std::uint8_t>(result[cell]));
    }
}

std::optional<std::size_t> result_cell(const StepTable& table) {
    if (table.rows.empty() || table.expected.empty()) return std::nullopt;
    std::optional<std::size_t> found;
    const auto& cells = table.rows.back().cells;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (text_of(cells[cell].value) != table.result) continue;
        if (cells[cell].written) return cell;
        if (!found) found = cell;
    }
    return found;
}

std::vector<std::int64_t> working_items(const Row& pass) {
    if (!pass.working.empty()) return {pass.working.begin(), pass.working.end()};
    std::vector<std::int64_t> items;
    for (const Cell& cell : pass.cells)
        if (cell.written && cell.item >= 0) {
            items.push_back(cell.item);
            for (const Writer& other : cell.also)
                items.push_back(other.item);
        }
    sort_unique(items);
    return items;
}

std::vector<Writer> writers_of(const Cell& cell) {
    std::vector<Writer> writers = cell.also;
    if (cell.written) writers.push_back({cell.item, cell.from});
    return writers;
}

std::vector<std::size_t> written_cells(const Row& pass) {
    std::vector<std::size_t> cells;
    for (std::size_t cell = 0; cell < pass.cells.size(); ++cell)
        if (pass.cells[cell].written) cells.push_back(cell);
    return cells;
}

// Far above what another order makes of a few thousand floats, far below what a lost element does.
constexpr double kRounding = 1e-4;

std::optional<std::size_t> row_like(const Row& row, const StepTable& in) {
    // How a launch ends is not known where the run stopped in it.
    const bool end_of_launch = row.number == 0 && row.launch > 0;
    if (end_of_launch && !in.fault.empty() && in.rows.back().launch == row.launch) return {};
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < in.rows.size(); ++i) {
        const Row& pass = in.rows[i];
        if (pass.launch != row.launch || pass.cells.size() != row.cells.size()) continue;
        if (row.number != 0 && pass.number != row.number) continue;
        if (!row.array.empty() && !pass.array.empty() &&
            (pass.array != row.array || pass.local_memory != row.local_memory))
            continue;
        found = i;
    }
    return found;
}

bool rounds_to(const CellValue& a, const CellValue& b) {
    const double one = number_of(a), other = number_of(b);
    if (std::isnan(one) && std::isnan(other)) return true;
    return std::abs(one - other) <= kRounding * std::max(std::abs(one), std::abs(other));
}

Agreement agreement_of(const StepTable& device, const StepTable& machine) {
    Agreement agreement;
    const bool floating = device.type == "float" || device.type == "double";
    for (std::size_t row = 0; row < device.rows.size(); ++row) {
        const Row& one = device.rows[row];
        const std::optional<std::size_t> same = row_like(one, machine);
        if (!same) continue;
        const Row* other = &machine.rows[*same];
        ++agreement.rows;
        for (std::size_t i = 0; i < one.cells.size(); ++i) {
            const CellValue& a = one.cells[i].value;
            const CellValue& b = other->cells[i].value;
            if (!a.bits || !b.bits || a == b) continue;
            const bool rounded = floating && rounds_to(a, b);
            const auto kind = rounded ? Agreement::Kind::rounding : Agreement::Kind::differs;
            if (agreement.kind == kind) continue;
            agreement = {kind, agreement.rows, row, i, text_of(a), text_of(b)};
            if (!rounded) return agreement;
        }
    }
    if (agreement.rows > 0 && agreement.kind == Agreement::Kind::unknown)
        agreement.kind = Agreement::Kind::same;
    return agreement;
}

// By launch: the time of its first action; where it has none, of the next launch's.
static std::vector<std::uint64_t> first_actions(const machine::Run& run) {
    std::vector<std::uint64_t> firsts(run.machine().job().launches.size(), run.trace().size());
    std::size_t launch = 0;
    for (std::uint64_t time = 0; time < run.trace().size(); ++time)
        while (launch < firsts.size() && launch <= run.trace().action(time).launch)
            firsts[launch++] = time;
    return firsts;
}

bool calls_printf(const machine::Run& run) {
    return any_of(run.machine().job().launches, [](const machine::Launch& launch) {
        return launch.code != nullptr && !launch.code->prints.empty();
    });
}

std::uint32_t line_of(const machine::Run& run, const machine::Print& print) {
    return run.machine().context(print.launch).code->places[print.place].line;
}

std::vector<PrintedText> printed_texts(const machine::Run& run) {
    std::vector<PrintedText> texts;
    if (run.prints().empty()) return texts;
    const std::vector<std::uint64_t> firsts = first_actions(run);
    std::uint64_t before = 0;
    for (const machine::Print& print : run.prints()) {
        PrintedText& text = texts.emplace_back();
        text.item = print.item;
        text.item_name = run.machine().context(print.launch).item_name(print.item);
        text.launch = print.launch + 1;
        text.line = line_of(run, print);
        const std::uint64_t first = std::min(firsts[print.launch] + 1, run.trace().size());
        text.time = std::max({print.time, first, before});
        before = text.time;
        text.text = print.text;
        if (text.text.ends_with('\n')) text.text.pop_back();
    }
    return texts;
}

const char* name_of(DeviceComparison::Verdict verdict) {
    static constexpr std::array<const char*, 6> kNames{"absent", "unknown",   "same",
                                                       "lucky",  "explained", "unexplained"};
    return kNames.at(static_cast<std::size_t>(verdict));
}

const char* name_of(DeviceComparison::Origin origin) {
    static constexpr std::array<const char*, 4> kNames{"chosen", "usual", "device", "goes wrong"};
    return kNames.at(static_cast<std::size_t>(origin));
}

std::string recorded_in(const std::string& order) {
    const std::string remark = fmt::format("{}# ", machine::kTurnsPrefix);
    std::string name = order;
    if (order.starts_with(remark)) {
        name = order.substr(remark.size());
        name = name.substr(0, name.find('\n'));
    }
    return name.starts_with(kRecordedOn) ? name : std::string();
}

void to_json(json& made, const DeviceComparison& witness) {
    made = {{"verdict", name_of(witness.verdict)},
            {"origin", name_of(witness.origin)},
            {"device", witness.device},
            {"result", witness.result},
            {"right", witness.right},
            {"rows", witness.agreement.rows},
            {"complete", witness.complete},
            {"note", witness.note},
            {"why", witness.why}};
    if (witness.agreement.kind == Agreement::Kind::differs ||
        witness.agreement.kind == Agreement::Kind::rounding)
        made["differs"] = {{"row", witness.agreement.row},
                           {"cell", witness.agreement.cell},
                           {"device", witness.agreement.device},
                           {"run", witness.agreement.machine},
                           {"rounding", witness.agreement.kind == Agreement::Kind::rounding}};
    if (witness.like_device) {
        to_json(made["like_device"], witness.like_device->config);
        made["like_device"]["turns"] = machine::text_of(witness.like_device->turns);
    }
}

}  // namespace lab::analysis
