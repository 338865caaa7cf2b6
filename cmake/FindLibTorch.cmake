# LibTorch without its own CMake package, which demands a CUDA toolkit even where none is needed.
# Input: CRAFT_LIBTORCH (folder with include/ and lib/), else .venv of the source tree. Output: target LibTorch::LibTorch.
set(CRAFT_LIBTORCH "$ENV{CRAFT_LIBTORCH}" CACHE PATH "Folder of LibTorch (with include/ and lib/); empty: the one in .venv/")
if(DEFINED ENV{CRAFT_LIBTORCH})
  set_property(CACHE CRAFT_LIBTORCH PROPERTY VALUE "$ENV{CRAFT_LIBTORCH}")
endif()
set(_torch "${CRAFT_LIBTORCH}")
if(NOT _torch STREQUAL "$CACHE{_craft_libtorch_found_in}")  # another one than when this build folder was configured last
  foreach(found LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR)
    unset(${found} CACHE)
  endforeach()
endif()
set(_craft_libtorch_found_in "${_torch}" CACHE INTERNAL "")
if(NOT _torch)
  file(GLOB _torch "${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/torch")
endif()
find_library(LibTorch_CPU_LIBRARY torch_cpu PATHS "${_torch}/lib" NO_DEFAULT_PATH)
find_library(LibTorch_C10_LIBRARY c10 PATHS "${_torch}/lib" NO_DEFAULT_PATH)
find_path(LibTorch_INCLUDE_DIR ATen/ATen.h PATHS "${_torch}/include" NO_DEFAULT_PATH)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibTorch
  REQUIRED_VARS LibTorch_CPU_LIBRARY LibTorch_C10_LIBRARY LibTorch_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "run scripts/setup.sh, or give -DCRAFT_LIBTORCH=DIR")
if(LibTorch_FOUND AND NOT TARGET LibTorch::LibTorch)
  add_library(LibTorch::LibTorch INTERFACE IMPORTED)
  target_include_directories(LibTorch::LibTorch SYSTEM INTERFACE
    "${LibTorch_INCLUDE_DIR}" "${LibTorch_INCLUDE_DIR}/torch/csrc/api/include")
  get_filename_component(_lib "${LibTorch_CPU_LIBRARY}" DIRECTORY)
  # libtorch.so itself would pull in every CUDA library; a CPU build opens libtorch_cuda.so only when a GPU is asked for.
  target_link_libraries(LibTorch::LibTorch INTERFACE "${LibTorch_CPU_LIBRARY}" "${LibTorch_C10_LIBRARY}")
  # at::parallel_for is a template in LibTorch's headers: without OpenMP it is compiled to a loop of one thread.
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  # By its flag and not by its target: of the compiler's and LibTorch's libgomp.so.1, the one beside LibTorch is found first.
  target_compile_options(LibTorch::LibTorch INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${OpenMP_CXX_FLAGS}>")
  target_link_options(LibTorch::LibTorch INTERFACE "${OpenMP_CXX_FLAGS}")
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 18)
    # Later clangs name some of LibTorch's templates otherwise than the GCC that built it.
    target_compile_options(LibTorch::LibTorch INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-fclang-abi-compat=17>")
  endif()
  if(CRAFT_CUDA)
    find_package(CUDAToolkit REQUIRED)
    target_link_libraries(LibTorch::LibTorch INTERFACE "-Wl,--no-as-needed" "${_lib}/libtorch_cuda.so" "${_lib}/libc10_cuda.so"
      "-Wl,--as-needed" CUDA::cudart)
    target_compile_definitions(LibTorch::LibTorch INTERFACE CRAFT_CUDA=1)
  endif()
  set_target_properties(LibTorch::LibTorch PROPERTIES INTERFACE_LINK_DIRECTORIES "${_lib}")
endif()
