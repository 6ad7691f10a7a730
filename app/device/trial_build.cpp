#include "device/trial_build.h"

namespace lab::device {

bool TrialBuild::works() {
    if (!works_) {
        try {
            cl::Program(context_, text_).build({device_}, options_.c_str());
            works_ = true;
        } catch (const cl::Error&) {
            works_ = false;
        }
    }
    return *works_;
}

}  // namespace lab::device
