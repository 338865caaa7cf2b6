#include "cli/gec_tools.h"

#include <algorithm>

#include "cli/sentence_encoder.h"
#include "gec/retrieval/retrieval_tools.h"

namespace craft {

namespace {

constexpr const char* kSearchExamples = "search_examples";
constexpr const char* kWebSearch = "web_search";

bool is_wanted_tool(const GecToolOptions& o, const std::string& tool) {
    return std::any_of(o.tools.begin(), o.tools.end(),
                       [&](const std::string& name) { return name == "all" || name == tool; });
}

void add_wanted(const GecToolOptions& o, std::vector<Tool> tools, std::vector<Tool>& wanted) {
    for (Tool& tool : tools)
        if (is_wanted_tool(o, tool.name)) wanted.push_back(std::move(tool));
}

}  // namespace

void bind_gec_tools(OptionTable& table, GecToolOptions& o) {
    const auto group = table.group("Tools");
    std::vector<std::string> choices = GrammarTools::names();
    choices.insert(choices.end(), {kSearchExamples, kWebSearch, "all", "none"});
    table.add("tools", o.tools, "what the agent may call, separated by commas; all: those that have what they need")
        .flag("--tools")
        .filled()
        .one_of(choices)
        .alone({"all", "none"})
        .needs("retrieval")
        .when({kSearchExamples})
        .needs("web_search")
        .when({kWebSearch});
    bind_grammar_tools(table, o.grammar);
    table.add("retrieval", o.retrieval, "database of corrected sentences, of gec index, for search_examples")
        .flag("--retrieval")
        .input();
    bind_model(table, "encoder", o.encoder, "the one of the database's vectors; none: by words alone")
        .flag("--encoder")
        .needs("retrieval");
    table.add("examples", o.examples, "examples that a search gives at most").min(1).max(20);
    table.add("web_search", o.web.url, "URL of a SearXNG server, for web_search; empty: there is none").flag("--web-search");
}

GecTools::GecTools(const GecToolOptions& o, const CommonOptions& common, AskingRun& asking) {
    std::vector<Tool> wanted;
    const std::vector<std::string>& grammar = GrammarTools::names();
    if (std::any_of(grammar.begin(), grammar.end(), [&](const std::string& name) { return is_wanted_tool(o, name); })) {
        grammar_ = open_grammar_tools(o.grammar);
        add_wanted(o, grammar_tools(grammar_), wanted);
    }
    if (!o.retrieval.empty()) {
        database_ = std::make_shared<RetrievalDatabase>(
            o.retrieval, o.encoder.empty() ? SentenceEncoder{} : open_sentence_encoder(o.encoder, common));
        add_wanted(o, retrieval_tools(database_, o.examples), wanted);
    }
    if (!o.web.url.empty()) {
        System& web = asking.systems().open_hosted(std::make_shared<SearxngSystem>(o.web), "web search");
        add_wanted(o, web_search_tools(web), wanted);
    }
    set_.emplace(std::move(wanted));
}

NearestPairs GecTools::nearest() const {
    if (!database_) return nullptr;
    return [database = database_](const std::string& sentence, int64_t most) {
        std::vector<std::pair<std::string, std::string>> pairs;
        for (SentencePair& pair : database->nearest_pairs(sentence, most))
            pairs.emplace_back(std::move(pair.source), std::move(pair.target));
        return pairs;
    };
}

Json GecTools::figures() const {
    return grammar_ ? grammar_->counts().to_json() : Json();
}

}  // namespace craft
