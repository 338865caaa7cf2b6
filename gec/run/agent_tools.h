// The grammar agent's tools, opened in one place.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gec/direct_corrector.h"
#include "gec/retrieval/retrieval_database.h"
#include "gec/retrieval/web_search.h"
#include "model/kernels/placement.h"
#include "systems/open/asking_run.h"
#include "tools/grammar/grammar_tools.h"
#include "tools/tool_set.h"

namespace craft {

struct GecToolOptions {
    std::vector<std::string> tools = {"all"};  // names; "all", or "none"
    GrammarToolSettings grammar;
    std::filesystem::path retrieval, encoder;  // a database of examples, and who made its vectors; empty: none
    int64_t examples = 3;                      // that a search gives at most
    WebSearchOptions web;                      // without a URL there is no web search
};

// All names that there are, and the two that search something.
inline constexpr const char* kSearchExamples = "search_examples";
inline constexpr const char* kWebSearch = "web_search";
std::vector<std::string> gec_tool_names();
// Whether it is named, or all are.
bool is_wanted_tool(const GecToolOptions& options, const std::string& tool);

class GecTools {
public:
    // "all" are those of grammar, and those that have something to search. Throws Error as each of them does where something
    // is not installed or not right. `asking` must outlive it.
    GecTools(const GecToolOptions& options, const PlacementOptions& placing, AskingRun& asking);
    // May be used by several threads at once.
    const ToolSet& set() const { return *set_; }
    // The nearest pairs of the database; null without one.
    NearestPairs nearest() const;
    // What the tools counted themselves, for manifests; null: nothing.
    Json figures() const;

private:
    std::shared_ptr<GrammarTools> grammar_;
    std::shared_ptr<RetrievalDatabase> database_;
    std::optional<ToolSet> set_;
};

}  // namespace craft
