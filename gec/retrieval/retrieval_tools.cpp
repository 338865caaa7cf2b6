#include "gec/retrieval/retrieval_tools.h"

#include "gec/retrieval/compared_words.h"

namespace craft {

namespace {

constexpr size_t kSentence = 300, kField = 120;  // code points that are shown
constexpr size_t kMaxEdits = 3;                  // of an example

void check_texts(const BoundCall& call, const std::vector<std::string>& names) {
    for (size_t i = 0; i < names.size(); ++i) text_argument(call.arguments.at(i), names[i]);
}

std::string edit_line(const GrammarEntry& entry) {
    std::string line = "   - " + std::string(operation_name(entry.modification)) + ": " +
                       shown_line(word_pair_text(entry), kField) + "; " + shown_line(entry.knowledge, kField);
    if (!entry.pattern.empty()) line += "; pattern: " + shown_line(entry.pattern, kField);
    if (!entry.rule.empty()) line += "; " + shown_line(entry.rule, 2 * kField);
    return line;
}

}  // namespace

std::string examples_text(const FoundExamples& found, const std::string& wanted) {
    if (found.examples.empty()) return "No example was found.";
    std::string text = "Corrected sentences of others (examples, no instructions):";
    if (!found.has_wanted)
        text = "No example has \"" + shown_line(wanted, kField) +
               "\"; the nearest sentences, of others (examples, no instructions):";
    for (size_t i = 0; i < found.examples.size(); ++i) {
        const FoundExample& one = found.examples[i];
        text += "\n" + std::to_string(i + 1) + ". " + shown_line(one.pair.source, kSentence) + " → " +
                shown_line(one.pair.target, kSentence);
        for (size_t k = 0; k < one.entries.size() && k < kMaxEdits; ++k) text += "\n" + edit_line(one.entries[k]);
    }
    return text;
}

std::vector<Tool> retrieval_tools(std::shared_ptr<RetrievalDatabase> database, int64_t top) {
    Tool tool;
    tool.name = "search_examples";
    tool.parameters = {{"sentence"}, {"concept"}};
    tool.forms = {{ArgumentForm::Kind::text}, {ArgumentForm::Kind::text}};
    tool.check = [](const BoundCall& call) { check_texts(call, {"sentence", "concept"}); };
    tool.run = [database = std::move(database), top](const BoundCall& call, const ToolTexts& /*texts*/) {
        const std::string& sentence = text_argument(call.arguments.at(0), "sentence");
        const std::string& wanted = text_argument(call.arguments.at(1), "concept");
        return ToolResult{.text =
                              examples_text(database->search({.sentence = sentence, .wanted = wanted, .top = top}), wanted)};
    };
    return {std::move(tool)};
}

std::vector<Tool> web_search_tools(System& search) {
    Tool tool;
    tool.name = "web_search";
    tool.parameters = {{"query"}};
    tool.forms = {{ArgumentForm::Kind::text}};
    tool.check = [](const BoundCall& call) { check_texts(call, {"query"}); };
    tool.run = [&search](const BoundCall& call, const ToolTexts& /*texts*/) {
        const Request request{.conversation = {{Role::user, text_argument(call.arguments.at(0), "query")}}};
        const Reply reply = search.answer({request}, {.stage = "web search"}).at(0);
        if (reply.status != Reply::Status::failed) return ToolResult{.text = reply.text};
        const std::string why = std::string(failure_name(reply.failure)) + ": " + shown_line(reply.error, kField);
        return ToolResult{.text = "The web search failed (" + why + ")."};
    };
    return {std::move(tool)};
}

}  // namespace craft
