// The version of this program (project() in CMakeLists.txt).
#pragma once

namespace craft {

const char* version();
// Of the libraries that the build found; LibTorch says its own.
const char* sentencepiece_version();
const char* hdf5_version();
const char* icu_version();
const char* pcre2_version();
// That this program was built with: "GCC 12.2.0".
const char* compiler_version();

}  // namespace craft
