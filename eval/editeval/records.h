// What the readers make of every data set: one text with what it was edited to (EditEval §3).
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/rng.h"

namespace craft {

// A passage that an updated text may take from (EditEval §3.5).
struct RetrievedDocument {
    std::string title;  // may be empty
    std::string text;
};

struct EditItem {
    std::string id;                                 // unique over all data sets: "jfleg-dev-0"
    std::string input;                              // never empty
    std::vector<std::string> references;            // the gold edits; at least one, none of them blank
    std::string title = {};                         // of the article; empty: none
    std::vector<RetrievedDocument> documents = {};  // of updating; best first
};

// The rows of a file that were kept, and what became of the others.
struct EditItems {
    std::vector<EditItem> items;
    std::map<std::string, int64_t> dropped;         // reason: rows; "no edits"
    std::map<std::string, int64_t> noted;           // what was changed in kept rows: "blank reference left out"
    std::vector<std::filesystem::path> files = {};  // that were read
    std::set<std::string> dropped_ids = {};         // of rows that have one and were left out
    int64_t references = 0;  // that an item has at most, of the split with the fewest; 0: nobody counted, one

    // A split's items have up to `most` references.
    void note_references(int64_t most) { references = references == 0 ? most : std::min(references, most); }
};

// Takes the row over unless it has no input or no edits; blank references are left out. What was left out is counted.
void keep_item(EditItem item, EditItems& into);
// This many of the items at most, drawn at random, in the order in which they stood.
void draw_items(std::vector<EditItem>& items, int64_t most, Rng& rng);

}  // namespace craft
