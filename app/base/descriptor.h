// A file descriptor with one owner, which closes it at the end.
#pragma once

#include <unistd.h>

#include <utility>

namespace lab {

class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~Descriptor() { close(); }

    bool open() const { return number_ >= 0; }
    int number() const { return number_; }
    int release() { return std::exchange(number_, -1); }
    void close() {
        if (open()) ::close(release());
    }

  private:
    int number_ = -1;
};

}  // namespace lab
