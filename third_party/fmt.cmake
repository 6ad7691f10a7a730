# Text and numbers: GCC 12 has no std::format.
lab_dependency(fmt
  WANTED  "fmt 9 or newer"
  FOR     "both programs (app/base and all above it)"
  GET     "apt-get install libfmt-dev"
  RELEASE 9.1.0
  GIT     https://github.com/fmtlib/fmt.git
  COMMIT  a33701196adfad74917046096bf5a2aa0ab0bb50)

lab_use_package("fmt 9" fmt::fmt)
lab_use_source(fmt::fmt)
