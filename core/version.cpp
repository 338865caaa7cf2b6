#include "core/version.h"

namespace craft {

const char* version() {
    return CRAFT_VERSION;
}

}  // namespace craft
