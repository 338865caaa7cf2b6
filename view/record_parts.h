// Parts that records of several kinds have.
#pragma once

#include <optional>
#include <string>

#include "core/json.h"
#include "view/page.h"
#include "view/record_fields.h"

namespace craft {

// A planner's response: its thought, its calls and its plan. With the text before and after it (both may be absent), each
// condition is said to be met or not, as the tools measure it.
void write_response(PageWriter& page, const std::string& response, const std::optional<std::string>& text,
                    const std::optional<std::string>& revision);
// {"call","met","value"} each.
void write_conditions(PageWriter& page, const Json& conditions);
// A revision, as a word diff against the text before it where there is one.
void write_revision(PageWriter& page, const std::optional<std::string>& text, const std::string& revision);
// Messages {"role","content"} each, or a plain string.
void write_messages(PageWriter& page, const Json& messages);
std::string messages_text(const Json& messages);  // without roles where there is one alone
// The record's kind and id, as its first line.
void write_heading(PageWriter& page, const std::string& kind, RecordFields& fields);

}  // namespace craft
