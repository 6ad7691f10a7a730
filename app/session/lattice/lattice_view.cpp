#include "session/lattice/lattice_view.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "catalogue/plan.h"
#include "session/shell/session.h"
#include "simulation/cancelled.h"
#include "simulation/lattice_run.h"
#include "simulation/plan_job.h"

namespace lab::session {
namespace {

using std::chrono::milliseconds;

constexpr std::uint64_t kLargestGroup = 1024;
constexpr auto kTelling = milliseconds(150);  // how often the progress is shown again

simulation::Options options_of(const analysis::MachineUsed& machine) {
    simulation::Options options;
    options.config.lanes = machine.lanes;
    options.config.resident = machine.resident;
    options.order = order_of(machine);
    return options;
}

// What is asked for, or the most elements that the variant takes: in groups as asked for, in those
// that suit it, or in the largest ones.
catalogue::Shape fitting(const catalogue::Variant& variant, const catalogue::Shape& asked,
                         const simulation::Options& options) {
    catalogue::Shape shape = asked;
    for (; *shape.n >= kLeastLattice; *shape.n /= 2)
        for (const std::uint64_t group : {asked.group, std::uint64_t{0}, kLargestGroup}) {
            shape.group = group;
            try {
                (void)make_plan(variant, shape, *shape.n, simulation::target_of(options.config));
                return shape;
            } catch (const Problem&) {
                continue;
            }
        }
    return asked;  // the run will say what is wrong
}

}  // namespace

LatticeView::LatticeView(Session& session)
    : View(session),
      run_(session.options().wake),
      progress_(std::make_shared<std::atomic<float>>(0.0F)) {}

ExportOffer LatticeView::export_offer() const {
    static constexpr std::array kPixels{".png"};
    const std::string name = chosen_name(session_.settings().choice) + "-lattice";
    if (!picture_.lattice()) return {name};
    return {name, kPixels};
}

bool LatticeView::busy() const {
    return session_.shows<LatticeView>() && (running() || moving());
}

void LatticeView::want() {
    const Choice& choice = session_.settings().choice;
    const RunShape& lattice = session_.settings().lattice;
    Choice asked = choice;
    asked.opened.reset();
    if (choice.user_kernel) {
        asked.variant.clear();
        asked.shape = {};
    } else {
        asked.shape.n = lattice.n;
        asked.shape.group = lattice.group;
        asked.shape.input = lattice.input;
        // Turns chosen by hand are of the steps' few elements, and stay theirs.
        if (choice.machine.order.starts_with(machine::kTurnsPrefix)) {
            asked.machine.order = kAutomatic;
            if (std::exchange(turns_told_, choice.machine.order) != choice.machine.order)
                session_.notices().say(session_.words()("toast.turns_not_here"));
        }
    }
    if (asked == asked_) return;
    asked_ = asked;
    started_ = Clock::now();
    picture_.forget_fault();
    // An older run may still report its own.
    progress_ = std::make_shared<std::atomic<float>>(0.0F);
    try {
        simulation::Subject subject;
        subject.machine = options_of(asked.machine);
        if (choice.user_kernel) {
            subject.user_kernel = *choice.user_kernel;
        } else {
            subject.variant = session_.catalogue().find(choice.variant);
            subject.shape = asked.shape;
        }
        run_.start([subject, progress = progress_,
                    lattice = std::shared_ptr<simulation::LatticeInParts>()](
                       const std::atomic<bool>& cancel) mutable {
            if (!lattice) {
                if (subject.variant)
                    subject.shape = fitting(*subject.variant, subject.shape, subject.machine);
                lattice = std::make_shared<simulation::LatticeInParts>(std::move(subject), &cancel,
                                                                       progress.get());
            }
            return lattice->go_on();
        });
    } catch (const Problem& problem) {
        run_.cancel();
        problem_ = problem;
    }
}

void LatticeView::cancel() {
    if (!run_.running()) return;
    run_.cancel();
    problem_ = simulation::run_cancelled();
}

void LatticeView::poll() {
    if (session_.shows<LatticeView>()) want();
    picture_.poll();
    auto result = run_.take();
    if (!result) return;
    if (const auto* problem = std::get_if<Problem>(&*result)) {
        problem_ = *problem;
        return;
    }
    problem_.reset();
    const LatticeCamera camera = picture_.camera();
    picture_.show(std::move(std::get<analysis::Lattice>(*result)));
    const std::string kernel = asked_ ? chosen_name(*asked_) : "";
    if (kernel != kernel_ && !kernel_.empty()) {
        cameras_[kernel_] = camera;
        const auto left = cameras_.find(kernel);
        picture_.return_to(left == cameras_.end() ? LatticeCamera{} : left->second);
    }
    kernel_ = kernel;
}

std::optional<View::Clock::time_point> LatticeView::next_move() const {
    if (!session_.shows<LatticeView>()) return std::nullopt;
    if (const auto move = picture_.next_move()) return move;
    if (run_.running()) return Clock::now() + kTelling;
    return std::nullopt;
}

}  // namespace lab::session
