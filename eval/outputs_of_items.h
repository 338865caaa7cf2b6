// What `eval metric --items I --outputs O` measures: revisions from one file, and from another their texts, references and
// domains.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/json.h"
#include "data/revised_text.h"
#include "metrics/runner.h"

namespace craft {

class OutputsOfItems {
public:
    // With rounds, the outputs have some (read_revised_rounds()). Throws Error as the readers of outputs do.
    OutputsOfItems(const std::string& file, bool rounds, const JsonLinesOptions& lines);

    // The revision of an item {"id","text","references"?,"domain"?}, whose text may also stand under "source"; it counts in
    // the item's domains and in the last round. With rounds, what it was after those before, which counts in these alone.
    // Nothing where there is no output. Throws Error naming `where` and the field that is missing or wrong.
    std::vector<GroupedItem> read(const Json& row, const MetricNeeds& needs, const std::string& where);
    // {"missing"}: items without an output; with rounds also "rounds", how many there are at most, and "ended_early", the
    // texts that have fewer. Throws Error if an output is of no item.
    Json finish() const;

private:
    struct Output {
        RevisedText revised;
        bool is_used = false;
    };
    std::unordered_map<std::string, Output> outputs_;
    size_t rounds_ = 0;  // 0: none were asked for
    int64_t missing_ = 0, ended_early_ = 0;
};

}  // namespace craft
