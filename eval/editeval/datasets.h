// The ten data sets of EditEval (Table 1): where their files are looked for, and how they are read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/json.h"
#include "eval/editeval/data_folder.h"
#include "eval/editeval/records.h"
#include "eval/editeval/task.h"

namespace craft {

// Which rule makes its texts comparable before they are scored (eval/editeval/normaliser.h).
enum class EditTextRule { as_given, detokenised, fruit, wafer };

struct EditDataset {
    std::string name;          // "jfleg": the benchmark's own name
    std::string abbreviation;  // "JFL": that of the paper's tables
    EditTask task = EditTask::fluency;
    int64_t table_count = 0;          // Table 1's
    int64_t expected_references = 1;  // of each item, as its authors publish it
    EditTextRule rule = EditTextRule::as_given;
    std::vector<std::string> table_splits;        // those that Table 1 seems to count
    std::map<std::string, int64_t> split_counts;  // items of its splits as they are published; of others it is not known
    std::string layout;                           // which files, from where, in words
    // Reads a split's files; false if they are not there.
    bool (*read)(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                 const JsonLinesOptions& lines, EditItems& into) = nullptr;

    // Of these splits together; absent: it is not known.
    std::optional<int64_t> expected_count(const std::vector<std::string>& splits) const;
};

const std::vector<EditDataset>& edit_datasets();  // in the order of the paper's Table 3

struct ReadDataset {
    EditItems rows;
    std::map<std::string, int64_t> split_counts;  // items of each split that was read
    std::vector<std::string> missing_splits;      // of those that were asked for
    std::vector<std::string> absent_ids;          // what ids begin with of splits that were not read: "wnc-dev-"
    int64_t bad_lines = 0;                        // that were left out (JsonLinesOptions::skip_bad)
};

// The splits that are there of those asked for. A split is its authors' files, or a file of rows (eval/editeval/edit_rows.h)
// NAME-SPLIT.jsonl, or SPLIT.jsonl in a folder NAME. Throws Error on broken files, on two files that both could be meant,
// and on an id that stands in two splits.
ReadDataset read_edit_dataset(const EditDataset& dataset, const DataFolder& folder, const std::vector<std::string>& splits,
                              const JsonLinesOptions& lines);

// How many references an item has at most, of the split with the fewest; 0 without items.
int64_t references_of(const EditItems& rows);

}  // namespace craft
