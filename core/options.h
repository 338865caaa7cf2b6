// Typed option structs bound once to flags, configuration keys, help and provenance.
//
//   struct SftOptions { double lr = 2e-4; /* peak learning rate */ ... };
//   void bind(OptionTable& t, SftOptions& o) { t.add("train.lr", o.lr, "peak learning rate").flag("--lr").min(0); }
//
// Layers: defaults < --config FILE < --set a.b=c < flags. Below the command line nothing sees JSON or strings-as-enums.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "core/option_conditions.h"

namespace craft {

// What a command does with the file that an option names. Marks are looked at by core/option_files.h.
enum class FileRole {
    none,           // it names no file
    input,          // read
    output,         // written whole; one that exists is replaced with --overwrite alone
    output_folder,  // the same of a folder: one that exists has to be empty
    managed,        // written to by rules of its own: a run folder, a cache, a database that grows
};

// One option. Created by OptionTable::add; the chained calls refine it (the reference lasts until the next add).
struct Option {
    std::string key;                   // dotted configuration key, "train.lr"
    std::string flag_name;             // "--lr"; "NAME" is positional; empty: only --set and the file reach it
    std::string help;                  // with the unit and the value that turns it off
    std::string type;                  // "number", "integer", "string", "flag", "list", "path", "object": shown in help
    std::string source = "default";    // where the value came from
    Json initial;                      // the default
    bool is_given = false;             // by a flag or --set, or by a file that holds another value than the default
    std::vector<std::string> choices;  // empty: any
    std::vector<std::string> lone;     // values of a list that stand alone in it
    std::optional<double> minimum, maximum;  // inclusive; of a list: of each element
    bool is_minimum_excluded = false;
    bool is_required = false;
    bool is_filled = false;   // a list that may not be empty
    bool is_identity = true;  // part of what makes two runs the same (RunIdentity)
    std::string group;        // the title that help shows it under
    bool is_wrong = false;    // what was given last is no value of it
    FileRole file = FileRole::none;
    // Of an input: the files that it reads, where its value names them otherwise than by their paths (a system, a folder to
    // look in); absent: its values.
    std::optional<std::vector<std::filesystem::path>> files;
    bool is_resumed = false;        // an output that the same command continues as long as it is not complete
    bool has_manifest = false;      // beside it is written how it was made (manifest_path())
    bool writes_outputs = true;     // false: a flag with which the command only says what it would do
    bool is_configuration = false;  // its value is a configuration of the command, read before those of --config
    std::vector<OptionCondition> conditions;
    // Both set the target and return a problem ("expected a number, got 'x'") or "". Text is that of a flag or --set:
    // lists are separated by commas (or a JSON list), `none` empties an optional value.
    std::function<std::string(const Json&)> assign;
    std::function<std::string(const std::string&)> assign_text;
    std::function<Json()> current;
    // Of an object: sets what stands under a path of keys within it; later layers change single keys of earlier ones.
    std::function<void(const std::vector<std::string>&, const Json&)> assign_within;
    std::map<std::string, std::string> sources_within;  // of an object: where the values in it came from, by their full keys
    std::function<std::string(const Json&)> checker;    // a further problem with a value, or ""; null: none is looked for
    std::vector<std::string> former_names;  // keys and flags that it had; giving one is an error that names the present one

    Option& flag(std::string name) { return flag_name = std::move(name), *this; }
    Option& positional(std::string name) { return flag_name = std::move(name), *this; }
    Option& one_of(std::vector<std::string> names) { return choices = std::move(names), *this; }
    Option& min(double value) { return minimum = value, *this; }
    Option& above(double value) { return is_minimum_excluded = true, min(value); }
    Option& max(double value) { return maximum = value, *this; }
    Option& alone(std::vector<std::string> values) { return lone = std::move(values), *this; }
    Option& was(std::string former) { return former_names.push_back(std::move(former)), *this; }
    Option& filled() { return is_filled = true, *this; }
    Option& required() { return is_required = true, *this; }
    Option& not_identity() { return is_identity = false, *this; }
    Option& input() { return file = FileRole::input, *this; }
    // Says what an input reads, beside what was said before; to be called by whoever makes files of its value. Empty paths
    // are none.
    Option& reads(const std::vector<std::filesystem::path>& read);
    Option& output() { return file = FileRole::output, *this; }
    Option& output_folder() { return file = FileRole::output_folder, *this; }
    Option& managed() { return file = FileRole::managed, *this; }
    Option& resumed() { return is_resumed = true, *this; }
    Option& with_manifest() { return has_manifest = true, *this; }
    Option& configuration() { return is_configuration = true, input(); }
    Option& rehearsal() { return writes_outputs = false, *this; }
    Option& checked(std::function<std::string(const Json&)> by) { return checker = std::move(by), *this; }
    // Conditions, which OptionTable::finish() checks. `why` ends the problem, as its hint.
    Option& needs(OptionState other, std::string why = "") { return needs_any({std::move(other)}, std::move(why)); }
    Option& needs_any(std::vector<OptionState> others, std::string why = "");
    Option& excludes(OptionState other, std::string why = "");
    Option& required_with(OptionState other);
    Option& required_without(OptionState other) { return required_without_any({std::move(other)}); }
    Option& required_without_any(std::vector<OptionState> others);
    // The condition added last applies to these values of this option alone.
    Option& when(std::vector<std::string> values) { return conditions.back().when = std::move(values), *this; }
    // Where the condition added last does not hold, the option has no effect, and a warning says so.
    Option& else_idle() { return conditions.back().is_warning = true, *this; }

