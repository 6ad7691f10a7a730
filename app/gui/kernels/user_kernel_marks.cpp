#include "gui/kernels/user_kernel_marks.h"

#include <algorithm>

#include "lang/text/compile.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"

namespace lab::gui {
namespace {

using session::TextMark;

template <typename Finding>
TextMark mark_of(const Finding& finding, TextMark::Kind kind, const Translations& tr) {
    TextMark mark;
    mark.kind = kind;
    if (finding.place.file == lang::kTextFile) {
        mark.line = finding.place.line;
        mark.column = finding.place.column;
        mark.length = finding.place.length;
    }
    Problem problem(finding.what, finding.why, finding.hint);
    problem.phrases = finding.phrases;
    problem = translated(problem, tr);
    mark.message = problem.what_happened;
    mark.why = problem.why;
    mark.hint = problem.hint;
    return mark;
}

// The run of the text as it stands in the editor.
const machine::Run* run_of(const session::Session& session) {
    const session::RunState& machine = session.view<session::StepView>().simulated();
    if (!machine.run || machine.problem || machine.run->run == nullptr) return nullptr;
    const simulation::Subject& subject = machine.run->subject;
    const std::string& text = subject.variant ? subject.variant->text : subject.user_kernel.text;
    return text == session.kernels().editor().draft() ? machine.run->run : nullptr;
}

}  // namespace

bool EditorMarks::has_error(std::uint32_t line) const {
    return std::any_of(marks.begin(), marks.end(), [&](const TextMark& mark) {
        return mark.line == line && mark.kind == TextMark::Kind::error;
    });
}

EditorMarks editor_marks(const session::Session& session, std::uint32_t line) {
    EditorMarks marks;
    marks.marks = session.kernels().editor().facts().marks;
    for (TextMark& mark : marks.marks)
        for (std::string* text : {&mark.message, &mark.why, &mark.hint})
            *text = session.words().message(*text);
    marks.errors = static_cast<std::size_t>(
        std::count_if(marks.marks.begin(), marks.marks.end(),
                      [](const TextMark& mark) { return mark.kind == TextMark::Kind::error; }));
    const machine::Run* run = run_of(session);
    if (run == nullptr) return marks;
    marks.ran = true;
    if (run->fault())
        marks.marks.push_back(mark_of(*run->fault(), TextMark::Kind::error, session.words()));
    for (const machine::Finding& finding : run->findings())
        marks.marks.push_back(mark_of(finding, TextMark::Kind::warning, session.words()));
    marks.now = line;
    return marks;
}

}  // namespace lab::gui
