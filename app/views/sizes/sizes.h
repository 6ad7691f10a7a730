// The view of sizes: a map of the shapes in which the chosen kernel works, which fills while one
// looks; numbers that break it; the barriers that it needs. The worker works all of it out.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/barriers.h"
#include "analysis/input_search.h"
#include "analysis/size_map.h"
#include "session/session.h"
#include "session/view.h"

namespace lab::session {

class SizesView : public View {
  public:
    explicit SizesView(Session& session) : View(session), worker_(session.worker_options()) {}

    Asked<analysis::SizeMap> map;  // while it waits, as far as it is filled
    Asked<analysis::InputSearchResult> inputs;
    Asked<analysis::BarrierReport> barriers;
    std::uint64_t version = 0;  // of the map: another one for each that came

    // The sides as they were chosen; of a kernel that has no such pair, the usual ones.
    std::pair<std::string, std::string> sides() const;
    std::vector<std::string> side_names() const;  // that the chosen kernel has
    // Each changes places with the other side where it becomes the same.
    void set_rows(const std::string& name);
    void set_columns(const std::string& name);
    const std::pair<std::string, std::string>& asked_sides() const { return sides_; }
    void restore_sides(std::pair<std::string, std::string> sides);

    void find_inputs();
    void judge_barriers();

    // The run that a cell, numbers or a barrier is about; empty where there is none.
    std::optional<RunChoice> run_of_cell(std::size_t row, std::size_t column) const;
    std::optional<RunChoice> run_of_numbers(std::size_t place) const;
    std::optional<RunChoice> run_without(std::size_t place) const;
    void open(std::optional<RunChoice> run);  // in the step view
    // The first cell that is bad, in the order of columns, then rows: the smallest of usual maps.
    std::optional<std::pair<std::size_t, std::size_t>> first_bad() const;
    // True if a run without that barrier can be opened: it is needed, and the kernel is a shipped
    // one.
    bool opens_without(const analysis::SyncPoint& point) const;
    std::optional<std::size_t> first_needed() const;  // that opens; a place in the report

    // View
    void start() override;
    void choice_changed() override { refresh(); }
    void shown() override { refresh(); }
    void poll() override { worker_.poll(); }
    bool busy() const override { return map.waiting || inputs.waiting || barriers.waiting; }
    std::vector<PlacedProblem> problems() const override;
    bool can_cancel() const override { return busy(); }
    void cancel() override;
    ExportOffer export_offer() const override;

  private:
    void refresh();
    template <typename Answer>
    void ask(Asked<Answer>& asked, const char* method, nlohmann::json parameters);

    std::pair<std::string, std::string> sides_;
    // Identifies the map: its request, and the kernel's text.
    std::optional<std::pair<nlohmann::json, std::string>> shown_;
    std::vector<worker::Ticket> tickets_;
    worker::Client worker_;
};

extern const ViewType kSizesView;

}  // namespace lab::session
