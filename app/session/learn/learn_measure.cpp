// A page's prediction, tried on the real device by the worker.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "catalogue/number.h"
#include "results/report.h"
#include "results/request.h"
#include "results/result.h"
#include "session/learn/learn_view.h"
#include "session/measure/measure_view.h"
#include "session/shell/session.h"

namespace lab::session {
namespace {

constexpr auto kSilence = std::chrono::minutes(5);  // the longest between two signs of life

nlohmann::json trials_request(const lessons::Page& page) {
    results::TrialsRequest request;
    request.variant = page.show.kernel;
    request.shape = page.show.shape;
    request.count = page.ask->trials;
    return request;
}

nlohmann::json measure_request(const lessons::Page& page) {
    results::MeasureRequest request;
    request.variants = page.ask->kernels;
    request.sizes = {catalogue::parse_size(page.ask->n.empty() ? "2^22" : page.ask->n)};
    request.shape = page.show.shape;
    request.shape.n.reset();
    request.shape.set.clear();
    request.shape.input = {};
    request.references = false;
    request.limit_s = 0.5;
    return request;
}

lessons::Measured of_trials(const results::Trials& trials) {
    lessons::Measured measured;
    measured.device = trials.device;
    measured.runs = trials.count;
    for (const auto& each : trials.results) {
        measured.counts[each.result] += each.count;
        if (each.right) measured.right += each.count;
    }
    return measured;
}

lessons::Measured of_rows(const results::Measurements& rows) {
    lessons::Measured measured;
    measured.device = rows.device.name;
    for (const results::Row& row : rows.rows)
        if (row.kind == "variant") measured.seconds[row.variant] = row.device_median() * 1e-3;
    return measured;
}

}  // namespace

void LearnView::measure() {
    const lessons::Page& page = *this->page();
    const bool trials = page.ask->predict == lessons::Predict::share;
    measured_.waiting = true;
    measured_.problem.reset();
    rows_ = {{}, {}, rows_.version + 1};
    worker::Handler handle;
    handle.progress = [this, trials](const nlohmann::json& progress) {
        rows_.progress = read_progress(progress);
        if (trials || !progress.contains("results")) return;  // those of trials are no rows
        auto more = progress.at("results").get<results::Measurements>();
        more.complete = true;  // what is still to come is no fault of theirs
        if (rows_.results)
            merge(*rows_.results, more);
        else
            rows_.results = std::move(more);
        ++rows_.version;
    };
    handle.result = [this, trials](const nlohmann::json& answer) {
        if (trials) return take_measurement(of_trials(answer.get<results::Trials>()));
        rows_.results = answer.get<results::Measurements>();
        ++rows_.version;
        take_measurement(of_rows(*rows_.results));
    };
    handle.problem = [this](const Problem& problem) {
        measured_.waiting = false;
        measured_.problem = problem;
    };
    ticket_ = worker_.send(trials ? "trials" : "measure",
                           trials ? trials_request(page) : measure_request(page), std::move(handle),
                           kSilence);
}

// Measured again, the prediction stays as it was judged.
void LearnView::take_measurement(lessons::Measured measured) {
    const bool again = done();
    measured_.waiting = false;
    measured_.answer = std::move(measured);
    if (again)
        show_reply(judged(*feedback_).reply);
    else
        take(judged(judge(*page(), shown_.question, draft_, *runs_, &*measured_.answer)));
}

bool LearnView::can_measure_again() const {
    return page() != nullptr && page()->ask && page()->ask->kind == lessons::Kind::measure &&
           told() && !shown_.problem && !checking();
}

}  // namespace lab::session
