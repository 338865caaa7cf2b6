// What of LaTeX in a text must survive a revision (CRAFT App. E.2 detect_keyword, §7).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace craft {

// Labels, references and citations with their arguments, mathematics with its marks, begins and ends of environments, and
// other commands by their names; each once, in the order of their first places. An escaped dollar ("\$5") is a command, and
// a dollar without a second one in the same paragraph is text.
std::vector<std::string> latex_keywords(std::string_view text);

}  // namespace craft
