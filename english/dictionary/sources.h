// What is said where something of English is missing.
#pragma once

namespace craft {

inline constexpr const char* kHowToGetEnglish = "run scripts/setup.sh --english";

}  // namespace craft
