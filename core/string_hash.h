// Looks up strings in hashed containers by views of them.
#pragma once

#include <functional>
#include <string_view>

namespace craft {

struct StringHash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
};

}  // namespace craft
