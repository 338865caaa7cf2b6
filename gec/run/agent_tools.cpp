#include "gec/run/agent_tools.h"

#include <algorithm>

#include "gec/retrieval/retrieval_tools.h"
#include "gec/run/sentence_encoder.h"

namespace craft {

namespace {

void add_wanted(const GecToolOptions& o, std::vector<Tool> tools, std::vector<Tool>& wanted) {
    for (Tool& tool : tools)
        if (is_wanted_tool(o, tool.name)) wanted.push_back(std::move(tool));
}

}  // namespace

std::vector<std::string> gec_tool_names() {
    std::vector<std::string> names = GrammarTools::names();
    names.insert(names.end(), {kSearchExamples, kWebSearch});
    return names;
}

bool is_wanted_tool(const GecToolOptions& o, const std::string& tool) {
    return std::any_of(o.tools.begin(), o.tools.end(),
                       [&](const std::string& name) { return name == "all" || name == tool; });
}

GecTools::GecTools(const GecToolOptions& o, const PlacementOptions& placing, AskingRun& asking) {
    std::vector<Tool> wanted;
    const std::vector<std::string>& grammar = GrammarTools::names();
    if (std::any_of(grammar.begin(), grammar.end(), [&](const std::string& name) { return is_wanted_tool(o, name); })) {
        grammar_ = open_grammar_tools(o.grammar);
        add_wanted(o, grammar_tools(grammar_), wanted);
    }
    if (!o.retrieval.empty()) {
        database_ = std::make_shared<RetrievalDatabase>(
            o.retrieval, o.encoder.empty() ? SentenceEncoder{} : open_sentence_encoder(o.encoder, placing));
        add_wanted(o, retrieval_tools(database_, o.examples), wanted);
    }
    if (!o.web.url.empty()) {
        System& web = asking.open_hosted(std::make_shared<SearxngSystem>(o.web), "web search");
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
