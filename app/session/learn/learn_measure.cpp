// A page's prediction, tried on the real device by the worker.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "catalogue/number.h"
#include "results/report.h"
#include "results/request.h"
#include "results/result.h"
#include "session/learn/learn_view.h"
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
    worker::Handler handle;
    handle.result = [this, trials](const nlohmann::json& answer) {
        take_measurement(trials ? of_trials(answer.get<results::Trials>())
                                : of_rows(answer.get<results::Measurements>()));
    };
    handle.problem = [this](const Problem& problem) {
        measured_.waiting = false;
        measured_.problem = problem;
    };
    ticket_ = worker_.send(trials ? "trials" : "measure",
                           trials ? trials_request(page) : measure_request(page), std::move(handle),
                           kSilence);
}

void LearnView::take_measurement(lessons::Measured measured) {
    measured_.waiting = false;
    measured_.answer = std::move(measured);
    take(judged(judge(*page(), shown_.question, draft_, *runs_, &*measured_.answer)));
}

}  // namespace lab::session
