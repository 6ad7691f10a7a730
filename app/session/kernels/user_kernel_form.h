// The launch of a user kernel as a form.
#pragma once

#include "simulation/user_kernel_form.h"

namespace lab::session {

using simulation::ArgumentRow;
using simulation::TextFacts;
using simulation::TextMark;

using simulation::argument_of;
using simulation::facts_of;
using simulation::fit_launch;
using simulation::rows_of;
using simulation::set_count;
using simulation::set_fill;
using simulation::set_global;
using simulation::set_local;
using simulation::set_row;

}  // namespace lab::session
