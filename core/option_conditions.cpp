#include "core/option_conditions.h"

#include <algorithm>
#include <stdexcept>

#include "core/log.h"
#include "core/options.h"

namespace craft {

namespace {

using Kind = OptionCondition::Kind;

std::string joined_names(const std::vector<std::string>& names, const std::string& last) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "" : i + 1 < names.size() ? ", " : last) + names[i];
    return text;
}

std::string text_of(const Json& value) {
    if (!value.is_array()) return value.is_string() ? value.get<std::string>() : dump_line(value);
    std::string text;
    for (const Json& item : value) text += (text.empty() ? "" : ",") + text_of(item);
    return text;
}

bool is_one_of(const Json& value, const std::vector<std::string>& values) {
    if (value.is_array())
        return std::any_of(value.begin(), value.end(), [&](const Json& item) { return is_one_of(item, values); });
    const std::string text = text_of(value);
    return std::any_of(values.begin(), values.end(),
                       [&](const std::string& one) { return text == one || (one.ends_with(':') && text.starts_with(one)); });
}

bool is_empty_value(const Json& value) {
    const bool is_empty_text = value.is_string() && value.get_ref<const std::string&>().empty();
    return value.is_null() || value == false || is_empty_text || (value.is_array() && value.empty());
}

std::string with_value(const std::string& name, const std::string& value) {
    return name + (name.starts_with("--set ") ? "=" : " ") + value;
}

// One that was given, and not to leave it off.
bool is_asked_for(const Option& option) {
    const Json value = option.current();
    return option.is_given && !is_empty_value(value) && !(value == 0 && option.initial == 0);
}

std::string hint(const std::string& why) {
    return why.empty() ? "" : " (" + why + ")";
}

}  // namespace

OptionState OptionState::at_least(const char* key, int64_t least) {
    OptionState state(key);
    state.least = least;
    return state;
}

bool OptionState::holds_of(const Json& value) const {
    if (least && value.is_array()) return std::ssize(value) >= *least;
    if (least) return value.is_number() && value.get<double>() >= static_cast<double>(*least);
    return values.empty() ? !is_empty_value(value) && value != 0 : is_one_of(value, values);
}

std::string OptionState::words(const std::string& name) const {
    if (least) return name + " of at least " + std::to_string(*least);
    std::vector<std::string> shown = values;
    for (std::string& value : shown)
        if (value.ends_with(':')) value += "...";
    return shown.empty() ? name : with_value(name, joined_names(shown, " or "));
}

Option& Option::needs_any(std::vector<OptionState> others, std::string why) {
    conditions.push_back({Kind::needs, std::move(others), std::move(why), {}, false});
    return *this;
}

Option& Option::excludes(OptionState other, std::string why) {
    conditions.push_back({Kind::excludes, {std::move(other)}, std::move(why), {}, false});
    return *this;
}

Option& Option::required_with(OptionState other) {
    conditions.push_back({Kind::required_with, {std::move(other)}, "", {}, false});
    return *this;
}

Option& Option::required_without_any(std::vector<OptionState> others) {
    conditions.push_back({Kind::required_without, std::move(others), "", {}, false});
    return *this;
}

const Option& OptionTable::at(const std::string& key) const {
    const Option* option = find(key);
    if (option == nullptr) throw std::logic_error("no option has the key " + key);
    return *option;
}

bool OptionTable::holds(const OptionState& state) const {
    return state.holds_of(at(state.key).current());
}

bool OptionTable::any_holds(const std::vector<OptionState>& states) const {
    return std::any_of(states.begin(), states.end(), [&](const OptionState& state) { return holds(state); });
}

std::string OptionTable::state_words(const std::vector<OptionState>& states) const {
    std::vector<std::string> words;
    for (const OptionState& state : states) words.push_back(state.words(at(state.key).shown_name()));
    return joined_names(words, " or ");
}

bool OptionTable::is_required(const Option& option) const {
    bool required = option.is_required;
    for (const OptionCondition& condition : option.conditions) {
        const bool any = any_holds(condition.others);
        const bool is_told = std::any_of(condition.others.begin(), condition.others.end(),
                                         [&](const OptionState& other) { return at(other.key).is_wrong; });
        if (condition.kind == Kind::excludes && condition.when.empty() && any) return false;
        if (condition.kind == Kind::required_with) required = required || (any && !is_told);
        if (condition.kind == Kind::required_without) required = required || (!any && !is_told);
    }
    return required;
}

