// Runs the fuzz target once over each file of some folders, where there is no fuzzer to do it.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "base/paths.h"
#include "base/problem.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<lab::fs::path> files_of(const char* folder) {
    std::vector<lab::fs::path> files;
    for (const auto& entry : lab::fs::directory_iterator(folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

int main(int argc, char** argv) try {
    std::size_t count = 0;
    for (int i = 1; i < argc; ++i)
        for (const lab::fs::path& file : files_of(argv[i])) {
            std::fprintf(stderr, "%s\n", file.c_str());  // the last one is the one that failed
            const std::string text = lab::read_file(file);
            LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
            ++count;
        }
    std::printf("%zu files, none of which fails\n", count);
    return count == 0 ? 1 : 0;
} catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 2;
}
