// Lists of English words that ship in share/english: each piece of knowledge that is a list occurs there once.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "core/string_hash.h"

namespace craft {

using WordLines = std::unordered_set<std::string, StringHash, std::equal_to<>>;

// Calls `take` with each line of a list, without the blanks around it, and with its place ("`where`:12"). Empty lines and
// those that begin with "#" are left out. Throws Error naming the line that is not UTF-8.
void for_each_list_line(std::string_view text, const std::string& where,
                        const std::function<void(std::string_view line, const std::string& place)>& take);

// The words of a list, one a line. Throws Error as for_each_list_line() does, and if there is none.
WordLines parse_word_lines(std::string_view text, const std::string& where);

// The words of share/english/NAME.txt, lemmas in small letters. Read when it is first asked for and kept; may be asked for
// by several threads at once. Throws Error as read_file() and parse_word_lines() do.
const WordLines& listed_words(const std::string& name);

}  // namespace craft
