#include "cli/simplify_texts.h"

#include <algorithm>
#include <set>

#include "cli/english_options.h"
#include "cli/inquiry.h"
#include "cli/option_groups.h"
#include "cli/system_options.h"
#include "core/error.h"

namespace craft {

void bind_simplify(OptionTable& table, SimplifyOptions& o, const std::vector<const char*>& roles) {
    const auto data = table.group(kDataGroup);
    table.add("input", o.input, "texts: {\"id\",\"text\"} per line, - for stdin; other keys are ignored")
        .flag("--input")
        .input()
        .required();
    table.add("output", o.output, "one per line, - for stdout")
        .flag("--output")
        .output()
        .resumed()
        .with_manifest()
        .required();
    table
        .add_enum("policy", o.policy, simplification_policies(),
                  "lexical: easier words, the structure as it is; rewriting: whatever makes a sentence easier; document: "
                  "the same for whole texts")
        .flag("--policy")
        .required();
    table.add("prompts", o.prompts, "folder of prompt files that override those of share/prompts").flag("--prompts").input();
    table.add("shots", o.model.shots, "worked examples that a model is shown")
        .flag("--shots")
        .max(static_cast<double>(PolicyPrompt::kMaxShots));
    table.add("sampling.temperature", o.model.sampling.temperature, "sampling temperature of a model; 0: greedy")
        .flag("--temperature")
        .min(0);
    table
        .add("sampling.top_p", o.model.sampling.top_p,
             "nucleus sampling: probability mass of the tokens sampled from; 1: all")
        .min(0.01)
        .max(1);
    bind_new_tokens(table, "sampling.max_new_tokens", o.model.sampling.max_new_tokens, "of an answer, including thinking")
        .flag("--max-new-tokens");
    bind_role_systems(table, o.asked, roles);
    bind_english(table, o.english).not_identity();  // what it leads to is a fact of the run
    table.add("flow.items", o.flow.items_at_once, "texts processed concurrently").min(1).max(10000).not_identity();
    bind_json_lines(table, o.lines);
}

namespace {

void check_system(OptionTable& table, const char* key, const std::string& system, std::vector<SystemSpec>& specs) {
    SystemSpec spec;
    std::vector<std::string> known;
    for (const std::string& name : rule_system_names()) known.push_back("rules:" + name);
    if (system != "rules" && !system.starts_with("rules:"))
        parse_role(table, key, system, spec);
    else if (std::find(known.begin(), known.end(), system) == known.end())
        table.add_problem(table.at(key).shown_name() + ": " + expected_one_of(known, system));
    else
        table.at(key).reads({});
    specs.push_back(std::move(spec));
}

bool needs_english(const SimplifyOptions& o) {
    return std::any_of(o.systems.begin(), o.systems.end(), [](const std::string& system) {
        return system.starts_with("rules:") && rules_name(system) != "copy";
    });
}

}  // namespace

void check_simplify(OptionTable& table, SimplifyOptions& o, const char* key) {
    o.specs.clear();
    std::set<std::string> once;
    for (const std::string& system : o.systems) {
        check_system(table, key, system, o.specs);
        if (!once.insert(system).second)
            table.add_problem(table.at(key).shown_name() + ": expected each once, got '" + system + "' again");
    }
    std::vector<SystemSpec> asked = o.specs;
    if (o.feedback.is_on() && o.feedback.spec.kind == CandidateJudgeSpec::Kind::system && !o.feedback.spec.text.empty())
        asked.push_back(o.feedback.spec.system);
    check_role_systems(table, o.asked, asked);
    if (Inquiry* inquiry = Inquiry::estimating()) {
        constexpr double kPolicy = 150;
        const DataSize texts = inquiry->size_of(o.input);
        WorkEstimate work;
        for (size_t i = 0; i < o.specs.size(); ++i)
            add_asked(work, o.systems[i], o.specs[i], texts.rows,
                      kPolicy + (1 + 2 * static_cast<double>(o.model.shots)) * texts.text, texts.text);
        // A group of candidates is read whole, source included.
        const double written = o.specs.size() > 1 ? 1 + static_cast<double>(o.specs.size()) : 1;
        inquiry->tell(std::move(work), {{o.output, {texts.rows, texts.text * written}}});
    }
}

int run_simplifying(const Command& command, OptionTable& table, const CommonOptions& common, const SimplifyOptions& options,
                    const SimplifiedRows& rows) {
    EnglishModel english;
    if (needs_english(options)) {
        english = find_english(options.english);
        if (english.pipeline == nullptr) throw Error("rules that read parses", "an English model", "none", english.hint);
        table.add_fact("english", english.name);
    }
    const RunIdentity identity = rows_identity(command, table, common, open_placement(common));
    simplify_texts(options, rows, english, common, identity, common.overwrite);
    return 0;
}

}  // namespace craft
