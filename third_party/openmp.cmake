# OpenMP: one of the host's own loops that reductions are held against. It comes with the compiler.
lab_dependency(openmp
  WANTED "a compiler with OpenMP 4.0 or newer"
  FOR    "the references of measurements (app/measure)"
  GET    "apt-get install g++")

lab_use_package("OpenMP 4.0 COMPONENTS CXX" OpenMP::OpenMP_CXX)
