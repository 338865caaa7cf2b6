#include "english/letter_changes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "text/code_points.h"

namespace craft {

size_t letter_changes(std::string_view a, std::string_view b) {
    const std::u32string x = decode_utf8(a), y = decode_utf8(b);
    std::array<std::vector<size_t>, 3> rows;
    for (auto& row : rows) row.resize(y.size() + 1);
    for (size_t j = 0; j <= y.size(); ++j) rows[0][j] = j;
    for (size_t i = 1; i <= x.size(); ++i) {
        auto &row = rows[i % 3], &above = rows[(i + 2) % 3], &second = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= y.size(); ++j) {
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && x[i - 1] == y[j - 2] && x[i - 2] == y[j - 1]) row[j] = std::min(row[j], second[j - 2] + 1);
        }
    }
    return rows[x.size() % 3][y.size()];
}

}  // namespace craft
