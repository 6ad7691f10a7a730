// Running our programs as a user would, in a world of their own.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "support/subprocess.h"
#include "support/temporary_folder.h"

namespace lab {

inline Finished cli(const std::vector<std::string>& arguments, const RunOptions& options = {}) {
    return run_program(LAB_BIN_DIR "/reduction-lab-cli", arguments, options);
}

inline bool installed(const std::string& tool) {
    return run_program("sh", {"-c", "command -v " + tool}).status == 0;
}

// A display of its own, for as long as it lives.
class Display {
  public:
    Display()
        : server_(start_process("Xvfb", {"-displayfd", "1", "-screen", "0", "2048x1536x24"})) {
        char digit = 0;
        while (read(server_.out.number(), &digit, 1) == 1 && digit != '\n')
            name_ += digit;
    }
    ~Display() {
        kill_group(server_.id);
        waitpid(server_.id, nullptr, 0);
    }
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

    const std::string& name() const { return name_; }  // as ":7"

  private:
    ChildProcess server_;
    std::string name_ = ":";
};

}  // namespace lab
