// How an operator is written.
#pragma once

#include "lang/tree/tree.h"

namespace lab::lang {

const char* sign_of(Operator how);  // "+"; of a unary minus "-", too

}  // namespace lab::lang
