# Compressed links to moments.
lab_dependency(zlib
  WANTED  "zlib 1.2 or newer"
  FOR     "the app (app/views)"
  GET     "apt-get install zlib1g-dev")

lab_use_pkg_config("zlib>=1.2")
