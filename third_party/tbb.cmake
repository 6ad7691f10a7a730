# TBB: std::reduce(par_unseq) runs on it, one of the host's own loops that reductions are held against.
lab_dependency(tbb
  WANTED  "oneTBB 2021.5 or newer"
  FOR     "the references of measurements (app/measure)"
  GET     "apt-get install libtbb-dev"
  RELEASE 2021.8.0
  GIT     https://github.com/oneapi-src/oneTBB.git
  COMMIT  c9497714821c3d443ee44c732609eb6850195ffb)

lab_use_package("TBB 2021.5" TBB::tbb)
lab_use_source(TBB::tbb OPTIONS TBB_TEST=OFF TBB_STRICT=OFF TBB_INSTALL=OFF TBBMALLOC_BUILD=OFF)
