#include "core/version.h"

namespace craft {

const char* version() {
    return CRAFT_VERSION;
}

const char* sentencepiece_version() {
    return CRAFT_SENTENCEPIECE_VERSION;
}

const char* hdf5_version() {
    return CRAFT_HDF5_VERSION;
}

const char* icu_version() {
    return CRAFT_ICU_VERSION;
}

const char* pcre2_version() {
    return CRAFT_PCRE2_VERSION;
}

const char* compiler_version() {
#if defined(__clang__)
    return "Clang " __clang_version__;
#else
    return "GCC " __VERSION__;
#endif
}

}  // namespace craft
