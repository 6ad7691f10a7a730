# FreeType: how wide a text is. It has to be the library that Cairo draws with, a second copy in one
# program would not do: so it is installed with Cairo, never fetched.
lab_dependency(freetype
  WANTED "FreeType 2.12 or newer, the one that Cairo uses"
  FOR    "both programs (app/draw), and the app's interface (Dear ImGui)"
  GET    "apt-get install libfreetype-dev pkg-config")

lab_use_pkg_config(freetype2>=24.2)  # the number of its libtool; 24.2 is FreeType 2.12.0
