#include "core/options.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "core/utf8.h"

namespace craft {

namespace {

std::string number_text(double value) {
    const bool whole = std::abs(value) < 0x1p53 && std::trunc(value) == value;
    return whole ? std::to_string(static_cast<int64_t>(value)) : Json(value).dump();
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

std::string check_one(const Option& option, const Json& value) {
    if (value.is_array()) {
        if (option.is_filled && value.empty()) {
            const std::string known = listed(option.choices);
            return "expected at least one" + (known.empty() ? "" : " of " + known) + ", got none";
        }
        for (const std::string& lone : option.lone) {
            const bool is_there = std::find(value.begin(), value.end(), lone) != value.end();
            const bool is_all = std::all_of(value.begin(), value.end(), [&](const Json& one) { return one == lone; });
            if (is_there && !is_all) return "expected '" + lone + "' alone, got it with others";
        }
        for (const Json& item : value)
            if (std::string problem = check_one(option, item); !problem.empty()) return "in the list: " + problem;
    }
    if (value.is_number()) {
        const auto number = value.get<double>();
        const std::string got = value.is_number_float() ? number_text(number) : value.dump();
        if (option.minimum && option.is_minimum_excluded && number <= *option.minimum)
            return "expected above " + number_text(*option.minimum) + ", got " + got;
        if (option.minimum && number < *option.minimum)
            return "expected at least " + number_text(*option.minimum) + ", got " + got;
        if (option.maximum && number > *option.maximum)
            return "expected at most " + number_text(*option.maximum) + ", got " + got;
    }
    if (value.is_string() && !option.choices.empty()) {
        const auto text = value.get<std::string>();
        if (std::find(option.choices.begin(), option.choices.end(), text) != option.choices.end()) return "";
        return expected_one_of(option.choices, text);
    }
    return "";
}

bool is_prefix_key(const std::string& shorter, const std::string& longer) {
    return longer.rfind(shorter + ".", 0) == 0;
}

bool is_nothing(const Json& value) {
    return value.is_null() || (value.is_string() && value.get_ref<const std::string&>().empty()) ||
           (value.is_array() && value.empty());
}

}  // namespace

std::string Option::shown_name() const {
    return flag_name.empty() ? "--set " + key : flag_name;
}

Option& Option::reads(const std::vector<std::filesystem::path>& read) {
    if (!files) files.emplace();
    std::copy_if(read.begin(), read.end(), std::back_inserter(*files), [](const auto& one) { return !one.empty(); });
    return *this;
}

std::string Option::check() const {
    const Json value = current();
    const std::string problem = check_one(*this, value);
    return problem.empty() && checker ? checker(value) : problem;
}

Option& OptionTable::add_option(Option option) {
    for (const Option& other : options_)
        if (other.key == option.key || is_prefix_key(other.key, option.key) || is_prefix_key(option.key, other.key))
            throw std::logic_error("option keys clash: " + other.key + " and " + option.key);
    option.initial = option.current();
    option.group = group_;
    options_.push_back(std::move(option));
    return options_.back();
}

const Option* OptionTable::find(const std::string& key) const {
    const auto found = std::find_if(options_.begin(), options_.end(), [&](const Option& o) { return o.key == key; });
    return found == options_.end() ? nullptr : &*found;
}

Option* OptionTable::find(const std::string& key) {
    return const_cast<Option*>(std::as_const(*this).find(key));
}

void OptionTable::note_result(Option& option, const std::string& problem, const std::string& named,
                              const std::string& source) {
    option.source = source;
    option.is_given = true;
    const std::string wrong = problem.empty() ? option.check() : problem;
    option.is_wrong = !wrong.empty();
    if (option.is_wrong) add_problem(named + ": " + wrong);
}

void OptionTable::apply_set(const std::string& assignment) {
    const size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0) {
        add_problem("--set: expected KEY=VALUE, got '" + shortened(assignment, 80) + "'");
        return;
    }
    const std::string key = assignment.substr(0, equals);
    Option* option = find(key);
    if (option == nullptr) {
        const std::string text = assignment.substr(equals + 1);
        const Json value = Json::parse(text, nullptr, /*allow_exceptions=*/false);
        if (!assign_within(key, value.is_discarded() ? Json(text) : value, "--set " + key, "--set"))
            unknown_key(key, "--set");
        return;
    }
    note_result(*option, option->assign_text(assignment.substr(equals + 1)), "--set " + key, "--set");
    if (option->assign_within)
        note_sources(*option, key, Json::parse(assignment.substr(equals + 1), nullptr, /*allow_exceptions=*/false), "--set");
}

void OptionTable::apply_flag(const std::string& key, const std::string& value) {
    Option* option = find(key);
    if (option == nullptr) throw std::logic_error("no option has the key " + key);
    note_result(*option, option->assign_text(value), option->flag_name, option->flag_name);
}

std::string OptionTable::renamed(const std::string& name) const {
    for (const Option& option : options_)
        if (std::find(option.former_names.begin(), option.former_names.end(), name) != option.former_names.end())
            return "'" + name + "' is called '" + (name.starts_with("--") ? option.flag_name : option.key) + "' now";
    return "";
}

void OptionTable::unknown_key(const std::string& key, const std::string& source) {
    if (const std::string now = renamed(key); !now.empty()) return add_problem(source + ": " + now);
    const std::string others = other_names_ ? other_names_(key.substr(key.rfind('.') + 1)) : "";
    if (!others.empty()) return add_problem(source + ": " + key + " " + others);
    std::vector<std::string> known;
    for (const Option& option : options_) known.push_back(option.key);
    std::string near = nearest_name(key, known);
    for (const auto& candidate : known)  // "lr" for "train.lr"
        if (near.empty() && candidate.size() > key.size() && candidate.ends_with("." + key)) near = candidate;
    add_problem(source + ": unknown key '" + shortened(key, 80) + "'" +
                (near.empty() ? " (" + hint_ + ")" : "; did you mean '" + near + "'?"));
}

void OptionTable::finish(bool check_required) {
    check_conditions(check_required);
    if (check_required) {
        for (const Option& option : options_) {
            const bool is_missing = is_nothing(option.current()) || (option.is_required && option.source == "default");
            if (is_missing && !option.is_wrong && is_required(option))
                add_problem("missing " + option.shown_name() + ": " + option.help);
        }
        problems_.insert(problems_.end(), missing_.begin(), missing_.end());
    }
    if (!problems_.empty()) throw UsageError(problems_);
}

}  // namespace craft
