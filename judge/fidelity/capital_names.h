// Names by their capitals: a guess at named entities that needs no model.
#pragma once

#include <string>
#include <vector>

namespace craft {

// Runs of words that begin with a capital ("New York"), each once, in the order of their first places. A run ends at a mark
// of punctuation, and may bridge "of", "the", "de", "van" and the like ("Bank of England"). One word at a sentence's start
// is a name only if it stands with a capital elsewhere within a sentence; "I" is none. A line begins like a sentence, as
// paragraphs and items of lists do. A possessive 's is left out. A guess: titles and headings in capitals count as names,
// names without capitals do not.
std::vector<std::string> capital_names(const std::string& text);

}  // namespace craft
