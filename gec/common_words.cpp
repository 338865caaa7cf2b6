#include "gec/common_words.h"

#include <algorithm>
#include <unordered_map>

#include "text/character_similarity.h"
#include "text/utf8.h"

namespace craft {

namespace {

using Words = std::vector<std::string_view>;
using Places = std::vector<std::pair<size_t, size_t>>;

constexpr size_t kMaxMoved = 12;                 // words of a region within which words may have moved
constexpr size_t kMaxAligned = size_t{1} << 12;  // pairs of words that are compared by their characters

// Furthest positions in `a` on the diagonals -d..d, one row per number of differences.
using FurthestRows = std::vector<std::vector<int64_t>>;

// The rows up to the first that reaches both ends; empty: more than kMaxWordDifferences.
FurthestRows furthest_rows(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
    const auto n = static_cast<int64_t>(a.size()), m = static_cast<int64_t>(b.size());
    const int64_t most = std::min<int64_t>(n + m, kMaxWordDifferences);
    FurthestRows rows;
    for (int64_t d = 0; d <= most; ++d) {
        std::vector<int64_t> row(static_cast<size_t>(2 * d + 1), -1);
        for (int64_t k = -d; k <= d; k += 2) {
            int64_t x = 0;
            if (d > 0) {
                const std::vector<int64_t>& before = rows.back();  // its diagonal k stands at k + d - 1
                const int64_t down = k < d ? before[static_cast<size_t>(k + d)] : -1;
                const int64_t right = k > -d ? before[static_cast<size_t>(k + d - 2)] : -1;
                const bool goes_down = k == -d || (k != d && right < down);
                x = goes_down ? down : right + 1;
            }
            while (x < n && x - k < m && x - k >= 0 && a[static_cast<size_t>(x)] == b[static_cast<size_t>(x - k)]) ++x;
            row[static_cast<size_t>(k + d)] = x;
            if (k != n - m || x < n) continue;
            rows.push_back(std::move(row));
            return rows;
        }
        rows.push_back(std::move(row));
    }
    return {};
}

Places places_of(const FurthestRows& rows, int64_t n, int64_t m) {
    Places places;
    int64_t x = n, k = n - m;
    for (auto d = static_cast<int64_t>(rows.size()) - 1; d >= 0; --d) {
        int64_t start = 0, next_k = k, next_x = 0;
        if (d > 0) {
            const std::vector<int64_t>& before = rows[static_cast<size_t>(d - 1)];
            const auto at = [&](int64_t diagonal) { return before[static_cast<size_t>(diagonal + d - 1)]; };
            const bool goes_down = k == -d || (k != d && at(k - 1) < at(k + 1));
            next_k = goes_down ? k + 1 : k - 1;
            next_x = at(next_k);
            start = goes_down ? next_x : next_x + 1;
        }
        for (; x > start; --x) places.emplace_back(static_cast<size_t>(x - 1), static_cast<size_t>(x - 1 - k));
        x = next_x;
        k = next_k;
    }
    std::reverse(places.begin(), places.end());
    return places;
}

std::vector<std::string> lowered(const Words& words, size_t begin, size_t end) {
    std::vector<std::string> out;
    for (size_t i = begin; i < end; ++i) out.push_back(lowercase(words[i]));
    return out;
}

bool only_moves(const Words& a, const Words& b, const ChangedWords& region) {
    const size_t size = region.a_end - region.a_begin;
    if (size < 2 || size > kMaxMoved || size != region.b_end - region.b_begin) return false;
    std::vector<std::string> of_a = lowered(a, region.a_begin, region.a_end);
    std::vector<std::string> of_b = lowered(b, region.b_begin, region.b_end);
    if (of_a == of_b) return false;  // another case alone
    std::sort(of_a.begin(), of_a.end());
    std::sort(of_b.begin(), of_b.end());
    return of_a == of_b;
}

// Joins neighbouring regions within which words only moved.
std::vector<ChangedWords> with_moves(const Words& a, const Words& b, const std::vector<ChangedWords>& regions) {
    std::vector<ChangedWords> out;
    for (size_t i = 0; i < regions.size(); ++i) {
        ChangedWords joined = regions[i];
        for (size_t j = i; j < regions.size() && regions[j].a_end - regions[i].a_begin <= kMaxMoved; ++j) {
            const ChangedWords both{regions[i].a_begin, regions[j].a_end, regions[i].b_begin, regions[j].b_end, true};
            if (!only_moves(a, b, both)) continue;
            joined = both;
            i = j;
            break;
        }
        out.push_back(joined);
    }
    return out;
}

std::string without_joints(const Words& words, size_t begin, size_t end) {
    std::string out;
    for (const std::string& word : lowered(words, begin, end))
        for (const char c : word)
            if (c != '-') out += c;
    return out;
}

bool only_joins(const Words& a, const Words& b, const ChangedWords& one) {
    const size_t of_a = one.a_end - one.a_begin, of_b = one.b_end - one.b_begin;
    return of_a > 0 && of_b > 0 && of_a != of_b &&
           without_joints(a, one.a_begin, one.a_end) == without_joints(b, one.b_begin, one.b_end);
}

// Steps of the cheapest way from the one region's words to the other's: a word removed or inserted costs 1, one in another's
// place twice the share of its characters that differ.
std::vector<ChangedWords> aligned_steps(const Words& a, const Words& b, const ChangedWords& region) {
    const size_t n = region.a_end - region.a_begin, m = region.b_end - region.b_begin;
    std::vector<std::vector<double>> cost(n + 1, std::vector<double>(m + 1, 0));
    std::vector<std::vector<double>> instead(n, std::vector<double>(m, 0));
    for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < m; ++j)
            instead[i][j] = 2 * (1 - indel_similarity(lowercase(a[region.a_begin + i]), lowercase(b[region.b_begin + j])));
    for (size_t i = 0; i <= n; ++i)
        for (size_t j = 0; j <= m; ++j) {
            if (i == 0 || j == 0)
                cost[i][j] = static_cast<double>(i + j);
            else
                cost[i][j] = std::min({cost[i - 1][j - 1] + instead[i - 1][j - 1], cost[i - 1][j] + 1, cost[i][j - 1] + 1});
        }
    std::vector<ChangedWords> steps;
    for (size_t i = n, j = m; i > 0 || j > 0;) {
        const bool both = i > 0 && j > 0 && cost[i][j] == cost[i - 1][j - 1] + instead[i - 1][j - 1];
        const bool removes = !both && i > 0 && cost[i][j] == cost[i - 1][j] + 1;
        const size_t from_i = both || removes ? i - 1 : i, from_j = both || !removes ? j - 1 : j;
        steps.push_back({region.a_begin + from_i, region.a_begin + i, region.b_begin + from_j, region.b_begin + j});
        i = from_i;
        j = from_j;
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
}

bool is_pair(const ChangedWords& one) {
    return one.a_end > one.a_begin && one.b_end > one.b_begin;
}

// Removals and insertions side by side are one change; so are steps that only join or part words.
std::vector<ChangedWords> merged_steps(const Words& a, const Words& b, const std::vector<ChangedWords>& steps) {
    std::vector<ChangedWords> out;
    for (const ChangedWords& step : steps) {
        out.push_back(step);
        while (out.size() > 1) {
            const ChangedWords& last = out.back();
            const ChangedWords& before = out[out.size() - 2];
            const ChangedWords both{before.a_begin, last.a_end, before.b_begin, last.b_end};
            if ((is_pair(before) || is_pair(last)) && !only_joins(a, b, both)) break;
            out.pop_back();
            out.back() = both;
        }
    }
    return out;
}

std::vector<uint32_t> numbered(const Words& words, std::unordered_map<std::string_view, uint32_t>& numbers) {
    std::vector<uint32_t> out;
    out.reserve(words.size());
    for (const std::string_view word : words)
        out.push_back(numbers.emplace(word, static_cast<uint32_t>(numbers.size())).first->second);
    return out;
}

}  // namespace

Places common_words(const Words& a, const Words& b) {
    size_t begin = 0, end = 0;
    while (begin < a.size() && begin < b.size() && a[begin] == b[begin]) ++begin;
    while (end + begin < a.size() && end + begin < b.size() && a[a.size() - 1 - end] == b[b.size() - 1 - end]) ++end;
    Places places;
    for (size_t i = 0; i < begin; ++i) places.emplace_back(i, i);
    std::unordered_map<std::string_view, uint32_t> numbers;
    const auto middle = [&](const Words& words) {
        return numbered(
            Words(words.begin() + static_cast<std::ptrdiff_t>(begin), words.end() - static_cast<std::ptrdiff_t>(end)),
            numbers);
    };
    const std::vector<uint32_t> of_a = middle(a), of_b = middle(b);
    const FurthestRows rows = furthest_rows(of_a, of_b);
    for (const auto& place : places_of(rows, static_cast<int64_t>(of_a.size()), static_cast<int64_t>(of_b.size())))
        places.emplace_back(place.first + begin, place.second + begin);
    for (size_t i = end; i > 0; --i) places.emplace_back(a.size() - i, b.size() - i);
    return places;
}

std::vector<ChangedWords> changed_regions(const Words& a, const Words& b) {
    Places places = common_words(a, b);
    places.emplace_back(a.size(), b.size());
    std::vector<ChangedWords> regions;
    size_t i = 0, j = 0;
    for (const auto& place : places) {
        if (place.first > i || place.second > j) regions.push_back({i, place.first, j, place.second});
        i = place.first + 1;
        j = place.second + 1;
    }
    return with_moves(a, b, regions);
}

std::vector<ChangedWords> changed_words(const Words& a, const Words& b) {
    std::vector<ChangedWords> out;
    for (const ChangedWords& region : changed_regions(a, b)) {
        const size_t pairs = (region.a_end - region.a_begin) * (region.b_end - region.b_begin);
        if (region.reordered || pairs <= 1 || pairs > kMaxAligned || only_joins(a, b, region)) {
            out.push_back(region);
            continue;
        }
        for (const ChangedWords& step : merged_steps(a, b, aligned_steps(a, b, region))) out.push_back(step);
    }
    return out;
}

}  // namespace craft
