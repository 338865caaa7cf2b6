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

}  // namespace craft
