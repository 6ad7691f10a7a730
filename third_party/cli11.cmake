# Command-line arguments.
lab_dependency(cli11
  WANTED  "CLI11 2.1.2 or newer"
  FOR     "reduction-lab-cli (app/cli)"
  GET     "apt-get install libcli11-dev"
  RELEASE 2.1.2
  GIT     https://github.com/CLIUtils/CLI11.git
  COMMIT  70f8072f9dd2292fd0b9f9e5f58e279f60483ed3)

lab_use_package("CLI11 2.1.2" CLI11::CLI11)
lab_use_source(CLI11::CLI11)
