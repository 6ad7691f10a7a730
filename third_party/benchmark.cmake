# Google Benchmark: what our own code costs.
lab_dependency(benchmark
  WANTED  "Google Benchmark 1.7 or newer"
  FOR     "the micro-benchmarks (configure with -DLAB_TESTS=OFF to build without them)"
  GET     "apt-get install libbenchmark-dev"
  RELEASE 1.7.1
  GIT     https://github.com/google/benchmark.git
  COMMIT  d572f4777349d43653b21d6c2fc63020ab326db2)

lab_use_package("benchmark 1.7" benchmark::benchmark)
lab_use_source(benchmark::benchmark OPTIONS BENCHMARK_ENABLE_TESTING=OFF
  BENCHMARK_ENABLE_INSTALL=OFF BENCHMARK_ENABLE_WERROR=OFF)
