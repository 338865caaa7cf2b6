#include "tests/source.h"

namespace craft {

std::string test_source(const std::string& below) {
    return CRAFT_TEST_SOURCE + below;
}

}  // namespace craft
