#include "cli/system_options.h"

#include <set>

#include "cli/chat_options.h"
#include "cli/option_groups.h"
#include "core/error.h"
#include "systems/hosted/profile.h"

namespace craft {

void bind_role_systems(OptionTable& table, RoleSystemOptions& o, const std::vector<const char*>& roles, bool with_chat) {
    std::vector<OptionState> local, hosted;
    for (const char* role : roles) {
        local.push_back({role, {"local:"}});
        hosted.push_back({role, {"openai:"}});
    }
    if (with_chat) {
        const size_t before = table.options().size();
        bind_chat(table, o.chat);
        for (Option& option : table.added_since(before)) option.needs_any(local);
    }
    const auto group = table.group(kHostedGroup);
    // Limits and prices may change between the parts of a run: what answers depend on is part of each request's record.
    table.add("openai", o.profiles, "hosted models by name, for openai:NAME (docs/hosted.md)")
        .checked(HostedProfile::held_key)
        .not_identity();
    table
        .add_enum("record", o.record,
                  {{"hosted", RoleSystemOptions::Record::hosted},
                   {"all", RoleSystemOptions::Record::all},
                   {"none", RoleSystemOptions::Record::none}},
                  "systems whose answers are recorded, so that no request is computed or paid for twice")
        .flag("--record")
        .not_identity();
    table.add("answers", o.answers, "folder of recorded answers; empty: craft-train/answers in the user's cache")
        .flag("--answers")
        .managed()
        .not_identity();
    table
        .add("batch_folder", o.batch,
             "folder of batch files: requests to hosted models are written there, and their answers read from there")
        .flag("--batch")
        .managed()
        .not_identity()
        .needs_any(hosted)
        .excludes({"record", {"none"}}, "answers of batches are recorded");
}

Option& bind_new_tokens(OptionTable& table, const std::string& key, std::optional<int64_t>& most, const std::string& of) {
    return table
        .add(key, most,
             "maximum new tokens " + of +
                 "; an answer cut there is unusable; none: the rest of the context window, at most " +
                 std::to_string(kMaxNewTokens))
        .min(1);
}

bool parse_role(OptionTable& table, const char* key, const std::string& text, SystemSpec& spec) {
    try {
        Option& option = table.at(key);
        spec = SystemSpec::parse(text, option.shown_name());
        option.reads({spec.model, spec.adapter});
        return true;
    } catch (const UsageError& error) {
        table.add_problem(error.what());
        return false;
    }
}

void check_role_systems(OptionTable& table, const RoleSystemOptions& o, const std::vector<SystemSpec>& specs) {
    Json models = Json::object();
    std::set<std::string> told = {HostedProfile::held_key(o.profiles)};  // by the option itself
    for (const SystemSpec& spec : specs) {
        if (spec.kind != SystemSpec::Kind::hosted) continue;
        try {
            models[spec.text()] = hosted_profile(spec, o.profiles).model;
        } catch (const UsageError& error) {
            for (const std::string& problem : error.problems())
                if (told.insert(problem).second) table.add_problem(problem);  // two roles may have one profile
        }
    }
    // Limits and prices of a profile may change between the parts of a run, the model may not: its answers would be mixed.
    if (!models.empty()) table.add_fact("models", models);
}

void check_constrained(OptionTable& table, const RoleSystemOptions& o, const SystemSpec& spec, bool constrain_calls) {
    if (!constrain_calls || spec.kind != SystemSpec::Kind::hosted) return;
    try {
        if (hosted_profile(spec, o.profiles).grammar == HostedGrammar::none)
            table.add_problem("--constrain-calls: expected openai." + spec.profile +
                              ".grammar, which says how the server takes a grammar (structured_outputs, guided_grammar, "
                              "gbnf), got none");
    } catch (const UsageError&) {
        return;  // check_role_systems() tells what is wrong with the profile
    }
}

}  // namespace craft
