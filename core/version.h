// The version of this program (project() in CMakeLists.txt).
#pragma once

namespace craft {

const char* version();

}  // namespace craft
