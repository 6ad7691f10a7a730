// The C++ program that runs what is chosen: shown, copied, saved.
#pragma once

#include "catalogue/host_program.h"
#include "session/session.h"
namespace lab::session {

// Whether what is chosen has a header, which says how the host launches it.
bool has_host_program(const Session& session);
catalogue::HostProgram host_program_of(const Session& session);  // throws Problem

void show_host_program(Session& session);  // in the tab beside the steps
void copy_host_program(Session& session);  // to the clipboard; what fails is reported
// The program and the kernel, in a new folder of the user's documents. What fails is reported.
void save_host_program(Session& session);

}  // namespace lab::session