    bool is_positional() const { return !flag_name.empty() && flag_name[0] != '-'; }
    // How users call it: its flag, else "--set key".
    std::string shown_name() const;
    // A problem with the present value's range or choice, or "".
    std::string check() const;
};

class OptionTable {
public:
    // T: bool, int, int64_t, uint64_t, float, double, std::string, std::filesystem::path, std::vector of std::string,
    // int64_t or double, and std::optional of int64_t, uint64_t, double, std::string, std::filesystem::path. The target must
    // outlive the table. A key or flag used twice, or a key that is also the prefix of another, is a logic error
    // (std::logic_error).
    template <class T>
    Option& add(const std::string& key, T& target, const std::string& help);
    // An object of any form, for what is known only to whoever reads it (profiles under their names). A layer merges into
    // those before it, key by key, and null takes a key away (RFC 7386). `--set key.name.field=VALUE` reaches into it, where
    // a VALUE that is JSON is that, and any other a string; a name that has a dot is found if an earlier layer has it.
    Option& add(const std::string& key, Json& target, const std::string& help);
    // An enum given by its names, e.g. t.add_enum("loss.form", o.form, {{"sigmoid", Form::sigmoid}, ...}, "...").
    template <class E>
    Option& add_enum(const std::string& key, E& target, const std::vector<std::pair<std::string, E>>& names,
                     const std::string& help);
    // A list of them; a name may stand in it more than once.
    template <class E>
    Option& add_enums(const std::string& key, std::vector<E>& target, const std::vector<std::pair<std::string, E>>& names,
                      const std::string& help);

    // Options that are added while the returned object lives stand under this title in --help, those of a group within it
    // under that one's.
    class Group {
    public:
        Group(OptionTable& table, std::string title)
            : table_(table), outer_(std::exchange(table.group_, std::move(title))) {}
        ~Group() { table_.group_ = outer_; }
        Group(const Group&) = delete;
        Group& operator=(const Group&) = delete;

    private:
        OptionTable& table_;
        std::string outer_;
    };
    [[nodiscard]] Group group(std::string title) { return {*this, std::move(title)}; }

    std::vector<Option>& options() { return options_; }
    // Those added since there were `count` of them: for what a whole block of options has in common.
    std::span<Option> added_since(size_t count) { return std::span(options_).subspan(count); }
    const std::vector<Option>& options() const { return options_; }
    Option* find(const std::string& key);
    const Option* find(const std::string& key) const;
    // Throws std::logic_error where there is no such option.
    const Option& at(const std::string& key) const;
    Option& at(const std::string& key) { return const_cast<Option&>(std::as_const(*this).at(key)); }

    // Exactly one of these options is to be given.
    void expect_one(OptionChoice choice) { choices_.push_back(std::move(choice)); }
    // Whether it has to be given as the others stand.
    bool is_required(const Option& option) const;
    // Its conditions, for help: "needs --method iter; not with --ids". `given`: key of an option that is given, by which
    // some need not be told; empty: none.
    std::string conditions_of(const Option& option, const std::string& given = "") const;

    // Whether it is not to be given where the option of that key is, whatever their values.
    bool is_excluded(const Option& option, const std::string& by) const;

    // "'retries.most' is called 'retries.max_retries' now" of a key or flag that an option had (Option::was); "" of others.
    std::string renamed(const std::string& name) const;
    // What an unknown key's problem says where no known one is near.
    void set_hint(std::string hint) { hint_ = std::move(hint); }
    // What is said of a name that others have for something ("learning_rate"); "": nothing.
    void set_other_names(std::function<std::string(const std::string& name)> answer) { other_names_ = std::move(answer); }

