# The page for browsers: reduction-lab.js and .wasm, which web.sh puts beside web/ and the packed data.
add_executable(reduction-lab-web views/shell/main_web.cpp)
set_target_properties(reduction-lab-web PROPERTIES OUTPUT_NAME reduction-lab SUFFIX .js)
target_link_libraries(reduction-lab-web PRIVATE lab_gui lab_warnings)
target_link_options(reduction-lab-web PRIVATE
  -sMODULARIZE -sEXPORT_NAME=ReductionLab -sENVIRONMENT=web,worker -sEXIT_RUNTIME=0
  -sALLOW_MEMORY_GROWTH -sINITIAL_MEMORY=64MB -sMAXIMUM_MEMORY=2GB -sTOTAL_STACK=4MB
  -sFORCE_FILESYSTEM -sINVOKE_RUN=0 -sUSE_GLFW=3 -sDISABLE_EXCEPTION_CATCHING=1
  -sEXPORTED_FUNCTIONS=_main,_malloc,_free
  -sEXPORTED_RUNTIME_METHODS=ccall,callMain,FS,ENV,allocateUTF8)
