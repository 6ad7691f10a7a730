# Cairo: PNG and PDF. It builds with Meson and stands on the system's fonts, so it is installed,
# never fetched; LAB_CAIRO_DIR names an installed prefix.
lab_dependency(cairo
  WANTED "Cairo 1.16 or newer, with FreeType, PNG and PDF"
  FOR    "both programs (app/draw)"
  GET    "apt-get install libcairo2-dev pkg-config")

lab_use_pkg_config(cairo>=1.16 cairo-ft cairo-png cairo-pdf)
