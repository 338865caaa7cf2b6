// Split patterns of well-known tokenizers, by hand where the text is ASCII. Inside model/tokenizer/ only.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace craft {

// The end of the match that begins at text[at]; 0 where the scanner does not decide (characters beyond ASCII stand there).
// Needs at < text.size().
using WordScanner = size_t(std::string_view text, size_t at);

// The scanner of a pattern that it knows; nullptr for others.
WordScanner* word_scanner(const std::string& expression);

}  // namespace craft
