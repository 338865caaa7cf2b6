// Rows of JSON Lines: of the data sets as the Hub has them, and the records that the benchmark's own program makes of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/json.h"
#include "eval/editeval/records.h"
#include "eval/editeval/task.h"

namespace craft {

// Which data set and split a row is said to be of.
struct EditRowSource {
    std::string dataset;  // "jfleg"
    EditTask task = EditTask::fluency;
    std::string split;  // "test"
};

// Whether it is a record of the benchmark: it has 'edits'.
bool is_edit_record(const Json& row);

// {"id"?,"input","edits","tasks"?,"dataset"?,"title"?,"retrieved_documents"?}, where 'edits' is a text or a list of texts;
// the task may also stand under 'task' or 'task_type'. A record of another task or data set is left out and counted. Its id
// is kept, but for IteraTeR, whose three data sets have the same ids there: "iterater-test-0" becomes
// "iterater_clarity-test-0". One without an id is number `number` of its split. Throws Error naming `where` and field.
void keep_edit_record(const Json& row, const std::string& where, const EditRowSource& source, int64_t number,
                      EditItems& into);

// A file of rows of JFLEG, ASSET, TurkCorpus, STS-B or WNC: {"sentence","corrections"}, {"original","simplifications"} or
// {"sentence1","sentence2","similarity_score"}, as the data set has them on the Hub, or for all {"source","references"}, or
// the benchmark's records. Items are "DATASET-SPLIT-i", i counting the rows, and of STS-B those of score 5. Throws Error
// naming file, line and field; and as JsonLinesReader does.
void read_edit_rows(const std::filesystem::path& file, const EditRowSource& source, const JsonLinesOptions& lines,
                    EditItems& into);

// {"title"?,"text"} of a list, without those that have no text. Throws Error on what is none.
void read_documents(const Json& list, const std::string& where, std::vector<RetrievedDocument>& into);

}  // namespace craft
