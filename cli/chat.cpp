// `chat`: conversations to the text that a model folder's chat template makes of them.
#include "cli/chat_options.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/model_rows.h"
#include "model/chat/chat_template.h"

namespace craft {

namespace {

struct ChatCommandOptions {
    std::filesystem::path model;
    std::string input, output, chat_template;
    bool generation_prompt = false, continue_final = false;
    JsonLinesOptions lines;
};

int run_chat(int argc, const char* const* argv);

const Command kChatCommand = {
    "chat", CommandGroup::use_model, "render messages with a chat template",
    "craft-train chat --model weights/smollm2-135m-instruct.gguf --input share/examples/chats.jsonl --output -", run_chat};

void bind(OptionTable& table, ChatCommandOptions& o) {
    bind_own_model(table, o.model, "only its tokenizer files are needed");
    table.add("input", o.input, "{\"id\",\"messages\"} per line, also \"tools\" and \"chat_template_kwargs\", - for stdin")
        .flag("--input")
        .input()
        .required();
    table.add("output", o.output, "{\"id\",\"text\"} per line, - for stdout").flag("--output").output().required();
    table.add("generation_prompt", o.generation_prompt, "append the header of an assistant turn")
        .flag("--generation-prompt")
        .excludes("continue_final");
    table.add("continue_final", o.continue_final, "leave the last message open for continuation").flag("--continue-final");
    bind_chat_template(table, o.chat_template);
    bind_json_lines(table, o.lines);
}

int run_chat(int argc, const char* const* argv) {
    CommonOptions common;
    ChatCommandOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kChatCommand, table, common, argc, argv)) return 0;
    const auto chat = open_chat_template(options.model, options.chat_template);
    JsonLinesReader reader(options.input, options.lines);
    JsonLinesWriter writer(options.output);
    const RenderOptions how = {.generation_prompt = options.generation_prompt, .continue_final = options.continue_final};
    UnknownKeys unknown;
    bool any = false;
    while (const auto row = reader.next()) {
        Json out;
        try {
            out["id"] = id_field(*row, reader.where());
            const Conversation conversation = conversation_from_row(*row, "messages", reader.where(), &unknown);
            out["text"] = chat->render(conversation, how);
            count_left_out(*chat, conversation, how, unknown);
        } catch (const Error& error) {
            reader.reject(error.what());
            continue;
        }
        writer.write(out);
        any = true;
    }
    if (!any) throw Error(reader.name(), "at least one row", "none");
    writer.close();
    unknown.warn(options.input);
    return 0;
}

}  // namespace

Command chat_command() {
    return kChatCommand;
}

}  // namespace craft
