// The Wiki Neutrality Corpus (Pryzant et al., 2020).
#pragma once

#include <filesystem>
#include <string>

#include "eval/editeval/records.h"

namespace craft {

// biased.word.SPLIT: no names of columns, seven fields between tabs: id, source tokens, target tokens, source, target, tags
// of parts of speech, tags of the parse. Quotes are text. Items "PREFIX-ID"; a further row of the same id is "PREFIX-ID#2",
// which is counted. Throws Error naming file and line: another number of fields, an empty id; and as read_text_lines() does.
void read_wnc(const std::filesystem::path& file, const std::string& prefix, EditItems& into);
// The same of lines; `where` stands for the file.
void parse_wnc(const std::vector<std::string>& lines, const std::string& where, const std::string& prefix, EditItems& into);

}  // namespace craft
