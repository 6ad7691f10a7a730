# CommonMark, for lessons.
lab_dependency(md4c
  WANTED  "md4c 0.4.7 or newer"
  FOR     "both programs (app/lessons)"
  GET     "apt-get install libmd4c-dev")

lab_use_pkg_config("md4c>=0.4.7")
