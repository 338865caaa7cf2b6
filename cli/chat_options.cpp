#include "cli/chat_options.h"

#include "cli/option_groups.h"

namespace craft {

void bind_chat_template(OptionTable& table, std::string& chat_template, const std::string& prefix) {
    const auto group = table.group(kModelGroup);
    table
        .add(prefix + "chat_template", chat_template,
             "chat template: a file, or the name of a shipped one; empty: the model folder's")
        .flag("--chat-template")
        .input()
        .reads({});
}

void bind_chat(OptionTable& table, ChatOptions& options, const std::string& prefix) {
    bind_chat_template(table, options.chat_template, prefix);
    const auto group = table.group(kModelGroup);
    table.add(prefix + "allow_special", options.allow_special, "recognise special tokens spelled in messages")
        .flag("--allow-special");
}

}  // namespace craft
