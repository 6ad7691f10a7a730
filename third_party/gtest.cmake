# GoogleTest: the unit tests.
lab_dependency(gtest
  WANTED  "GoogleTest 1.12 or newer, with GoogleMock"
  FOR     "the tests (configure with -DLAB_TESTS=OFF to build without them)"
  GET     "apt-get install libgtest-dev libgmock-dev"
  RELEASE 1.12.1
  GIT     https://github.com/google/googletest.git
  COMMIT  58d77fa8070e8cec2dc1ed015d66b454c8d78850)

lab_use_package("GTest 1.12" GTest::gmock GTest::gtest_main)
lab_use_source(gmock gtest_main OPTIONS INSTALL_GTEST=OFF)
