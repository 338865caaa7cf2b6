// An edit in general words, so that the same error in other sentences has the same pattern (GEC-Agent Appendix D, "abstract
// pattern").
#pragma once

#include <string>

#include "metrics/edits/edit_extraction.h"

namespace craft {

// "depend [of → on] NOUN": the edit between the tokens beside it in the source. A neighbour on the left is its lemma, but
// for nouns and numbers; one on the right its part of speech, but for short function words. Words that were only inflected
// are their tags ("PRON [VB → VBZ] PART"), others themselves in lower case. Nothing stands for an empty side ("[→ the]").
// Without annotations neighbours are left out.
std::string edit_pattern(const TypedEdit& edit, const AnnotatedTokens& source, const AnnotatedTokens& target);

}  // namespace craft
