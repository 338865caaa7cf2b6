// `gec index`: corrected sentences into the database that the grammar agent looks examples up in (GEC-Agent Appendix D).
#include <thread>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/english_options.h"
#include "cli/system_options.h"
#include "core/log.h"
#include "core/output_manifest.h"
#include "eval/annotation/edit_language.h"
#include "gec/retrieval/pair_indexing.h"
#include "gec/run/sentence_encoder.h"

namespace craft {

namespace {

struct GecIndexOptions {
    std::vector<std::string> pairs;
    std::string out, english = "auto", words = "auto", model;
    std::filesystem::path encoder, prompts;
    SystemSpec spec;  // what `model` says
    RoleSystemOptions asked;
    PairIndexingOptions indexing;
    JsonLinesOptions lines;
};

int run_gec_index(int argc, const char* const* argv);

const Command kGecIndexCommand = {
    "gec index", CommandGroup::revise_and_judge, "index corrected sentences as examples for grammar correction",
    "craft-train gec index --pairs share/examples/sentence_pairs.jsonl --out examples.sqlite", run_gec_index};

void bind(OptionTable& table, GecIndexOptions& o) {
    table
        .add("pairs", o.pairs,
             "files of sentence pairs: .m2, .tsv (sentence, tab, correction), else {\"id\",\"source\",\"target\"} per line")
        .flag("--pairs")
        .input()
        .required()
        .filled()
        .type = "paths";
    table.add("out", o.out, "SQLite file; pairs already in it are kept").flag("--out").managed().with_manifest().required();
    bind_model(table, "encoder", o.encoder, "encoder for sentence vectors; none: search by words only").flag("--encoder");
    table
        .add("model", o.model,
             "system that writes each pair's entries: local:MODEL[+ADAPTER] or openai:PROFILE; none: rules, which also "
             "apply where an answer cannot be parsed")
        .flag("--model")
        .input();
    table.add("prompts", o.prompts, "folder of prompt files that override those of share/prompts").flag("--prompts").input();
    bind_english(table, o.english).not_identity();
    table.add("words", o.words, "dictionary for spelling errors, as in eval edits").flag("--words").input().reads({});
    table.add("batch_pairs", o.indexing.batch, "pairs per batch").min(1).max(100000).not_identity();
    bind_role_systems(table, o.asked, {"model"});
    bind_json_lines(table, o.lines);
}

void check(OptionTable& table, GecIndexOptions& o) {
    if (o.out == "-") table.add_problem("--out: expected a file, got stdout");
    std::vector<SystemSpec> specs;
    if (!o.model.empty() && parse_role(table, "model", o.model, o.spec)) {
        if (o.spec.kind == SystemSpec::Kind::rules)
            table.add_problem("--model: expected a model, got 'rules' (rules make the entries without --model)");
        specs.push_back(o.spec);
    }
    check_role_systems(table, o.asked, specs);
}

EntryLanguage open_entry_language(const GecIndexOptions& o, const EnglishModel& english) {
    if (english.pipeline == nullptr) {
        log_warning("entries without concepts: edits by letters alone, without an English model",
                    english.hint.empty() ? Json::object() : Json{{"hint", english.hint}});
        return {};
    }
    std::string words;
    EntryLanguage language{english_sentence_tokens(english.pipeline), known_words(o.words, words)};
    english.pipeline->get();  // what is wrong with it is no fault of the first sentence
    return language;
}

struct PairFiles {
    std::vector<SentencePair> pairs;
    int64_t empty = 0;  // pairs that lack a sentence
    int64_t bad_lines = 0;
};

PairFiles read_pair_files(const GecIndexOptions& options) {
    PairFiles read;
    JsonLinesOptions lines = options.lines;
    lines.bad_lines = &read.bad_lines;
    for (const std::string& file : options.pairs) {
        std::vector<SentencePair> more = read_sentence_pairs(file, &read.empty, lines);
        read.pairs.insert(read.pairs.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
    return read;
}

// The model that writes entries, where there is one.
struct EntryModel {
    EntryModel(const GecIndexOptions& options, const CommonOptions& common, const PromptFiles& prompts)
        : asking(options.asked, FlowOptions{}, open_placement(common), common.seed),
          entries(asking.open(options.spec, "entries"), prompts) {}
    void finish(OutputManifest& manifest, bool all) {
        asking.finish();
        manifest.note("model_entries", to_json(entries.counts()));
        manifest.note("usage", asking.usage());
        if (!entries.counts().unread.empty())
            log_warning("answers that cannot be parsed: those pairs keep their entries by rules", to_json(entries.counts()));
        asking.report(all);
    }
    AskingRun asking;
    ModelEntries entries;
};

int run_gec_index(int argc, const char* const* argv) {
    CommonOptions common;
    GecIndexOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kGecIndexCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); })) return 0;
    options.indexing.threads =
        common.threads > 0 ? common.threads : std::max<int64_t>(1, std::thread::hardware_concurrency());

    const PairFiles read = read_pair_files(options);
    const EnglishModel english = find_english(options.english);
    table.add_fact("english", english.name);
    OutputManifest manifest(options.out, run_identity(kGecIndexCommand, table, common), false);
    const PromptFiles prompts(options.prompts);
    const GrammarKnowledge knowledge = GrammarKnowledge::load(prompts.path("gec_knowledge.json"));
    const EntryLanguage language = open_entry_language(options, english);
    const SentenceEncoder encoder =
        options.encoder.empty() ? SentenceEncoder{} : open_sentence_encoder(options.encoder, common);
    std::optional<EntryModel> model;
    if (!options.model.empty()) model.emplace(options, common, prompts);
    RetrievalWriter writer(options.out, encoder);
    PairIndexingCounts counts =
        index_pairs(read.pairs, {language, knowledge, encoder, model ? &model->entries : nullptr}, writer, options.indexing);
    counts.pairs += read.empty + read.bad_lines;
    if (read.empty > 0) counts.dropped["empty sentence"] += read.empty;
    if (read.bad_lines > 0) counts.dropped["bad line"] += read.bad_lines;

    const bool all = counts.awaited == 0;
    Json told = to_json(counts);
    told["pairs_in_all"] = writer.file().pairs();
    manifest.note("indexed", told);
    manifest.note("encoder", encoder.name.empty() ? Json(nullptr) : Json(encoder.name));
    manifest.note("versions", {{"prompts", prompts.versions()}});
    if (model) model->finish(manifest, all);
    manifest.write(false);
    log_info("indexed", told);
    if (model && all) {
        UsableAnswers answers;
        answers.add("", model->entries.counts().read);
        for (const auto& [problem, times] : model->entries.counts().unread) answers.add(problem, times);
        model->asking.require_answers(answers, "see the warnings; pairs keep their entries by rules");
    }
    if (all) manifest.write(true);
    return 0;
}

}  // namespace

Command gec_index_command() {
    return kGecIndexCommand;
}

}  // namespace craft
