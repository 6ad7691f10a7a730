# Boost.Process: the app starts the command-line program and talks to it. Boost does not build with
# CMake in these versions, so it is installed, never fetched.
find_package(Threads REQUIRED)
lab_dependency(process
  WANTED "Boost 1.74 or newer: the headers, with Boost.Process, and Boost.Filesystem"
  FOR    "both programs (app/worker)"
  GET    "apt-get install libboost-dev libboost-filesystem-dev")

lab_use_package("Boost 1.74 CONFIG COMPONENTS filesystem"
  Boost::headers Boost::filesystem Threads::Threads)
