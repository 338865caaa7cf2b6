// The marks of FRUIT (Logan IV et al., 2021): "[0] A sentence. [1] Another one. [CONTEXT] (0) Page_name What it says. (1)
// ..." and, of a target, "[0] (0) (1) A new sentence. [1]".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "eval/editeval/records.h"

namespace craft {

struct FruitSource {
    std::vector<std::string> sentences;        // that of "[i]" is number i
    std::vector<RetrievedDocument> documents;  // that of "(i)" is number i; the title is the page's, with blanks
};

// A mark counts only if its number is the next one, and "(i)" only before what can be a page's name; else it is text. What
// comes before the first mark is no sentence. Throws Error naming `where`: no "[CONTEXT]", no "[0]" before it.
FruitSource parse_fruit_source(std::string_view text, const std::string& where);

// The updated text: "[i]" stands for the source's sentence i, and marks of documents move after the new text that they
// support. Marks of what the source does not have are text.
std::string resolve_fruit_target(std::string_view target, const FruitSource& source);

// Without the marks "(0)" to "(documents - 1)", wherever they occur.
std::string without_citations(std::string_view text, size_t documents);

// Without the markup of Wikipedia that EditEval takes out before it scores: categories, targets of references, brackets of
// links (of [[page|words]] the words stay), quotes that make bold and italic, lines that begin with "==". Linear time.
std::string without_wiki_markup(std::string_view text);

}  // namespace craft
