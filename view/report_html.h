// Sections of a report as HTML. Texts are others': they are escaped, and what would move or turn what follows is made
// visible.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/report_document.h"

namespace craft {

// U+FFFD in place of what is not UTF-8, of control characters but for line breaks and tabs, and of marks that turn the
// direction of what follows (UAX 9).
std::string visible_text(std::string_view text);
// visible_text() as it stands between tags and in attributes.
std::string html_text(std::string_view text);
// A heading, its tables and its plots, each plot with its values as a table that can be opened.
std::string html_sections(const std::vector<ReportSection>& sections);
// Links to them.
std::string html_contents(const std::vector<ReportSection>& sections);

}  // namespace craft
