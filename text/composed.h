// Unicode's normal form C: "e" and a combining accent after it are one sign.
#pragma once

#include <string>

namespace craft {

// Bytes that are not UTF-8 are left as they are, and all around them. Throws Error where ICU lacks its tables.
std::string composed(const std::string& text);

}  // namespace craft
