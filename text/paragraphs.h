// The paragraphs of a text, and what is between them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace craft {

// The text's lines in their order, each stripped of white space, those without anything on them empty.
std::vector<std::string_view> stripped_lines(std::string_view text);
// Parts of `text`, each stripped of white space and none empty. Where a line without anything on it stands between two
// others, paragraphs are what such lines part, and a paragraph's own line breaks are those of a narrow column; elsewhere
// each line is a paragraph.
std::vector<std::string_view> paragraph_views(std::string_view text);
// The text with each paragraph changed, and what is between, before and after them as it was.
std::string with_paragraphs(std::string_view text, const std::function<std::string(const std::string&)>& change);

}  // namespace craft