void OptionTable::check_condition(const Option& option, const OptionCondition& condition) {
    const bool needs = condition.kind == Kind::needs;
    if ((!needs && condition.kind != Kind::excludes) || !is_asked_for(option)) return;
    if (!condition.when.empty() && !is_one_of(option.current(), condition.when)) return;
    for (const OptionState& other : condition.others) {
        const Option& there = at(other.key);
        if (there.is_wrong) return;  // which is told already
        const bool holds_there = holds(other) && (needs || !other.values.empty() || other.least || is_asked_for(there));
        if (needs && holds_there) return;
        if (!needs && !holds_there) return;
    }
    const Option& other = at(condition.others.front().key);
    const bool is_one = condition.others.size() == 1 && (!condition.others[0].values.empty() || condition.others[0].least);
    std::string got = needs ? "without" : "with it";
    if (needs && is_one && !is_empty_value(other.current())) got = with_value(other.shown_name(), text_of(other.current()));
    std::string named = option.shown_name();
    for (const std::string& value : condition.when)
        if (is_one_of(option.current(), {value})) {
            named = with_value(named, value);
            break;
        }
    const std::string problem = named + ": expected " + (needs ? "with " : "without ") + state_words(condition.others) +
                                ", got " + got + hint(condition.why);
    if (condition.is_warning)
        log_warning(problem + "; it has no effect");
    else
        add_problem(problem);
}

void OptionTable::check_choice(const OptionChoice& choice, bool check_required) {
    std::vector<std::string> names, given;
    bool is_wrong = false;
    for (const std::string& key : choice.keys) {
        const Option& option = at(key);
        names.push_back(option.shown_name());
        is_wrong = is_wrong || option.is_wrong;
        if (!is_empty_value(option.current())) given.push_back(option.shown_name());
    }
    const std::string expected = joined_names(names, " and ") + ": expected one of them, got ";
    if (given.size() > 1)
        add_problem(expected + (names.size() == 2 ? "both" : joined_names(given, " and ")) + hint(choice.why));
    const bool is_needed = (choice.only_if.empty() || any_holds(choice.only_if)) && !any_holds(choice.unless);
    if (given.empty() && !is_wrong && is_needed && check_required) add_problem(expected + "none" + hint(choice.why));
}

void OptionTable::check_conditions(bool check_required) {
    for (const Option& option : options_)
        for (const OptionCondition& condition : option.conditions) check_condition(option, condition);
    for (const OptionChoice& choice : choices_) check_choice(choice, check_required);
}

namespace {

bool excludes_whatever(const OptionCondition& condition, const std::string& key) {
    const OptionState& other = condition.others.front();
    return condition.kind == Kind::excludes && condition.when.empty() && other.key == key && other.values.empty() &&
           !other.least;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

bool OptionTable::is_excluded(const Option& option, const std::string& by) const {
    const bool is_by_condition = std::any_of(option.conditions.begin(), option.conditions.end(),
                                             [&](const OptionCondition& one) { return excludes_whatever(one, by); });
    const bool is_by_choice = std::any_of(choices_.begin(), choices_.end(), [&](const OptionChoice& one) {
        return option.key != by && contains(one.keys, option.key) && contains(one.keys, by);
    });
    return is_by_condition || is_by_choice;
}

std::string OptionTable::conditions_of(const Option& option, const std::string& given) const {
    std::vector<std::string> with, without, further;
    for (const OptionCondition& condition : option.conditions) {
        const OptionState& first = condition.others.front();
        const bool is_granted = condition.others.size() == 1 && first.values.empty() && first.key == given;
        if (!given.empty() && condition.kind == Kind::excludes && is_excluded(at(first.key), given)) continue;
        const std::string others = state_words(condition.others);
        switch (condition.kind) {
            case Kind::required_with:
                further.push_back(is_granted ? "required" : "required with " + others);
                break;
            case Kind::required_without:
                further.push_back(!given.empty() && is_excluded(at(first.key), given) ? "required"
                                                                                      : "required without " + others);
                break;
            case Kind::needs:
            case Kind::excludes:
                if (is_granted) break;
                const bool needs = condition.kind == Kind::needs;
                if (condition.when.empty())
                    (needs ? with : without).push_back(others);
                else
                    further.push_back(joined_names(condition.when, ", ") + (needs ? " needs " : " not with ") + others);
        }
    }
    for (const OptionChoice& choice : choices_) {
        if (!contains(choice.keys, option.key)) continue;
        std::vector<std::string> others;
        for (const std::string& key : choice.keys)
            if (key != option.key) others.push_back(at(key).shown_name());
        further.push_back(contains(choice.keys, given) ? "required" : "or " + joined_names(others, " or "));
    }
    if (!without.empty()) further.insert(further.begin(), "not with " + joined_names(without, ", "));
    if (!with.empty()) further.insert(further.begin(), "needs " + joined_names(with, " and "));
    std::string text;
    for (const std::string& one : further) text += (text.empty() ? "" : "; ") + one;
    return text;
}

}  // namespace craft
