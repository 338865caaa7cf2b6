# nvcc and what it compiles for: machine code of compute capabilities 8.0 (A100) and 9.0 (H100, H200), and PTX for later ones.
find_package(CUDAToolkit 13.0 REQUIRED)
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  set(CMAKE_CUDA_COMPILER "${CUDAToolkit_NVCC_EXECUTABLE}")
endif()
set(CMAKE_CUDA_ARCHITECTURES 80-real 90 CACHE STRING "Compute capabilities, as CMake writes them")
# LibTorch brings the shared one, and two in one process do not know of each other's device and stream.
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
enable_language(CUDA)
set(CMAKE_CUDA_STANDARD 17)  # CMake 3.25 knows no CUDA20
set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -DNDEBUG")
