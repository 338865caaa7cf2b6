// What raters wrote into a sheet (simplify/rating_sheet.h), and what it says of the systems (policy simplification §4.5).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "metrics/statistics/paired.h"
#include "simplify/rating_sheet.h"

namespace craft {

// One rater's sheet.
struct RaterSheet {
    std::string name;                  // the file's
    std::map<int64_t, int64_t> marks;  // by item, from 1 to 5
    // Lines of rows that gave no mark, by reason: "missing" (an empty rating), "no whole number", "out of range", "no item"
    // (the item is none of the key's), "item twice" (neither row counts), "another text" (source and simplification are not
    // the item's), "other fields" (more or fewer than the heading has).
    std::map<std::string, std::vector<size_t>> unusable;
    std::vector<int64_t> absent;  // items that no row has
};

// A CSV file whose heading names the columns item, source, simplification and rating, in any order and case and beside
// others; fields are separated by commas, semicolons or tabs, by what stands in the heading. A mark is a whole number in
// plain digits. Throws Error naming `name` on another heading, and as parse_csv() does.
RaterSheet read_rater_sheet(std::string_view bytes, const std::string& name, const RatingKey& key);

struct RatingFiguresOptions {
    PairedOptions paired = [] {
        PairedOptions options;
        options.test = PairedTest::permutation;
        return options;
    }();
};

// {"policy","raters":[{"sheet","marks","unusable":{reason:{"count","lines"}},"absent"}...],
//  "systems":{NAME:{"items","marks","mean","distribution":{"1".."5":marks},"high","moderate","low"}},
//  "agreement":{"items","alpha_ordinal","raters":[{"a","b","items","same","kappa_quadratic"}...]} (of several raters),
//  "comparisons":[{"a","b","n","difference","interval","p","p_holm","wins","ties","losses"}...]}.
// An item's mark is the mean of its raters'; "high", "moderate" and "low" are the shares of items above 4, from 3 to 4,
// below
// 3. Comparisons are of the sentences on which both systems have a mark. Null: there is nothing to compute it from. Throws
// Error where no sheet has a mark.
Json rating_figures(const std::vector<RaterSheet>& raters, const RatingKey& key, const RatingFiguresOptions& options);

// The figures as lines for people.
std::string rating_table(const Json& figures);

}  // namespace craft
