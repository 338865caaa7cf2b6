#include "cli/gec_tools.h"

#include <algorithm>

#include "cli/sentence_encoder.h"
#include "gec/retrieval/retrieval_tools.h"
#include "text/lists.h"

namespace craft {

namespace {

constexpr const char* kSearchExamples = "search_examples";
constexpr const char* kWebSearch = "web_search";

std::vector<std::string> known_tools() {
    std::vector<std::string> names = GrammarTools::names();
    names.insert(names.end(), {kSearchExamples, kWebSearch});
    return names;
}

bool names_tool(const GecToolOptions& o, const std::string& tool) {
    return std::find(o.tools.begin(), o.tools.end(), tool) != o.tools.end();
}

void add_wanted(const GecToolOptions& o, std::vector<Tool> tools, std::vector<Tool>& wanted) {
    for (Tool& tool : tools)
        if (is_wanted_tool(o, tool.name)) wanted.push_back(std::move(tool));
}

}  // namespace

bool is_wanted_tool(const GecToolOptions& o, const std::string& tool) {
    return names_tool(o, "all") || names_tool(o, tool);
}

void bind_gec_tools(OptionTable& table, GecToolOptions& o) {
    table
        .add("tools", o.tools,
             "what the agent may call, separated by commas: " + join(known_tools(), ", ") +
                 "; all (those that have what they need), or none")
        .flag("--tools")
        .filled();
    bind_grammar_tools(table, o.grammar);
    table.add("retrieval", o.retrieval, "database of corrected sentences, of gec index, for search_examples")
        .flag("--retrieval")
        .input();
    bind_model(table, "encoder", o.encoder, "the one of the database's vectors; none: by words alone").flag("--encoder");
    table.add("examples", o.examples, "examples that a search gives at most").min(1).max(20);
    table.add("web_search", o.web.url, "URL of a SearXNG server, for web_search; empty: there is none").flag("--web-search");
}

void check_gec_tools(OptionTable& table, const GecToolOptions& o) {
    std::vector<std::string> known = known_tools();
    known.insert(known.end(), {"all", "none"});
    for (const std::string& name : o.tools)
        if (std::find(known.begin(), known.end(), name) == known.end())
            table.add_problem("--tools: expected " + join(known, ", ") + ", got '" + name + "'");
    for (const char* name : {"all", "none"})
        if (o.tools.size() > 1 && names_tool(o, name)) table.add_problem(std::string("--tools: ") + name + " stands alone");
    if (names_tool(o, kSearchExamples) && o.retrieval.empty())
        table.add_problem(std::string("--tools: ") + kSearchExamples + " goes with --retrieval DB");
    if (names_tool(o, kWebSearch) && o.web.url.empty())
        table.add_problem(std::string("--tools: ") + kWebSearch + " goes with --web-search URL");
    if (!o.encoder.empty() && o.retrieval.empty()) table.add_problem("--encoder: goes with --retrieval DB");
    check_grammar_tools(table, o.grammar);
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
