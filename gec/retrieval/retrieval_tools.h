// Retrieval as tools of the grammar agent (GEC-Agent §3.3.2).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gec/retrieval/retrieval_database.h"
#include "systems/system.h"
#include "tools/tool_set.h"

namespace craft {

// search_examples(sentence, concept): corrected sentences that are like the sentence, of those that teach the concept or
// have the word pair ("of -> on"). Either may be empty. `top` is how many at most.
std::vector<Tool> retrieval_tools(std::shared_ptr<RetrievalDatabase> database, int64_t top = 3);
// web_search(query), asked of such a system as SearxngSystem. A search that fails is a text that says so.
std::vector<Tool> web_search_tools(System& search);

// What a model reads of them: a numbered line an example, with its edits below it, all cut to lines of bounded length.
std::string examples_text(const FoundExamples& found, const std::string& wanted);

}  // namespace craft