    // Each reports into problems() instead of throwing, so that all of them are shown at once.
    // A file is JSON with comments: nested objects or dotted keys; "base": FILE (relative to this one) is read first and
    // overlaid by it. An option that one file gives twice is a problem.
    void apply_file(const std::filesystem::path& file);
    const std::vector<std::filesystem::path>& files() const { return files_; }  // that were read, those of "base", too
    void apply_set(const std::string& assignment);                              // "a.b=c"
    void apply_flag(const std::string& key, const std::string& value);
    // What a file's tree would do; problems begin with `source`.
    void apply_json(const Json& tree, const std::string& source);
    void add_problem(const std::string& problem) { problems_.push_back(problem); }
    // What makes two runs the same, beside identity(), though no option as a whole does.
    void add_fact(const std::string& key, Json value) { facts_[key] = std::move(value); }
    const Json& facts() const { return facts_; }
    // A problem only where required options are asked for: something that nobody gave ("one of --a and --b").
    void add_missing(const std::string& problem) { missing_.push_back(problem); }
    const std::vector<std::string>& problems() const { return problems_; }
    // Throws UsageError with every problem: unknown keys (nearest known one), wrong types, out of range, conditions that do
    // not hold and, if asked, required options that nobody gave.
    void finish(bool check_required = true);

    Json resolved() const;  // nested JSON of all values
    Json identity() const;  // the same without not_identity() options
    std::string provenance()
        const;  // what --dump-config prints: a configuration file with a comment per key, "// from FILE"

private:
    Option& add_option(Option option);
    bool holds(const OptionState& state) const;
    bool any_holds(const std::vector<OptionState>& states) const;
    std::string state_words(const std::vector<OptionState>& states) const;
    void check_condition(const Option& option, const OptionCondition& condition);
    void check_choice(const OptionChoice& choice, bool check_required);
    void check_conditions(bool check_required);
    void read_file_chain(const std::filesystem::path& file, std::vector<std::filesystem::path>& chain);
    void assign_json(const std::string& prefix, const Json& value, const std::string& source,
                     std::set<std::string>& given);  // full keys that the file has given so far
    void note_result(Option& option, const std::string& problem, const std::string& named, const std::string& source);
    void unknown_key(const std::string& key, const std::string& source);
    Option* find_around(const std::string& key);  // the object that such a key would lie in; null: none
    bool assign_within(const std::string& key, const Json& value, const std::string& named, const std::string& source);
    static void note_sources(Option& option, const std::string& key, const Json& value, const std::string& source);
    void note_leaves(const std::string& key, const Json& value, const std::string& source, std::set<std::string>& given);
    std::vector<Option> options_;
    std::vector<OptionChoice> choices_;
    std::string group_ = "Options";
    std::function<std::string(const std::string&)> other_names_;
    std::vector<std::filesystem::path> files_;
    std::vector<std::string> problems_, missing_;
    Json facts_ = Json::object();
    std::string hint_ = "--help lists the known ones";
};

template <class E>
Option& OptionTable::add_enum(const std::string& key, E& target, const std::vector<std::pair<std::string, E>>& names,
                              const std::string& help) {
    Option option;
    option.key = key;
    option.help = help;
    option.type = "string";
    for (const auto& [name, value] : names) option.choices.push_back(name);
    option.assign_text = [&target, names](const std::string& text) -> std::string {
        for (const auto& [name, value] : names) {
            if (name != text) continue;
            target = value;
            return "";
        }
        std::vector<std::string> known;
        for (const auto& [name, value] : names) known.push_back(name);
        return expected_one_of(known, text);
    };
    option.assign = [assign_text = option.assign_text](const Json& value) -> std::string {
        return value.is_string() ? assign_text(value.get<std::string>())
                                 : std::string("expected a name, got ") + value.dump();
    };
    option.current = [&target, names]() -> Json {
        for (const auto& [name, value] : names)
            if (value == target) return name;
        return nullptr;
    };
    return add_option(std::move(option));
}

template <class E>
Option& OptionTable::add_enums(const std::string& key, std::vector<E>& target,
                               const std::vector<std::pair<std::string, E>>& names, const std::string& help) {
    const auto chosen = std::make_shared<std::vector<std::string>>();
    for (const E& value : target)
        for (const auto& [name, known] : names)
            if (known == value) chosen->push_back(name);
    Option& option = add(key, *chosen, help);
    for (const auto& [name, value] : names) option.choices.push_back(name);
    const auto taken_over = [chosen, &target, names](const std::string& problem) {
        target.clear();
        for (const std::string& one : *chosen)
            for (const auto& [name, value] : names)
                if (name == one) target.push_back(value);
        return problem;
    };
    option.assign = [assign = option.assign, taken_over](const Json& value) { return taken_over(assign(value)); };
    option.assign_text = [assign = option.assign_text, taken_over](const std::string& text) {
        return taken_over(assign(text));
    };
    return option;
}

}  // namespace craft
