// What the commands share that score texts and edits.
#pragma once

#include <cstdint>
#include <string>

#include "core/options.h"
#include "metrics/edits/edit_extraction.h"
#include "metrics/edits/edit_types.h"
#include "metrics/edits/m2_file.h"

namespace craft {

// --beta: the weight of recall in F.
Option& bind_beta(OptionTable& table, double& beta);
// Says how many edits of the file reach behind their sentences, if there are any, and what becomes of them.
void warn_of_edits_outside(const M2File& file, const std::string& what_becomes);

// Which words there are: a file for WordList::load(), "none" (every word), or "auto" (Debian's hunspell-en-gb where it is
// there; else every word, with a warning). `name` becomes what they are called. Throws Error as WordList::load() does.
KnownWord known_words(const std::string& given, std::string& name);

// What is known of English, for edits by ERRANT's rules: `english` as --english has it (cli/english_options.h), `words` as
// known_words() has them. Without a model edits are told by letters alone, which a warning says. Throws Error as
// find_english(), the pipeline and known_words() do.
EditLanguage open_edit_language(const std::string& english, const std::string& words);

// Says how many edits of the file an annotator lists again, if there are any, and what becomes of them; and how often one of
// its annotators has no line for a sentence.
void warn_of_repeated_edits(const M2File& file, const std::string& what_becomes);
void warn_of_missing_annotators(const M2File& file);

// Says how many lines of the file were passed over, if there are any.
void warn_of_passed_lines(const M2File& file);

}  // namespace craft
