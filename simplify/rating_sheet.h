// Simplifications for people to rate who are not told which system made them (policy simplification §4.5): a table for the
// raters, and a key that says what each of its items is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/json.h"
#include "data/revised_text.h"

namespace craft {

struct RatingItem {
    int64_t item = 0;  // from 1, the row of the sheet
    std::string id, system;
    std::string source, text;
    std::string hash;  // of source and text, white space apart: spreadsheets change that
    bool operator==(const RatingItem&) const = default;
};

struct RatingSheetOptions {
    std::string policy;   // what the systems were asked for
    int64_t sample = 60;  // sentences, each in all systems' simplifications; 0: all
    uint64_t seed = 1;    // of the sentences and of the order
};

struct RatingSheet {
    static constexpr int64_t kLowest = 1, kHighest = 5;  // marks
    RatingSheetOptions options;
    std::vector<RatingItem> items;  // in the order of the sheet
    // Of the sentences: how many there were, how many could not be taken and why ("no output of NAME", "empty output of
    // NAME"; each sentence once, for the first system that lacks it), how many were not drawn.
    int64_t sentences = 0, left = 0;
    std::map<std::string, int64_t> dropped;
    // Sentences of the sheet on which several systems have the same text: their items look alike.
    int64_t same_text = 0;
};

struct SystemOutputs {
    std::string system;
    std::vector<RevisedText> outputs;
};

// Draws sentences of `sources` and the order of all their simplifications, both by seed and id, so that what else could be
// drawn changes no order. Throws Error on fewer than two systems, on two of one name, on outputs with an id that no source
// has, and where fewer sentences than `sample` have a text of every system.
RatingSheet make_rating_sheet(const std::vector<RevisedText>& sources, const std::vector<SystemOutputs>& systems,
                              const RatingSheetOptions& options);

// The sheet as CSV (text/csv.h) in UTF-8 after a byte order mark, which spreadsheets ask for: columns item, source,
// simplification, and rating, which is empty.
std::string rating_sheet_csv(const RatingSheet& sheet);

// {"kind","version","policy","seed","sample","scale":[1,5],"systems":[...],"items":[{"item","id","system","hash"}...],
// "sentences":{"given","dropped","not_drawn","same_text"}}
Json rating_key(const RatingSheet& sheet);

// What the key says of an item; `source` and `text` are not in it.
struct RatingKey {
    std::string policy;
    std::vector<std::string> systems;
    std::vector<RatingItem> items;  // item n stands at n - 1
};
// Throws Error naming `where` on another form.
RatingKey rating_key_from_json(const Json& key, const std::string& where);

// RatingItem::hash.
std::string rating_hash(const std::string& source, const std::string& text);

}  // namespace craft
