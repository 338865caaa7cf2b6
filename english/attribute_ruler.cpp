#include "english/attribute_ruler.h"

#include <algorithm>

#include "core/error.h"

namespace craft {

namespace {

struct RulerField {
    const char* name;
    std::string EnglishToken::*field;
};
constexpr RulerField kAsked[] = {{"TAG", &EnglishToken::tag}, {"DEP", &EnglishToken::dep}, {"LOWER", &EnglishToken::lower}};
constexpr RulerField kSet[] = {{"TAG", &EnglishToken::tag},
                               {"POS", &EnglishToken::pos},
                               {"MORPH", &EnglishToken::morph},
                               {"LEMMA", &EnglishToken::lemma},
                               {"DEP", &EnglishToken::dep}};

template <size_t Count>
std::string EnglishToken::*ruler_field(const RulerField (&fields)[Count], std::string_view name, const std::string& where) {
    std::string known;
    for (const RulerField& field : fields) {
        if (name == field.name) return field.field;
        known += (known.empty() ? "" : ", ") + std::string(field.name);
    }
    throw Error(where, "the attributes " + known, "'" + std::string(name.substr(0, 40)) + "'");
}

const MsgpackValue& rule_list(const MsgpackValue* value, const std::string& what, const std::string& where) {
    if (value == nullptr || !value->is_array() || value->items.empty()) throw Error(where, "a list of " + what, "none");
    return *value;
}

std::string rule_text(const MsgpackValue& value, const std::string& where) {
    if (!value.is_text()) throw Error(where, "a text", "another kind of value");
    return std::string(value.text);
}

}  // namespace

AttributeRuler::Condition AttributeRuler::read_condition(const std::string& attribute, const MsgpackValue& value,
                                                         const std::string& where) {
    Condition condition;
    condition.field = ruler_field(kAsked, attribute, where);
    if (value.is_text()) {
        condition.values.emplace_back(value.text);
        return condition;
    }
    if (!value.is_map() || value.items.size() != 2) throw Error(where, "a text or one predicate", "another kind of value");
    const std::string predicate = rule_text(value.items[0], where);
    if (predicate == "REGEX") {
        condition.pattern.emplace(rule_text(value.items[1], where), where);
    } else if (predicate == "IN" || predicate == "NOT_IN") {
        condition.is_excluded = predicate == "NOT_IN";
        for (const MsgpackValue& item : rule_list(&value.items[1], "texts", where).items)
            condition.values.push_back(rule_text(item, where));
    } else {
        throw Error(where, "the predicates IN, NOT_IN and REGEX", "'" + predicate + "'");
    }
    return condition;
}

AttributeRuler::TokenPattern AttributeRuler::read_token(const MsgpackValue& token, const std::string& where) {
    if (!token.is_map()) throw Error(where, "a map of attributes for each token", "another kind of value");
    TokenPattern pattern;
    for (size_t i = 0; i + 1 < token.items.size(); i += 2) {
        const std::string attribute = rule_text(token.items[i], where);
        const MsgpackValue& value = token.items[i + 1];
        if (attribute != "IS_SPACE") {
            pattern.conditions.push_back(read_condition(attribute, value, where));
        } else {
            if (value.kind != MsgpackValue::Kind::boolean) throw Error(where, "true or false for IS_SPACE", "another value");
            pattern.is_space = value.boolean;
        }
    }
    return pattern;
}

AttributeRuler::Rule AttributeRuler::read_rule(const MsgpackValue& file, const std::string& where) {
    Rule rule;
    const MsgpackValue* index = file.find("index");
    if (index == nullptr || !index->is_natural()) throw Error(where, "an index of at least 0", "none");
    rule.index = index->integer;
    for (const MsgpackValue& tokens : rule_list(file.find("patterns"), "patterns", where).items) {
        Sequence sequence;
        for (const MsgpackValue& token : rule_list(&tokens, "tokens", where).items)
            sequence.push_back(read_token(token, where));
        if (rule.index >= sequence.size())
            throw Error(where, "an index below " + std::to_string(sequence.size()), std::to_string(rule.index));
        rule.sequences.push_back(std::move(sequence));
    }
    const MsgpackValue* attributes = file.find("attrs");
    if (attributes == nullptr || !attributes->is_map()) throw Error(where, "attributes to set", "none");
    for (size_t i = 0; i + 1 < attributes->items.size(); i += 2) {
        std::string EnglishToken::*field = ruler_field(kSet, rule_text(attributes->items[i], where), where);
        const std::string value = rule_text(attributes->items[i + 1], where);
        // "_" is how the files write that there are no features.
        rule.settings.emplace_back(field, field == &EnglishToken::morph && value == "_" ? "" : value);
    }
    return rule;
}

AttributeRuler::AttributeRuler(const MsgpackValue& file, const std::string& where) {
    for (const MsgpackValue& rule : rule_list(&file, "rules", where).items)
        rules_.push_back(read_rule(rule, where + ": rule " + std::to_string(rules_.size() + 1)));
}

bool AttributeRuler::matches(const TokenPattern& pattern, const EnglishToken& token) {
    if (pattern.is_space && *pattern.is_space != token.is_space) return false;
    return std::all_of(pattern.conditions.begin(), pattern.conditions.end(), [&](const Condition& condition) {
        const std::string& value = token.*condition.field;
        if (condition.pattern) return condition.pattern->search(value).has_value();
        const bool is_one = std::find(condition.values.begin(), condition.values.end(), value) != condition.values.end();
        return is_one != condition.is_excluded;
    });
}

bool AttributeRuler::matches(const Sequence& sequence, const EnglishDocument& document, size_t at) {
    if (sequence.size() > document.size() - at) return false;
    for (size_t i = 0; i < sequence.size(); ++i)
        if (!matches(sequence[i], document[at + i])) return false;
    return true;
}

void AttributeRuler::apply(EnglishDocument& document) const {
    struct Found {
        size_t rule = 0;
        size_t token = 0;
    };
    std::vector<Found> found;
    for (size_t rule = 0; rule < rules_.size(); ++rule)
        for (size_t at = 0; at < document.size(); ++at)
            for (const Sequence& sequence : rules_[rule].sequences)
                if (matches(sequence, document, at)) found.push_back({rule, at + rules_[rule].index});
    for (const Found& match : found)
        for (const auto& [field, value] : rules_[match.rule].settings) document[match.token].*field = value;
}

}  // namespace craft
