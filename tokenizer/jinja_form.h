// A normal form of chat templates, for recognising them. Inside tokenizer/ only.
#pragma once

#include <string>
#include <string_view>

namespace craft {

// The template with everything removed that changes no output under transformers' settings (trim_blocks, lstrip_blocks):
// blanks inside tags, blank text that a tag trims, comments; message.role written message['role'], quotes as '. Literal
// text that would be printed stays. Two templates with equal forms print the same.
std::string jinja_form(std::string_view source);

}  // namespace craft
