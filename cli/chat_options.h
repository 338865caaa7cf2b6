// How commands that render conversations take chat templates.
#pragma once

#include <string>

#include "core/options.h"
#include "model/chat/chat_template.h"

namespace craft {

// --chat-template and --allow-special under the keys `prefix`chat_template and `prefix`allow_special.
void bind_chat(OptionTable& table, ChatOptions& options, const std::string& prefix = "");
// --chat-template alone, of commands that encode nothing.
void bind_chat_template(OptionTable& table, std::string& chat_template, const std::string& prefix = "");

}  // namespace craft
