# QR codes: a link that a class reads off the wall.
lab_dependency(qrcodegen
  WANTED  "Nayuki's QR Code generator 1.8 or newer, for C++"
  FOR     "the app, reduction-lab (app/views/files)"
  GET     "apt-get install libqrcodegencpp-dev"
  RELEASE 1.8.0
  GIT     https://github.com/nayuki/QR-Code-generator.git
  COMMIT  720f62bddb7226106071d4728c292cb1df519ceb)

lab_use_pkg_config("qrcodegencpp>=1.8")
if(NOT TARGET lab::qrcodegen)
  lab_source_folder(tree cpp/qrcodegen.cpp)
  if(tree)
    add_library(lab_qrcodegen STATIC ${tree}/cpp/qrcodegen.cpp)
    target_include_directories(lab_qrcodegen SYSTEM PUBLIC ${tree}/cpp)
    lab_used(${tree})
  endif()
endif()
