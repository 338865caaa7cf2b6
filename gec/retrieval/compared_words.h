// Sentences as the retrieval database compares them: words in lower case, found without a model of English.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace craft {

// Runs of letters and digits, apostrophes within them (curly ones become straight), and every other sign that is no white
// space by itself: "Don’t go, NEAR!" is don't, go, ",", near, "!". Never throws on any bytes.
std::vector<std::string> compared_words(std::string_view text);

// Those of them that have a letter or a digit, each once, in their order.
std::vector<std::string> search_words(std::string_view text);

// An FTS5 query for rows with one of the words. Each is quoted, so that no word is read as the query's syntax ("NEAR", "*").
// Empty without words.
std::string any_of_words(const std::vector<std::string>& words);

// One line with single blanks, cut after this many code points ("..."): how a text of others is shown to a model.
std::string shown_line(std::string_view text, size_t code_points);

}  // namespace craft
