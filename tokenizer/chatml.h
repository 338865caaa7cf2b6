// ChatML: <|im_start|>role newline content <|im_end|> newline, for every message. Inside tokenizer/ only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/chat_template.h"

namespace craft {

std::vector<std::string> chatml_sources();  // Jinja texts in use for it; the first is the one that we write
std::shared_ptr<ChatTemplate> make_chatml();

}  // namespace craft
