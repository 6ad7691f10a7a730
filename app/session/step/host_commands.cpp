#include "session/step/host_commands.h"

#include "base/paths.h"
#include "session/step/step_view.h"
#include "views/files/files.h"

namespace lab::session {

bool has_host_program(const Session& session) {
    return session.shows<StepView>() && session.variant() != nullptr &&
           !session.settings().choice.user_kernel;
}

catalogue::HostProgram host_program_of(const Session& session) {
    return catalogue::host_program(*session.variant(), session.settings().choice.shape);
}

void show_host_program(Session& session) {
    session.view<StepView>().show_side("host");
}

void copy_host_program(Session& session) {
    try {
        session.copy(host_program_of(session).text);
        session.notices().say(session.words()("toast.copied"));
    } catch (const Problem& problem) {
        session.notices().report("file", problem, true);
    }
}

void save_host_program(Session& session) {
    try {
        const catalogue::HostProgram program = host_program_of(session);
        const fs::path folder = new_file(documents_folder(), program.name, "");
        const fs::path file = folder / (program.name + ".cpp");
        save_program(program, file);
        session.copy(file.string());
        session.notices().say(session.words()(
            "toast.saved", fmt::arg("name", (folder.filename() / file.filename()).string())));
    } catch (const Problem& problem) {
        session.notices().report("file", problem, true);
    }
}

}  // namespace lab::session
