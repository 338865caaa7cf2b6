// The version of this program (project() in CMakeLists.txt).
#pragma once

namespace craft {

const char* version();
// Of the libraries that the build found; LibTorch says its own.
const char* sentencepiece_version();
const char* hdf5_version();

}  // namespace craft
