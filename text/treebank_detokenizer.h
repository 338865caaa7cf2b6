// Treebank tokens to running text, as NLTK's TreebankWordDetokenizer writes it: what EditEval does to texts before it
// scores.
#pragma once

#include <string>
#include <string_view>

namespace craft {

// TreebankWordDetokenizer().detokenize(text.split(" ")) of NLTK 3.10.4: "do n't stop ." becomes "don't stop.". Blanks are
// the only separators, but newlines and other white space beside punctuation go too, as there. Any bytes; linear time.
std::string treebank_detokenize(std::string_view text);

}  // namespace craft
