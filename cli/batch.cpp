// `batch write` and `batch read`: conversations put to a hosted model by files, and the answers that come back.
#include <functional>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/system_options.h"
#include "core/error.h"
#include "core/files.h"
#include "core/rows.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

struct BatchCommandOptions {
    std::string requests, model, output;
    fs::path batch, answers;
    Json profiles = Json::object();
    int64_t samples = 1;
    SamplingOptions sampling = {.stage = "batch"};
    JsonLinesOptions lines;
    SystemSpec spec;  // what `model` says
};

int run_batch_write(int argc, const char* const* argv);
int run_batch_read(int argc, const char* const* argv);

// The profile stands in the command line, so that the examples work as printed.
const Command kBatchWrite = {"batch write", CommandGroup::revise_and_judge, "batch files of requests to a hosted model",
                             "craft-train batch write --requests share/examples/chats.jsonl --model openai:own "
                             "--set openai.own.base_url=http://127.0.0.1:8000/v1 --set openai.own.model=qwen3 --batch "
                             "runs/batch --answers runs/answers",
                             run_batch_write};
const Command kBatchRead = {"batch read", CommandGroup::revise_and_judge, "import the answers of batch files",
                            "craft-train batch read --model openai:own --set openai.own.base_url=http://127.0.0.1:8000/v1 "
                            "--set openai.own.model=qwen3 --batch runs/batch --answers runs/answers",
                            run_batch_read};

void bind_batch(OptionTable& table, BatchCommandOptions& o) {
    table.add("requests", o.requests, "conversations, {\"id\",\"messages\"} per line, - for stdin")
        .flag("--requests")
        .input();
    table.add("model", o.model, "hosted model to ask: openai:PROFILE").flag("--model").input().required();
    table.add("batch", o.batch, "folder of batch files, with one subfolder per profile")
        .flag("--batch")
        .managed()
        .required();
    table.add("openai", o.profiles, "hosted models by name, for openai:NAME (docs/hosted.md)").not_identity();
    table.add("answers", o.answers, "folder of recorded answers; empty: craft-train/answers in the user's cache")
        .flag("--answers")
        .managed();
    table.add("samples", o.samples, "answers per conversation").flag("--samples").min(1).max(10000);
    bind_new_tokens(table, "sampling.max_new_tokens", o.sampling.max_new_tokens, "of an answer").flag("--max-new-tokens");
    table
        .add("sampling.temperature", o.sampling.temperature,
             "sampling temperature; 0: greedy; a profile's own takes precedence")
        .flag("--temperature")
        .min(0);
    table.add("sampling.top_p", o.sampling.top_p, "nucleus sampling mass; a profile's own takes precedence")
        .flag("--top-p")
        .min(0)
        .max(1);
    table.add("sampling.stop", o.sampling.stop, "strings that end an answer").flag("--stop");
    bind_json_lines(table, o.lines);
}

void check_batch(OptionTable& table, BatchCommandOptions& o) {
    const std::string held_key = HostedProfile::held_key(o.profiles);
    if (!held_key.empty()) table.add_problem(held_key);
    if (o.model.empty()) return;
    try {
        o.spec = SystemSpec::parse(o.model, "--model");
        if (o.spec.kind == SystemSpec::Kind::hosted)
            hosted_profile(o.spec, o.profiles);
        else
            table.add_problem("--model " + o.model + ": batch files are for hosted models only; known: openai:PROFILE");
    } catch (const UsageError& error) {
        for (const std::string& problem : error.problems())
            if (problem != held_key) table.add_problem(problem);
    }
    if (o.samples > 1 && o.sampling.temperature == 0)
        table.add_problem("--samples " + std::to_string(o.samples) + ": greedy answers are identical; give --temperature");
}

fs::path answers_folder(const BatchCommandOptions& o) {
    return o.answers.empty() ? default_answers_folder() : o.answers;
}

// Calls `each` with a row's id and its requests, one a sample.
void for_each_conversation(const BatchCommandOptions& o,
                           const std::function<void(const Json& id, const std::vector<Request>& requests)>& each) {
    UnknownKeys unknown;
    uint64_t item = 0;
    for_each_row(o.requests, o.lines, [&](const Json& row, const std::string& where) {
        id_text(row, where);
        Request request;
        request.conversation = conversation_from_row(row, "messages", where, &unknown);
        request.item = item++;
        std::vector<Request> requests(static_cast<size_t>(o.samples), request);
        for (size_t k = 0; k < requests.size(); ++k) requests[k].sample = k;
        each(row["id"], requests);
    });
    unknown.warn(o.requests);
}

