#include "tools/craft/call_errors.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <tuple>

#include "tools/craft/tool_use.h"

namespace craft {

namespace {

constexpr const char* kNoCall = "no_call";
constexpr const char* kLeftOut = "left_out";
constexpr const char* kTooMany = "too_many";
constexpr const char* kUnusable = "unusable";
constexpr const char* kWrongTool = "wrong_tool";
constexpr const char* kWrongRelation = "wrong_relation";
constexpr const char* kOffByOne = "off_by_one";
constexpr const char* kAnotherNumber = "another_number";
constexpr const char* kWrongSentence = "wrong_sentence";
constexpr const char* kKeywordAltered = "keyword_altered";
constexpr const char* kSeveralArguments = "several_arguments";

// In what a call differs from the gold call of the same tool that it stands for.
struct Slip {
    size_t arguments = 0;   // that differ
    int64_t distance = 0;   // of numbers
    std::string kind = {};  // of the error
};

const char* kind_of(ArgumentForm::Kind form, int64_t distance) {
    switch (form) {
        case ArgumentForm::Kind::number:
            return distance == 1 ? kOffByOne : kAnotherNumber;
        case ArgumentForm::Kind::text:
            return kKeywordAltered;
        case ArgumentForm::Kind::ids:
            return kWrongSentence;
        case ArgumentForm::Kind::choice:
            return kWrongRelation;
    }
    return kSeveralArguments;
}

Slip slip_between(const BoundCall& gold, const BoundCall& call) {
    const std::vector<ArgumentForm>& forms = craft_tools().find(gold.tool)->forms;
    Slip slip;
    for (size_t i = 0; i < gold.arguments.size(); ++i) {
        const Argument &wanted = gold.arguments[i], &got = call.arguments.at(i);
        if (normal_form(wanted) == normal_form(got)) continue;
        ++slip.arguments;
        if (forms.at(i).kind == ArgumentForm::Kind::number)
            slip.distance = std::abs(std::get<int64_t>(wanted) - std::get<int64_t>(got));
        slip.kind = kind_of(forms.at(i).kind, slip.distance);
    }
    if (slip.arguments > 1) slip.kind = kSeveralArguments;
    return slip;
}

using Calls = std::map<std::string, BoundCall>;  // by normal form

void add(Calls& calls, const ToolCall& call) {
    if (!std::holds_alternative<TextEval>(call)) calls.emplace(normal_form(call), bound_form(call));
}

// Takes wrong calls away with the missing calls of the same tool that they stand for, the nearest first.
void pair_within_tools(Calls& missing, Calls& wrong, CallErrors& errors) {
    struct Candidate {
        Slip slip;
        std::string gold, call;
        auto rank() const { return std::tie(slip.arguments, slip.distance, gold, call); }
    };
    std::vector<Candidate> candidates;
    for (const auto& [gold_form, gold] : missing)
        for (const auto& [form, call] : wrong)
            if (gold.tool == call.tool) candidates.push_back({slip_between(gold, call), gold_form, form});
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate& a, const Candidate& b) { return a.rank() < b.rank(); });
    for (const Candidate& one : candidates) {
        if (missing.count(one.gold) == 0 || wrong.count(one.call) == 0) continue;
        missing.erase(one.gold);
        wrong.erase(one.call);
        ++errors[one.slip.kind];
    }
}

}  // namespace

const std::vector<std::string>& call_error_kinds() {
    static const std::vector<std::string> kinds = {kNoCall,        kLeftOut,        kTooMany,         kUnusable,
                                                   kWrongTool,     kWrongRelation,  kOffByOne,        kAnotherNumber,
                                                   kWrongSentence, kKeywordAltered, kSeveralArguments};
    return kinds;
}

CallErrors call_errors(const ParsedCalls& predicted, const std::vector<ToolCall>& gold) {
    Calls wrong, missing;
    std::set<std::string> unusable;
    for (const ParsedCall& parsed : predicted.calls) {
        if (parsed.call)
            add(wrong, *parsed.call);
        else
            unusable.insert(unusable_form(parsed.text));
    }
    for (const ToolCall& call : gold) add(missing, call);
    const bool is_without_calls = wrong.empty() && unusable.empty();
    std::erase_if(missing, [&](const auto& call) { return wrong.erase(call.first) > 0; });

    CallErrors errors;
    pair_within_tools(missing, wrong, errors);
    size_t missed = missing.size(), extra = wrong.size(), broken = unusable.size();
    const auto count = [&](const char* kind, size_t times) {
        if (times > 0) errors[kind] += static_cast<int64_t>(times);
        return times;
    };
    const size_t replaced = count(kUnusable, std::min(missed, broken));
    missed -= replaced;
    broken -= replaced;
    const size_t mistaken = count(kWrongTool, std::min(missed, extra));
    missed -= mistaken;
    extra -= mistaken;
    count(is_without_calls ? kNoCall : kLeftOut, missed);
    count(kTooMany, extra + broken);
    return errors;
}

}  // namespace craft
