#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ext/stdio_filebuf.h>
#include <iostream>

#include "base/child_process.h"
#include "base/problem.h"
#include "worker/protocol.h"

namespace lab::worker {

using Buffer = __gnu_cxx::stdio_filebuf<char>;  // a stream buffer on a descriptor

void serve_standard_streams(const std::map<std::string, Method>& methods) {
    std::cout.flush();
    std::fflush(stdout);
    const Descriptor output(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    if (!output.open() || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        throw Problem("The server has no output", std::generic_category().message(errno),
                      "Start it with its standard streams open");
    Buffer in_buffer(STDIN_FILENO, std::ios::in), out_buffer(output.number(), std::ios::out);
    std::istream in(&in_buffer);
    std::ostream out(&out_buffer);
    serve(in, out, methods);
    ::dup2(output.number(), STDOUT_FILENO);
}

void end_with_parent() {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
}

}  // namespace lab::worker
