// `simplify`: policy-driven simplification from the sentences that ship to a table, in one run folder (policy simplification
// §2.2, §4).
#include <cstdio>

#include "cli/chat_options.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/english_options.h"
#include "cli/judging_options.h"
#include "cli/option_groups.h"
#include "cli/system_options.h"
#include "cli/training.h"
#include "core/error.h"
#include "core/files.h"
#include "core/weights_folder.h"
#include "judge/verdicts/principles/lemma_alignment.h"
#include "simplify/run/simplify_job.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

int run_simplify(int argc, const char* const* argv);

const Command kSimplifyCommand = {"simplify",
                                  CommandGroup::train,
                                  "policy-driven simplification in one run, from candidates to an evaluation",
                                  "craft-train simplify --model weights/smollm2-135m-instruct.gguf --policy lexical --limit "
                                  "150 --test 40 --out runs/simplify",
                                  run_simplify,
                                  Work::training};

struct SimplifyCommandOptions {
    SimplifyJobOptions job;
    JudgingSettings judge;  // aligner and rules of the first judge
    LossCoefficients loss;
};

void bind_trainings(OptionTable& table, SimplifyCommandOptions& o) {
    SimplifyJobOptions& job = o.job;
    {
        const auto group = table.group(kLoraGroup);
        table.add("lora.rank", job.preference.lora.rank, "rank of adapters").min(1);
        table.add("lora.alpha", job.preference.lora.alpha, "scale is alpha / rank");
    }
    const auto preference = table.group("Training on pairs");
    table.add_enum("loss.name", job.preference.loss.name, loss_names(), "loss of the trainings on pairs").flag("--loss");
    bind_coefficients(table, o.loss, "loss", "loss.name");
    bind_train(table, job.preference, "train");
    const auto sft = table.group("SFT");
    bind_train(table, job.sft, "sft");
}

void bind(OptionTable& table, SimplifyCommandOptions& o) {
    SimplifyJobOptions& job = o.job;
    {
        const auto group = table.group(kModelGroup);
        bind_model(table, "model", job.model, "base model of the student, which also makes candidates").flag("--model");
        bind_chat_template(table, job.chat_template);
    }
    const auto data = table.group(kDataGroup);
    table
        .add_enums("policies", job.policies, sentence_policies(),
                   "lexical: easier words, the structure as it is; rewriting: whatever makes the text easier")
        .flag("--policy")
        .filled();
    table
        .add("sentences", job.sentences,
             "folder with train.jsonl and test.jsonl, {\"id\",\"text\"} per line; empty: the sentences that ship")
        .flag("--sentences")
        .input();
    table.add("limit", job.limit, "sentences to make candidates from, the first ones; 0: all").flag("--limit").min(0);
    table.add("test", job.test, "sentences of the sealed test set that are evaluated on; 0: all").flag("--test").min(0);
    table.add("data", job.data, "folder with ASSET's and TurkCorpus' dev sets, for SARI; empty: no SARI")
        .flag("--data")
        .input();
    table.add("items", job.items, "items of each of these sets, the same in every run; 0: all")
        .flag("--items")
        .min(0)
        .needs("data");
    bind_new_tokens(table, "sampling.max_new_tokens", job.sampling.max_new_tokens, "of an answer (decoding is greedy)")
        .flag("--max-new-tokens");
    table.add_enum("orders", job.orders,
                   {{"random", CandidateOrders::random}, {"both", CandidateOrders::both}, {"fixed", CandidateOrders::fixed}},
                   "order in which the judge sees candidates: drawn by --seed; that and its reverse; as given");
    table
        .add("max_source_copy", job.filters.max_source_copy,
             "drop pairs whose chosen side is more similar to its source, by characters; 1: none")
        .min(0)
        .max(1);
    table.add("chosen_follows", job.chosen_follows, "drop pairs whose chosen side does not follow the policy");
    bind_judging_settings(table, o.judge);
    bind_trainings(table, o);
    table.add("flow.items", job.items_at_once, "sentences processed concurrently").min(1).max(10000).not_identity();
}

