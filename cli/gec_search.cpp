// `gec search`: what the grammar agent finds in its database of examples.
#include "cli/command.h"
#include "cli/common.h"
#include "gec/retrieval/retrieval_tools.h"
#include "gec/run/sentence_encoder.h"

namespace craft {

namespace {

struct GecSearchOptions {
    std::filesystem::path retrieval, encoder;
    ExampleQuery query;
    bool json = false;
};

int run_gec_search(int argc, const char* const* argv);

const Command kGecSearchCommand = {
    "gec search", CommandGroup::revise_and_judge, "examples of corrections like those that a sentence may need",
    "craft-train gec search --retrieval examples.sqlite --sentence \"He depends of me.\" --concept preposition",
    run_gec_search};

void bind(OptionTable& table, GecSearchOptions& o) {
    table.add("retrieval", o.retrieval, "database that gec index made").flag("--retrieval").input().required();
    table.add("sentence", o.query.sentence, "any text; empty: search by concept only").flag("--sentence");
    table
        .add("concept", o.query.wanted,
             "a concept in words, a word pair (\"of -> on\") or a pattern, which examples must have; empty: any")
        .flag("--concept");
    bind_model(table, "encoder", o.encoder, "encoder of the database's vectors; none: search by words only")
        .flag("--encoder");
    table.add("top", o.query.top, "maximum examples").flag("--top").min(1).max(100);
    table.add("with_correct", o.query.with_correct, "also find correct sentences").flag("--with-correct");
    table.add("json", o.json, "JSON instead of the text that a model reads").flag("--json");
}

Json found_json(const FoundExamples& found) {
    Json examples = Json::array();
    for (const FoundExample& one : found.examples) {
        Json entries = Json::array();
        for (const GrammarEntry& entry : one.entries) entries.push_back(to_json(entry));
        examples.push_back({{"id", one.pair.id},
                            {"source", one.pair.source},
                            {"target", one.pair.target},
                            {"score", one.score},
                            {"found_by", one.found_by},
                            {"entries", entries}});
    }
    return {{"by_vectors", found.by_vectors}, {"has_concept", found.has_wanted}, {"examples", examples}};
}

int run_gec_search(int argc, const char* const* argv) {
    CommonOptions common;
    GecSearchOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kGecSearchCommand, table, common, argc, argv)) return 0;
    RetrievalDatabase database(options.retrieval,
                               options.encoder.empty() ? SentenceEncoder{} : open_sentence_encoder(options.encoder, common));
    if (options.encoder.empty() && !database.encoder().empty())
        log_info("searched by words only: the database has vectors",
                 {{"hint", "--encoder FOLDER of " + database.encoder()}});
    const FoundExamples found = database.search(options.query);
    if (options.json)
        write_result("-", found_json(found));
    else
        write_stdout(examples_text(found, options.query.wanted) + "\n");
    return 0;
}

}  // namespace

Command gec_search_command() {
    return kGecSearchCommand;
}

}  // namespace craft
