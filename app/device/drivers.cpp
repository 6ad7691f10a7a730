#include "device/drivers.h"

#include <sched.h>
#include <unistd.h>

#include <cstdlib>

namespace lab::device {
namespace {

// PoCL takes the first ones, and ends the program if one of them is not to be had.
bool has_all_processors() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0) return false;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    const long configured = sysconf(_SC_NPROCESSORS_CONF);
    return online == configured && CPU_COUNT(&allowed) == online;
}

}  // namespace

void suit_drivers() {
    constexpr int kKeepTheUsers = 0;
    if (has_all_processors()) setenv("POCL_AFFINITY", "1", kKeepTheUsers);
}

}  // namespace lab::device