void check(OptionTable& table, SimplifyCommandOptions& o) {
    SimplifyJobOptions& job = o.job;
    job.preference.loss = default_loss_options(job.preference.loss.name);
    o.loss.apply_to(job.preference.loss);
    job.sft.lora = job.preference.lora;
    if (!needs_pairs(job.preference.loss.name))
        table.add_problem("--loss: expected one that compares pairs, got " + loss_name(job.preference.loss.name) +
                          ", which the control sft is trained with");
    add_train_problems(table, job.preference, "train", "loss");
    add_train_problems(table, job.sft, "sft", "sft.loss");
}

class LemmaAligner : public WordAligner {
public:
    explicit LemmaAligner(std::shared_ptr<const LazyEnglishPipeline> english) : english_(std::move(english)) {}
    std::vector<WordAlignment> align(const std::vector<std::pair<std::string, std::string>>& pairs) override {
        std::vector<WordAlignment> alignments;
        for (const auto& [source, candidate] : pairs) alignments.push_back(lemma_alignment(source, candidate, *english_));
        return alignments;
    }

private:
    std::shared_ptr<const LazyEnglishPipeline> english_;
};

// The second judge shares neither the first one's difficulties nor its encoder.
SimplifyJobParts open_parts(const SimplifyCommandOptions& o, const EnglishModel& english, JudgingSources& sources,
                            const CommonOptions& common) {
    SimplifyJobParts parts;
    parts.rules = RuleResources::with_easier_words(english.pipeline);
    parts.judge = sources.principles();
    RuleJudgeSettings other;
    other.difficulty = o.judge.rules.difficulty == DifficultySource::size ? DifficultySource::count : DifficultySource::size;
    parts.other_judge = open_principle_sources(other, english, std::make_shared<LemmaAligner>(english.pipeline), common);
    return parts;
}

void print_end(const SimplifySummary& summary, const CommonOptions& common) {
    const std::string out = common.out.string();
    std::printf(
        "\n%s\nOutput files\n"
        "  %s/summary.json          the figures above\n"
        "  %s/POLICY/candidates     what each system made of each sentence\n"
        "  %s/POLICY/judgements     what the judge said of it; pairs/ beside it\n"
        "  %s/POLICY/trained/adapter\n"
        "  %s/POLICY/evaluation     outputs on the test sentences, by system\n",
        summary_table(summary).c_str(), out.c_str(), out.c_str(), out.c_str(), out.c_str(), out.c_str());
}

int run_simplify(int argc, const char* const* argv) {
    CommonOptions common;
    SimplifyCommandOptions options;
    OptionTable table;
    options.job.model = weights_place("smollm2-135m-instruct.gguf");
    bind(table, options);
    bind_run(table, common);
    if (!parse_command(kSimplifyCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); })) return 0;
    SimplifyJobOptions& job = options.job;
    if (job.sentences.empty()) job.sentences = share_folder() / "simplify";
    job.seed = common.seed;
    const Placement place = open_placement(common);
    const EnglishModel english = find_english(options.judge.english);
    if (english.pipeline == nullptr) throw Error("rules that read parses", "an English model", "none", english.hint);
    table.add_fact("english", english.name);
    RunFolder folder = open_run(kSimplifyCommand, table, common);
    folder.note("loss", to_json(job.preference.loss));
    folder.note("rules", rule_judge_record(options.judge.rules));
    if (folder.finished()) {
        const fs::path file = folder.path() / "summary.json";
        print_end(simplify_summary_from_json(parse_json(read_file(file), file.string()), file.string()), common);
        return 0;
    }
    JudgingSources sources(options.judge, common);
    const SimplifyJobParts parts = open_parts(options, english, sources, common);
    const SimplifySummary summary =
        run_simplify_job(job, parts, place.dtype, place.device, folder.path(), [&] { folder.replace_former(); });
    folder.finish();
    print_end(summary, common);
    return 0;
}

}  // namespace

Command simplify_command() {
    return kSimplifyCommand;
}

}  // namespace craft
