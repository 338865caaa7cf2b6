#include "view/natural_key.h"

#include <algorithm>

namespace craft {

std::string natural_key(const std::string& name) {
    constexpr size_t kDigits = 12;
    std::string key, digits;
    const auto end_digits = [&] {
        if (!digits.empty()) key += std::string(kDigits - std::min(kDigits, digits.size()), '0') + digits;
        digits.clear();
    };
    for (const char c : name) {
        if (c >= '0' && c <= '9') {
            digits += c;
            continue;
        }
        end_digits();
        key += c;
    }
    end_digits();
    return key;
}

}  // namespace craft
