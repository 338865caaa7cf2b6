// Shapes, sub-types and the gold calls of a constraint, both ways.
#include <algorithm>

#include "core/error.h"
#include "data/instruction.h"

namespace craft {

namespace {

struct ShapeFacts {
    const char* name;
    SubType type;
};

constexpr std::array<ShapeFacts, kShapes> kFacts{{
    {"keep_one", SubType::keep_sentence},
    {"keep_two", SubType::keep_sentence},
    {"keep_three", SubType::keep_sentence},
    {"modify_one", SubType::modify_sentence},
    {"modify_two", SubType::modify_sentence},
    {"modify_three", SubType::modify_sentence},
    {"words_more", SubType::word_count},
    {"words_less", SubType::word_count},
    {"words_range", SubType::word_count},
    {"sentences_more", SubType::sentence_count},
    {"sentences_less", SubType::sentence_count},
    {"sentences_exactly", SubType::sentence_count},
    {"length_more", SubType::sentence_length},
    {"length_less", SubType::sentence_length},
    {"keyword_keep", SubType::keyword_keep},
    {"keyword_remove", SubType::keyword_remove},
    {"frequency_exactly", SubType::keyword_frequency},
    {"frequency_at_least", SubType::keyword_frequency},
    {"frequency_less", SubType::keyword_frequency},
}};

constexpr std::array<const char*, kSubTypes> kSubTypeNames{"keep_sentence",  "modify_sentence",  "word_count",
                                                           "sentence_count", "sentence_length",  "keyword_keep",
                                                           "keyword_remove", "keyword_frequency"};

const ShapeFacts& facts(Shape shape) {
    return kFacts.at(static_cast<size_t>(shape));
}

std::optional<Constraint> bounded(int64_t n, Relation relation, Shape more, Shape less, std::optional<Shape> equal) {
    Constraint constraint;
    constraint.n = n;
    if (relation == Relation::equal && !equal) return std::nullopt;
    constraint.shape = relation == Relation::more_than ? more : relation == Relation::less_than ? less : *equal;
    return constraint;
}

std::optional<Constraint> from_call(const SentenceModificationCheck& call) {
    Constraint constraint;
    constraint.ids = call.sentence_ids;
    std::sort(constraint.ids.begin(), constraint.ids.end());
    constraint.ids.erase(std::unique(constraint.ids.begin(), constraint.ids.end()), constraint.ids.end());
    if (constraint.ids.empty() || constraint.ids.size() > 3) return std::nullopt;
    const int first = static_cast<int>(call.change ? Shape::modify_one : Shape::keep_one);
    constraint.shape = static_cast<Shape>(first + static_cast<int>(constraint.ids.size()) - 1);
    return constraint;
}
std::optional<Constraint> from_call(const WordCountCheck& call) {
    return bounded(call.count, call.relation, Shape::words_more, Shape::words_less, std::nullopt);
}
std::optional<Constraint> from_call(const SentenceCountCheck& call) {
    return bounded(call.count, call.relation, Shape::sentences_more, Shape::sentences_less, Shape::sentences_exactly);
}
std::optional<Constraint> from_call(const SentenceLengthCheck& call) {
    return bounded(call.length, call.relation, Shape::length_more, Shape::length_less, std::nullopt);
}
std::optional<Constraint> from_call(const KeywordKeepRemovalCheck& call) {
    Constraint constraint;
    constraint.shape = call.keep ? Shape::keyword_keep : Shape::keyword_remove;
    constraint.keyword = call.keyword;
    return constraint;
}
std::optional<Constraint> from_call(const KeywordFrequencyCheck& call) {
    auto constraint =
        bounded(call.frequency, call.relation, Shape::frequency_at_least, Shape::frequency_less, Shape::frequency_exactly);
    constraint->keyword = call.keyword;
    return constraint;
}
std::optional<Constraint> from_call(const BoundCall&) {
    return std::nullopt;
}
std::optional<Constraint> from_call(const TextEval&) {
    return std::nullopt;
}
std::optional<Constraint> from_call(const DetectKeyword&) {
    return std::nullopt;
}

// Two word counts, one from below and one from above.
std::optional<Constraint> range_from(const ToolCall& a, const ToolCall& b) {
    const auto* less = std::get_if<WordCountCheck>(&a);
    const auto* more = std::get_if<WordCountCheck>(&b);
    if (less == nullptr || more == nullptr) return std::nullopt;
    if (less->relation == Relation::more_than) std::swap(less, more);
    if (less->relation != Relation::less_than || more->relation != Relation::more_than) return std::nullopt;
    Constraint constraint;
    constraint.shape = Shape::words_range;
    constraint.n = less->count;
    constraint.m = more->count;
    return constraint;
}

}  // namespace

SubType sub_type(Shape shape) {
    return facts(shape).type;
}

std::string shape_name(Shape shape) {
    return facts(shape).name;
}

std::string sub_type_name(SubType type) {
    return kSubTypeNames.at(static_cast<size_t>(type));
}

Shape shape_from_name(const std::string& name) {
    std::vector<std::string> known;
    for (int i = 0; i < kShapes; ++i) {
        known.emplace_back(kFacts[static_cast<size_t>(i)].name);
        if (known.back() == name) return static_cast<Shape>(i);
    }
    throw_unknown("constraint shape", name, known);
}

std::vector<ToolCall> Constraint::calls() const {
    switch (shape) {
        case Shape::keep_one:
        case Shape::keep_two:
        case Shape::keep_three:
            return {SentenceModificationCheck{ids, false}};
        case Shape::modify_one:
        case Shape::modify_two:
        case Shape::modify_three:
            return {SentenceModificationCheck{ids, true}};
        case Shape::words_more:
            return {WordCountCheck{n, Relation::more_than}};
        case Shape::words_less:
            return {WordCountCheck{n, Relation::less_than}};
        case Shape::words_range:
            return {WordCountCheck{n, Relation::less_than}, WordCountCheck{m, Relation::more_than}};
        case Shape::sentences_more:
            return {SentenceCountCheck{n, Relation::more_than}};
        case Shape::sentences_less:
            return {SentenceCountCheck{n, Relation::less_than}};
        case Shape::sentences_exactly:
            return {SentenceCountCheck{n, Relation::equal}};
        case Shape::length_more:
            return {SentenceLengthCheck{n, Relation::more_than}};
        case Shape::length_less:
            return {SentenceLengthCheck{n, Relation::less_than}};
        case Shape::keyword_keep:
            return {KeywordKeepRemovalCheck{keyword, true}};
        case Shape::keyword_remove:
            return {KeywordKeepRemovalCheck{keyword, false}};
        case Shape::frequency_exactly:
            return {KeywordFrequencyCheck{keyword, n, Relation::equal}};
        case Shape::frequency_at_least:
            return {KeywordFrequencyCheck{keyword, n, Relation::more_than}};
        case Shape::frequency_less:
            return {KeywordFrequencyCheck{keyword, n, Relation::less_than}};
    }
    return {};
}

std::optional<Constraint> constraint_from_calls(const std::vector<ToolCall>& calls) {
    if (calls.size() == 2) return range_from(calls[0], calls[1]);
    if (calls.size() != 1) return std::nullopt;
    return std::visit([](const auto& call) { return from_call(call); }, calls[0]);
}

}  // namespace craft
