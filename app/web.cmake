# The page for browsers.
add_executable(reduction-lab-web gui/main_web.cpp)
target_link_libraries(reduction-lab-web PRIVATE lab_gui lab_warnings)
