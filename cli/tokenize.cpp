// `tokenize`: texts to token ids and back.

#include "cli/command.h"
#include "cli/common.h"
#include "model/tokenizer/plain_text.h"

namespace craft {

namespace {

struct TokenizeOptions {
    std::filesystem::path model;
    std::string input;
    std::string output = "-";
    bool no_special = false;
    JsonLinesOptions lines;
};

void bind(OptionTable& table, TokenizeOptions& o) {
    bind_own_model(table, o.model, "only its tokenizer files are needed");
    table.add("input", o.input, "texts: {\"id\",\"text\"} per line, - for stdin").flag("--input").input().required();
    table.add("output", o.output, "{\"id\",\"ids\",\"decoded\"} per line, - for stdout").flag("--output").output();
    table.add("no_special", o.no_special, "add no tokens, and omit special ones from the decoded text").flag("--no-special");
    bind_json_lines(table, o.lines);
}

std::vector<int64_t> encode(const Tokenizer& tokenizer, const std::string& text, bool no_special) {
    return no_special ? tokenizer.encode(text, /*allow_special=*/true) : encode_whole(tokenizer, text);
}

int run_tokenize(int argc, const char* const* argv);

const Command kTokenizeCommand = {
    "tokenize", CommandGroup::use_model, "token ids of texts, and the texts they decode to",
    "craft-train tokenize --model weights/smollm2-135m-instruct.gguf --input share/texts/dev.jsonl", run_tokenize};

int run_tokenize(int argc, const char* const* argv) {
    CommonOptions common;
    TokenizeOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kTokenizeCommand, table, common, argc, argv)) return 0;

    const std::shared_ptr<const Tokenizer> tokenizer = open_tokenizer(options.model);
    JsonLinesReader reader(options.input, options.lines);
    JsonLinesWriter writer(options.output);
    bool any = false;
    while (const auto row = reader.next()) {
        Json out = Json::object();
        try {
            const std::vector<int64_t> ids =
                encode(*tokenizer, string_field(*row, "text", reader.where()), options.no_special);
            out["id"] = row->at("id");
            out["ids"] = ids;
            out["decoded"] = tokenizer->decode(ids, !options.no_special);
        } catch (const Error& error) {
            reader.reject(error.what());
            continue;
        }
        writer.write(out);
        any = true;
    }
    if (!any) throw Error(reader.name(), "at least one row", "none");
    writer.close();
    return 0;
}

}  // namespace

Command tokenize_command() {
    return kTokenizeCommand;
}

}  // namespace craft
