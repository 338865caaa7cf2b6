#include "tools/craft/craft_tools.h"

#include <cstdio>

#include "tools/call_parser.h"
#include "tools/craft/check.h"

namespace craft {

namespace {

std::string keyword_from(const Argument& argument) {
    const std::string& keyword = text_argument(argument, "keyword");
    if (keyword.empty()) throw WrongArguments{"keyword must not be empty"};
    return keyword;
}

Relation relation_from(const Argument& argument) {
    const std::string& name = text_argument(argument, "relation");
    for (Relation relation : {Relation::less_than, Relation::more_than, Relation::equal}) {
        if (name == relation_name(relation)) return relation;
    }
    throw WrongArguments{"relation must be \"less than\", \"more than\" or \"equal\", got \"" + name + "\""};
}

// True for `yes`, false for `no`.
bool choice_from(const Argument& argument, const std::string& yes, const std::string& no) {
    const std::string& name = text_argument(argument, "relation");
    if (name != yes && name != no)
        throw WrongArguments{"relation must be \"" + yes + "\" or \"" + no + "\", got \"" + name + "\""};
    return name == yes;
}

std::vector<int64_t> ids_from(const Argument& argument) {
    if (const auto* id = std::get_if<int64_t>(&argument)) return {*id};
    const auto* list = std::get_if<std::vector<ListItem>>(&argument);
    if (list == nullptr || list->empty()) throw WrongArguments{"sentence_id must be a list of sentence numbers"};
    std::vector<int64_t> ids;
    for (const ListItem& item : *list) {
        const auto* id = std::get_if<int64_t>(&item);
        if (id == nullptr) throw WrongArguments{"sentence_id must hold whole numbers only"};
        ids.push_back(*id);
    }
    return ids;
}

// Throws WrongArguments.
ToolCall typed_call(const BoundCall& call) {
    const std::string& name = call.tool;
    const std::vector<Argument>& a = call.arguments;
    if (name == "text_eval") return TextEval{};
    if (name == "detect_keyword") return DetectKeyword{};
    if (name == "word_count_check") return WordCountCheck{count_argument(a[0], "count"), relation_from(a[1])};
    if (name == "sentence_count_check") return SentenceCountCheck{count_argument(a[0], "count"), relation_from(a[1])};
    if (name == "sentence_length_check") return SentenceLengthCheck{count_argument(a[0], "length"), relation_from(a[1])};
    if (name == "keyword_keep_removal_check") {
        return KeywordKeepRemovalCheck{keyword_from(a[0]), choice_from(a[1], "keep", "remove")};
    }
    if (name == "keyword_frequency_check") {
        return KeywordFrequencyCheck{keyword_from(a[0]), count_argument(a[1], "frequency"), relation_from(a[2])};
    }
    if (name != "sentence_modification_check" && name != "sentence_check") return call;
    return SentenceModificationCheck{ids_from(a[0]), choice_from(a[1], "change", "unchange"), name == "sentence_check"};
}

// A condition with a type of its own (check.h).
Tool condition(const std::string& name, const std::vector<ParameterNames>& parameters,
               const std::vector<ArgumentForm>& forms) {
    return {.name = name,
            .parameters = parameters,
            .check = [](const BoundCall& call) { typed_call(call); },
            .run =
                [](const BoundCall& call, const ToolTexts& texts) {
                    const CheckResult result = check(typed_call(call), texts.original, texts.revision);
                    return ToolResult{result.measured, result.met, ""};
                },
            .forms = forms};
}

Tool other_name(const std::string& name, Tool tool) {
    tool.alias_of = tool.name;
    tool.name = name;
    return tool;
}

ToolResult evaluate_text(const BoundCall&, const ToolTexts& texts) {
    if (!texts.quality) return {.text = "not scored"};
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.1f", *texts.quality);
    return {.text = digits};
}

ToolResult detect(const BoundCall&, const ToolTexts& texts) {
    std::string list;
    if (texts.keywords)
        for (const std::string& word : texts.keywords(texts.original)) list += (list.empty() ? "" : ", ") + word;
    return {.text = list};
}

}  // namespace

const ToolSet& craft_tools() {
    using Kind = ArgumentForm::Kind;
    static const ParameterNames relation{"relation", "action", "mode"}, keyword{"keyword", "word"};
    static const ParameterNames ids{"sentence_id", "sentence_ids", "ids", "id", "sentences"};
    static const ArgumentForm number{Kind::number}, word{Kind::text}, list{Kind::ids};
    static const ArgumentForm compared{Kind::choice, {"less than", "more than", "equal"}};
    static const ArgumentForm kept{Kind::choice, {"keep", "remove"}}, changed{Kind::choice, {"change", "unchange"}};
    static const Tool modification = condition("sentence_modification_check", {ids, relation}, {list, changed});
    static const ToolSet tools({
        {.name = "text_eval", .run = evaluate_text},
        {.name = "detect_keyword", .run = detect},
        condition("word_count_check", {{"count", "n", "word_count", "words"}, relation}, {number, compared}),
        condition("sentence_count_check", {{"count", "n", "sentence_count", "sentences"}, relation}, {number, compared}),
        condition("sentence_length_check", {{"length", "n", "count", "words"}, relation}, {number, compared}),
        condition("keyword_keep_removal_check", {keyword, relation}, {word, kept}),
        condition("keyword_frequency_check", {keyword, {"frequency", "n", "count", "times"}, relation},
                  {word, number, compared}),
        modification,
        other_name("sentence_check", modification),
    });
    return tools;
}

ParsedCalls parse_calls(std::string_view text) {
    ParsedToolCalls read = parse_calls(text, craft_tools());
    ParsedCalls typed{{}, std::move(read.ignored), std::move(read.leniency)};
    for (ParsedToolCall& one : read.calls) {
        ParsedCall call{std::move(one.text), std::nullopt, std::move(one.problem)};
        if (one.call) {
            call.call = typed_call(*one.call);
            call.bound = std::move(*one.call);
        }
        typed.calls.push_back(std::move(call));
    }
    return typed;
}

ToolCall parse_call(std::string_view text) {
    return typed_call(parse_call(text, craft_tools()));
}

}  // namespace craft
