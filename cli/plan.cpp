// `plan`: a planner's first step on any instructions, greedy; `eval tools` scores what it writes.
#include "align/workshop.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/place.h"
#include "core/files.h"
#include "core/progress.h"
#include "eval/cord_eval.h"

namespace craft {

namespace {

struct PlanOptions {
    std::filesystem::path model, adapter;
    std::string instructions, output, prompt = "full";
    int64_t max_new_tokens = 1024;
    JsonLinesOptions lines;
};

int run(int argc, const char* const* argv);

const Command kCommand = {"plan", CommandGroup::make_data, "a planner's first step for each instruction",
                          "craft-train plan --model share/base-model --instructions instructions.jsonl --output plans.jsonl",
                          run};

void bind(OptionTable& table, PlanOptions& o) {
    table.add("model", o.model, "model folder").flag("--model").required();
    table.add("adapter", o.adapter, "adapter folder; empty: none").flag("--adapter");
    table.add("instructions", o.instructions, "instructions, JSON Lines, - for stdin").flag("--instructions").required();
    table.add("output", o.output, "{\"id\",\"calls\",\"response\"} a line, - for stdout").flag("--output").required();
    table.add("prompt", o.prompt, "planner's prompt: share/prompts/planner.NAME.txt")
        .flag("--prompt")
        .one_of({"full", "compact"});
    table.add("max_new_tokens", o.max_new_tokens, "of a response").flag("--max-new-tokens").min(1);
    bind_json_lines(table, o.lines);
}

Json plan_row(const Instruction& instruction, const std::string& response) {
    Json calls = Json::array();
    for (const ParsedCall& call : parse_response(response).calls().calls) calls.push_back(call.text);
    return {{"id", instruction.id}, {"calls", calls}, {"response", response}};
}

int run(int argc, const char* const* argv) {
    CommonOptions common;
    PlanOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kCommand, table, common, argc, argv)) return 0;
    const Place place = open_place(common);
    const std::vector<Instruction> instructions = read_instructions(options.instructions, options.lines);
    Planner planner = Planner::open(options.model, place.dtype, place.device);
    if (!options.adapter.empty()) planner.adopt(options.adapter);
    const PromptTemplate prompt = PromptTemplate::load(share_folder() / "prompts" / ("planner." + options.prompt + ".txt"));
    LocalSystem system(planner.decoder, *planner.tokenizer, *planner.chat);
    JsonLinesWriter writer(options.output);
    Progress progress("planning", static_cast<int64_t>(instructions.size()), "instructions");
    constexpr size_t kBatch = 256;  // written as they are done
    for (size_t begin = 0; begin < instructions.size(); begin += kBatch) {
        const size_t end = std::min(instructions.size(), begin + kBatch);
        std::vector<Request> requests;
        for (size_t i = begin; i < end; ++i)
            requests.push_back({.messages = {{Role::user, prompt.render(instructions[i])}}, .item = i});
        const auto replies = system.answer(requests, {.max_new_tokens = options.max_new_tokens});
        for (size_t i = begin; i < end; ++i) writer.write(plan_row(instructions[i], replies[i - begin].text));
        progress.advance(static_cast<int64_t>(end - begin));
    }
    writer.close();
    return 0;
}

}  // namespace

Command plan_command() {
    return kCommand;
}

}  // namespace craft
