// `plan`: a planner's first step on any instructions, greedy; `eval tools` scores what it writes.
#include "cli/adapter_option.h"
#include "cli/align_options.h"
#include "cli/chat_options.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/inquiry.h"
#include "cli/option_groups.h"
#include "cli/placement.h"
#include "cli/ranks.h"
#include "cli/system_options.h"
#include "core/log.h"
#include "core/option_files.h"
#include "data/response_counts.h"
#include "eval/cord_eval.h"
#include "systems/asked_rows.h"
#include "systems/open/open_system.h"
#include "systems/prompts.h"
#include "systems/usable_answers.h"

namespace craft {

namespace {

struct PlanOptions {
    std::filesystem::path model, adapter;
    Quantization quantize = Quantization::none;
    std::string instructions, output, prompt = "auto";
    std::filesystem::path summary;
    SamplingOptions sampling = {.keep_histories = false};
    SentenceRule sentences = SentenceRule::paper;
    ChatOptions chat;
    JsonLinesOptions lines;
};

int run_plan(int argc, const char* const* argv);

const Command kPlanCommand = {
    "plan",
    CommandGroup::make_data,
    "a planner's first step for each instruction",
    "craft-train plan --model weights/smollm2-135m-instruct.gguf --instructions instructions.jsonl --output plans.jsonl",
    run_plan,
    Work::generation};

void bind(OptionTable& table, CommonOptions& common, PlanOptions& o) {
    const auto data = table.group(kDataGroup);
    bind_own_model(table, o.model);
    bind_adapter(table, o.adapter, "empty: none");
    bind_quantize(table, o.quantize);
    table.add("instructions", o.instructions, "instructions, JSON Lines, - for stdin")
        .flag("--instructions")
        .input()
        .required();
    table.add("output", o.output, "{\"id\",\"calls\",\"response\"} per line, - for stdout")
        .flag("--output")
        .output()
        .resumed()
        .required();
    bind_prompt(table, o.prompt);
    bind_sentences(table, o.sentences);
    bind_chat(table, o.chat);
    bind_new_tokens(table, "max_new_tokens", o.sampling.max_new_tokens, "of a response").flag("--max-new-tokens");
    bind_constrained(table, o.sampling).flag("--constrain-calls");
    table.add("summary", o.summary, "JSON file on how well responses keep their format; empty: log only")
        .flag("--summary")
        .output()
        .resumed()
        .not_identity();
    bind_json_lines(table, o.lines);
    bind_ranks(table, common);
}

// For whoever asks what the command would take.
void tell_work(const PlanOptions& o) {
    Inquiry* const inquiry = Inquiry::estimating();
    if (inquiry == nullptr) return;
    const DataSize asked = inquiry->size_of(o.instructions);
    const PlannerLengths lengths(asked.text);
    WorkEstimate work;
    add_asked(work, "planner", {SystemSpec::Kind::local, o.model, o.adapter}, asked.rows, lengths.prompt, lengths.response);
    inquiry->tell(std::move(work), {{o.output, {asked.rows, lengths.response}}});
}

Json plan_row(const Instruction& instruction, const Reply& reply) {
    Json calls = Json::array();
    const std::string usable = reply.problem().empty() ? reply.text : "";
    for (const ParsedCall& call : parse_response(usable).calls().calls) calls.push_back(call.text);
    Json row = {{"id", instruction.id}, {"calls", calls}, {"response", reply.text}};
    if (reply.status == Reply::Status::cut) row["cut"] = true;
    if (reply.status == Reply::Status::failed) row["failed"] = failure_name(reply.failure);
    return row;
}

// Read off the rows, whoever made them: a run that was stopped counts as one that was not.
class PlanTotals {
public:
    void add(const Json& row) {
        const std::string failed = row.value("failed", "");
        answers_.add(row.contains("cut") ? "cut" : failed);
        if (!failed.empty())
            ++failed_[failed];
        else
            counts_.add(ParsedResponse(row.at("response").get<std::string>()), !row.contains("cut"));
    }
    Json summary() const {
        Json summary = to_json(counts_);
        if (!failed_.empty()) summary["failed"] = failed_;
        return summary;
    }

    const UsableAnswers& answers() const { return answers_; }

private:
    ResponseCounts counts_;
    UsableAnswers answers_;
    std::map<std::string, int64_t> failed_;  // without a response, by reason
};

void plan_rows(const OptionTable& table, const CommonOptions& common, PlanOptions& options, Ranks& ranks) {
    const Placement place = open_placement(common);
    options.prompt = planner_prompt(options.prompt, options.model, options.adapter);
    const RunIdentity identity = rows_identity(kPlanCommand, table, common, place);
    const std::vector<Instruction> instructions = read_instructions(options.instructions, options.lines);
    const SystemSpec spec{SystemSpec::Kind::local, options.model, options.adapter};
    const PromptTemplate prompt = PromptTemplate::named(options.prompt, options.sentences);
    const auto planner = open_system(spec, {place.dtype, place.device, options.quantize, options.chat});
    PartialRows partial(options.output, identity, common.overwrite, ranks);
    const auto plan_some = [&](const std::vector<size_t>& items, const RowSink& done) {
        std::vector<Request> requests;
        for (const size_t i : items)
            requests.push_back(
                {.conversation = std::vector<Message>{{Role::user, prompt.render(instructions[i])}}, .item = i});
        planner->answer_into(requests, options.sampling,
                             [&](const std::vector<size_t>& which, const std::vector<Reply>& replies) {
                                 for (size_t w = 0; w < which.size(); ++w) {
                                     const size_t item = requests[which[w]].item;
                                     done(item, plan_row(instructions[item], replies[w]));
                                 }
                             });
    };
    JsonLinesWriter writer(own_output(options.output, ranks));
    PlanTotals totals;
    if (!make_rows({"planning", "instructions", each_by_itself(instructions.size()), plan_some}, partial,
                   [&](const Json& row) {
                       writer.write(row);
                       totals.add(row);
                   }))
        return;
    if (!partial.keeps()) writer.close();  // whatever came of the rows
    log_info("planned", totals.summary());
    totals.answers().require_any(
        "plan", (partial.keeps() ? "the rows are in " + partial_path(options.output).string() + "; " : std::string()) +
                    "where answers are cut, raise --max-new-tokens or use a trained planner");
    writer.close();
    if (!options.summary.empty()) write_json_file(options.summary, totals.summary());
    partial.remove();
}

int run_plan(int argc, const char* const* argv) {
    CommonOptions common;
    PlanOptions options;
    OptionTable table;
    bind(table, common, options);
    if (!parse_command(kPlanCommand, table, common, argc, argv, [&](OptionTable&) { tell_work(options); })) return 0;
    return in_ranks(table, common, [&](ProcessGroup& ranks) { plan_rows(table, common, options, ranks); });
}

}  // namespace

Command plan_command() {
    return kPlanCommand;
}

}  // namespace craft
