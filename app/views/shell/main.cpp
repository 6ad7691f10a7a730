// reduction-lab: the window.
#include "views/shell/app.h"

int main(int argc, char** argv) {
    return lab::gui::run_app(argc, argv);
}