int run_batch_write(int argc, const char* const* argv) {
    CommonOptions common;
    BatchCommandOptions o;
    OptionTable table;
    bind_batch(table, o);
    table.at("requests").required();
    if (!parse_command(kBatchWrite, table, common, argc, argv, [&](OptionTable& t) { check_batch(t, o); })) return 0;
    const auto cache = std::make_shared<AnswerCache>(answers_folder(o));
    warn_of_old_answers(*cache);
    const auto unsent = std::make_shared<UnsentSystem>(hosted_profile(o.spec, o.profiles));
    const auto by_batch = std::make_shared<BatchSystem>(unsent, *cache, batch_options(o.batch, unsent, "batch"));
    RecordedSystem recorded(by_batch, cache);
    for_each_conversation(
        o, [&](const Json& /*id*/, const std::vector<Request>& requests) { recorded.answer(requests, o.sampling); });
    recorded.finish();
    for (const fs::path& file : by_batch->finish()) log_info("requests for a batch", {{"file", file.string()}});
    log_info("batch", {{"requests", recorded.counts().requests},
                       {"recorded", recorded.counts().hits},
                       {"awaited", by_batch->counts().open},
                       {"ended", by_batch->counts().ended},
                       {"written", by_batch->written()}});
    return 0;
}

// The rows that have an answer; returns how many answers there are not.
int64_t write_answers(const BatchCommandOptions& o, AnswerCache& cache, const UnsentSystem& unsent) {
    JsonLinesWriter writer(o.output);
    int64_t missing = 0;
    for_each_conversation(o, [&](const Json& id, const std::vector<Request>& requests) {
        std::vector<RecordedRequest> asked;
        for (const Request& request : requests) asked.push_back(recorded_request(unsent, request, o.sampling));
        const std::vector<Found> found = cache.look_up(asked);
        for (size_t k = 0; k < found.size(); ++k) {
            if (!found[k].reply) {
                ++missing;
                continue;
            }
            Json row = {{"id", id}};
            if (o.samples > 1) row["sample"] = k;
            row["text"] = found[k].reply->text;
            writer.write(row);
        }
    });
    writer.close();
    return missing;
}

// Throws Error where a batch was answered and nothing of it can be used.
void require_usable(const fs::path& folder, const BatchCounts& counts) {
    if (counts.unusable.empty() || counts.kept + counts.known > 0) return;
    std::string kinds;
    for (const auto& [kind, lines] : counts.unusable)
        kinds += (kinds.empty() ? "" : ", ") + kind + " " + std::to_string(lines);
    throw Error(folder.string(), "a usable answer", "none: " + kinds,
                "see the warnings; `batch write` retries what another request may answer");
}

int run_batch_read(int argc, const char* const* argv) {
    CommonOptions common;
    BatchCommandOptions o;
    OptionTable table;
    bind_batch(table, o);
    table.add("output", o.output, "{\"id\",\"text\"} per line for --requests, - for stdout")
        .flag("--output")
        .output()
        .needs("requests");
    table.at("requests").needs("output");
    if (!parse_command(kBatchRead, table, common, argc, argv, [&](OptionTable& t) { check_batch(t, o); })) return 0;
    const auto unsent = std::make_shared<UnsentSystem>(hosted_profile(o.spec, o.profiles));
    const BatchSystemOptions how = batch_options(o.batch, unsent, "batch");
    if (!fs::is_directory(how.folder))
        throw Error(how.folder.string(), "a folder that `batch write` or --batch made", "none");
    AnswerCache cache(answers_folder(o));
    warn_of_old_answers(cache);
    const BatchCounts counts = read_batch(how.folder, cache, {how.read, unsent->name(), how.max_retries}).counts;
    log_info("batch", counts.to_json());
    require_usable(how.folder, counts);
    if (!o.output.empty())
        if (const int64_t missing = write_answers(o, cache, *unsent); missing > 0)
            log_warning("requests without an answer, which have no row", {{"requests", missing}});
    return 0;
}

}  // namespace

Command batch_write_command() {
    return kBatchWrite;
}

Command batch_read_command() {
    return kBatchRead;
}

}  // namespace craft
