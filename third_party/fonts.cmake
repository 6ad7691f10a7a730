# The fonts that every figure and the app are set in. They lie in share/reduction-lab/fonts under
# the names of their parts, with their own suffix: sans, bold, mono, mono-bold and cjk, in which
# characters are taken that the others lack. Fonts are never fetched: Debian packages them all.
lab_dependency(fonts
  WANTED "Inter (Regular, SemiBold), JetBrains Mono (Regular, Bold), and a Chinese font"
  FOR    "both programs (app/draw)"
  GET    "apt-get install fonts-inter fonts-jetbrains-mono fonts-noto-cjk")

if(DEP_DIR)
  set(folders ${DEP_DIR})
else()
  file(GLOB folders ${LAB_CACHE}/fonts-*)
  if(LAB_SYSTEM_PACKAGES)
    list(PREPEND folders /usr/share/fonts /usr/local/share/fonts "$ENV{HOME}/.local/share/fonts")
    string(REPLACE ":" ";" data "$ENV{XDG_DATA_DIRS}")  # as in a Nix shell
    foreach(folder IN LISTS data)
      list(APPEND folders ${folder}/fonts)
    endforeach()
  endif()
endif()

# lab_font(PART file…): the first of these files that is found, in the order they are named.
function(lab_font part)
  foreach(name IN LISTS ARGN)
    foreach(folder IN LISTS folders)
      file(GLOB_RECURSE found ${folder}/${name})
      if(found)
        list(GET found 0 found)
        set(LAB_FONT_${part} ${found} PARENT_SCOPE)
        return()
      endif()
    endforeach()
  endforeach()
  set(LAB_FONT_${part} "" PARENT_SCOPE)
endfunction()

# Some systems have Inter as one variable font only: there DejaVu takes its place.
lab_font(sans      Inter-Regular.otf Inter-Regular.ttf DejaVuSans.ttf)
lab_font(bold      Inter-SemiBold.otf Inter-SemiBold.ttf DejaVuSans-Bold.ttf)
lab_font(mono      JetBrainsMono-Regular.ttf JetBrainsMono-Regular.otf DejaVuSansMono.ttf)
lab_font(mono-bold JetBrainsMono-Bold.ttf JetBrainsMono-Bold.otf DejaVuSansMono-Bold.ttf)
lab_font(cjk       NotoSansCJK-Regular.ttc NotoSansCJKsc-Regular.otf NotoSansCJK*.ttc
                   wqy-microhei.ttc DroidSansFallbackFull.ttf DroidSansFallback.ttf)

set(parts sans bold mono mono-bold cjk)
set(origin "")
foreach(part IN LISTS parts)
  if(LAB_FONT_${part})
    cmake_path(GET LAB_FONT_${part} FILENAME name)
    list(APPEND origin ${name})
  endif()
endforeach()
list(LENGTH origin found)
if(found EQUAL 5)
  file(REMOVE_RECURSE ${LAB_SHARE}/fonts)
  file(MAKE_DIRECTORY ${LAB_SHARE}/fonts)
  foreach(part IN LISTS parts)
    cmake_path(GET LAB_FONT_${part} EXTENSION LAST_ONLY suffix)
    file(CREATE_LINK ${LAB_FONT_${part}} ${LAB_SHARE}/fonts/${part}${suffix} SYMBOLIC)
    install(FILES ${LAB_FONT_${part}} DESTINATION ${CMAKE_INSTALL_DATADIR}/reduction-lab/fonts
      RENAME ${part}${suffix} COMPONENT fonts)
  endforeach()
  list(JOIN origin ", " origin)
  add_library(lab_fonts INTERFACE)
  foreach(part IN LISTS parts)  # where they are from, for the Debian package
    set_property(TARGET lab_fonts PROPERTY LAB_FONT_${part} ${LAB_FONT_${part}})
  endforeach()
  lab_used("${origin}")
endif()
