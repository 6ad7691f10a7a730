# JSON: requests to the worker, result files, settings, translations.
lab_dependency(json
  WANTED  "JSON for Modern C++ (nlohmann) 3.11 or newer"
  FOR     "both programs (app/base and all above it)"
  GET     "apt-get install nlohmann-json3-dev"
  RELEASE 3.11.2
  GIT     https://github.com/nlohmann/json.git
  COMMIT  bc889afb4c5bf1c0d8ee29ef35eaaf4c8bef8a5d)

lab_use_package("nlohmann_json 3.11" nlohmann_json::nlohmann_json)
lab_use_source(nlohmann_json::nlohmann_json)
