// The Lancaster stemmer (Paice, "Another Stemmer", ACM SIGIR Forum 24.3, 1990): endings are taken off or replaced, one rule
// after the other, until one ends it or none fits.
#pragma once

#include <string>
#include <string_view>

namespace craft {

// Lower-cased. With the rules that NLTK's LancasterStemmer has (3.10.4), which ERRANT uses.
std::string lancaster_stem(std::string_view word);

}  // namespace craft
