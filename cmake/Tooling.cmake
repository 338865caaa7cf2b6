# ccache and mold where they are there; sanitizers by preset. What was compiled in one clone serves others: paths below its root
# are taken as relative ones, and the folder that debug information names does not count.
find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
    "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${CCACHE}")
endif()
find_program(MOLD mold)
if(MOLD)
  add_link_options(-fuse-ld=mold)
endif()
set(CRAFT_SANITIZE "" CACHE STRING "Sanitizers for our own code, e.g. address,undefined")
if(CRAFT_SANITIZE)
  add_compile_options(-fsanitize=${CRAFT_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Two fifths of the time to compile, for what AddressSanitizer sees as well or x86 does not mind.
    add_compile_options(-fno-sanitize=null,object-size,alignment,vptr)
  endif()
  add_link_options(-fsanitize=${CRAFT_SANITIZE})
endif()
