#include "cli/revise_options.h"

#include <algorithm>

#include "cli/align_options.h"
#include "cli/english_options.h"
#include "cli/scorer_options.h"
#include "data/revised_text.h"
#include "text/lists.h"

namespace craft {

namespace {

void bind_search(OptionTable& table, SearchOptions& o) {
    table.add("search.children", o.children, "responses sampled at a leaf").flag("--children").min(1).max(100);
    table.add("search.depth", o.depth, "deepest level of the tree; the text as it came is on 0")
        .flag("--depth")
        .min(1)
        .max(100);
    table.add("search.iterations", o.iterations, "leaves expanded at most").flag("--iterations").min(1).max(100000);
    table.add("search.patience", o.patience, "ends after so many iterations without a better revision; 0: never for that")
        .flag("--patience")
        .min(0);
    table.add("search.explore", o.explore, "alpha of UCT; 0: the best mean alone decides").flag("--explore").min(0);
    table.add("search.leaves", o.leaves, "leaves expanded at once, chosen under virtual loss")
        .flag("--leaves")
        .min(1)
        .max(1000);
}

void bind_models(OptionTable& table, ReviseOptions& o) {
    table.add("planner", o.planner, "who plans: local:MODEL[+ADAPTER], or openai:PROFILE").flag("--planner").input();
    table.add("reviser", o.reviser, "who revises: rules, local:MODEL[+ADAPTER], or openai:PROFILE")
        .flag("--reviser")
        .input();
    table.add("plans", o.plans, "plans from a file instead of a planner: what `plan` writes, or {\"id\",\"plan\",\"calls\"}")
        .flag("--plans")
        .input();
    table.add("prompts", o.prompts, "folder of prompt files that come before those of share/prompts")
        .flag("--prompts")
        .input();
    bind_prompt(table, o.environment.prompt);
    table.add("sampling.search_temperature", o.method.search_temperature, "of the responses that a search samples")
        .flag("--temperature")
        .min(0);
    bind_new_tokens(table, "sampling.max_new_tokens", o.method.planner.max_new_tokens, "of a planner's response")
        .flag("--max-new-tokens");
    bind_constrained(table, o.method.planner).flag("--constrain-calls");
    table.add("reviser_sampling.temperature", o.model_reviser.sampling.temperature, "of a model that revises; 0: greedy")
        .min(0);
    bind_new_tokens(table, "reviser_sampling.max_new_tokens", o.model_reviser.sampling.max_new_tokens,
                    "of a model that revises");
    table.add("reviser_sampling.attempts", o.model_reviser.attempts, "a model is asked at most so often for one revision")
        .min(1);
    bind_role_systems(table, o.systems);
}

void bind_text_feedback(OptionTable& table, ReviseOptions& o) {
    std::vector<std::string> aspects = text_feedback_aspects();
    aspects.insert(aspects.begin(), "none");
    table
        .add("text_feedback", o.text_feedback,
             "of iter and search: what a model suggests for a revision stands in what the planner reads of it")
        .flag("--text-feedback")
        .one_of(aspects)
        .filled();
    table.add("feedback", o.feedback, "who suggests: local:MODEL[+ADAPTER], or openai:PROFILE; empty: the reviser")
        .flag("--feedback")
        .input();
    table.add("feedback_sampling.temperature", o.suggestions.sampling.temperature, "of suggestions; 0: greedy").min(0);
    bind_new_tokens(table, "feedback_sampling.max_new_tokens", o.suggestions.sampling.max_new_tokens,
                    "of the answer on one aspect");
    table.add("feedback_sampling.most", o.suggestions.most, "suggestions of an aspect that are told at most").min(1);
}

}  // namespace

void bind_revise(OptionTable& table, ReviseOptions& o) {
    table.add("input", o.input, "{\"id\",\"instruction\",\"text\"} a line, - for stdin; other keys are carried through")
        .flag("--input")
        .input();
    table.add("output", o.output, "a line each, - for stdout").flag("--output").output().resumed().with_manifest();
    table.add("text", o.text, "revises this text instead of a file").flag("--text");
    table.add("instruction", o.instruction, "of --text").flag("--instruction");
    table
        .add_enum(
            "method", o.method.method,
            {{"direct", Method::direct},
             {"cot", Method::cot},
             {"plan", Method::plan},
             {"iter", Method::iter},
             {"search", Method::search}},
            "direct: the reviser alone; cot: it reasons first; plan: one plan, one revision; iter: rounds; search: TG-MCTS")
        .flag("--method");
    bind_models(table, o);
    bind_text_feedback(table, o);
    table.add("rounds", o.method.rounds, "of iter").flag("--rounds").min(1).max(100);
    bind_search(table, o.method.search);
    table
        .add("without", o.without,
             "of iter and search: plan (no planner), feedback (observations hold the revision only), rg, rc (that part of "
             "the "
             "reward)")
        .flag("--without")
        .one_of({"plan", "feedback", "rg", "rc"});
    table
        .add("preserve", o.preserve,
             "what must survive, and counts as one more condition: entities (names), latex (commands, mathematics, "
             "references)")
        .flag("--preserve")
        .one_of({"entities", "latex", "none"});
    bind_english(table, o.english).not_identity();  // what it leads to is a fact of the run
    table.add("unit", o.unit, "of direct and cot: text, or sentence by sentence")
        .flag("--unit")
        .one_of({"text", "sentence"});
    table.add("tree", o.tree, "folder for the trees of a search, ID.json each").flag("--tree").output_folder().resumed();
    bind_scorers(table, o.scorers, "perplexity where a model can measure it");
    bind_model(table, "perplexity_model", o.environment.perplexity_model,
               "measures perplexity; none: the planner's own, or the reviser's")
        .flag("--perplexity-model");
    bind_sentences(table, o.environment.reward.sentences);
    table
        .add("flow.items", o.flow.items_at_once,
             "texts worked on side by side; 0: 256, and 24 where a model of ours answers, whose kept keys and values need "
             "room")
        .min(0)
        .max(10000)
        .not_identity();
    table
        .add("dry_run", o.dry_run,
             "asks nothing and opens no weights: prints requests, tokens, prices and a prompt of each role")
        .flag("--dry-run")
        .rehearsal()
        .not_identity();
    bind_json_lines(table, o.lines);
}

namespace {

bool any_local(const ReviseOptions& o) {
    for (const SystemSpec* spec : {&o.planner_spec, &o.reviser_spec, &o.feedback_spec})
        if (spec->kind == SystemSpec::Kind::local) return true;
    return false;
}

bool is_without(const ReviseOptions& o, const char* part) {
    return std::find(o.without.begin(), o.without.end(), part) != o.without.end();
}

void check_sources(OptionTable& table, const ReviseOptions& o) {
    const bool one_text = !o.text.empty() || !o.instruction.empty();
    if (one_text) {
        if (is_empty_text(o.text))
            table.add_problem(table.find("text")->is_given ? "--text: expected a text, got an empty one"
                                                           : "--instruction needs --text");
        if (is_empty_text(o.instruction))
            table.add_problem(table.find("instruction")->is_given
                                  ? "--instruction: expected an instruction, got an empty one"
                                  : "--text needs --instruction");
        if (!o.input.empty() || !o.output.empty())
            table.add_problem("--text prints its revision: no --input and --output beside it");
    } else {
        if (o.input.empty()) table.add_missing("missing --input, or --text and --instruction");
        if (o.output.empty() && !o.dry_run) table.add_missing("missing --output");
    }
}

void check_roles(OptionTable& table, ReviseOptions& o) {
    const bool reviser_known = parse_role(table, "reviser", o.reviser, o.reviser_spec);
    const bool planner_known = !o.planner.empty() && parse_role(table, "planner", o.planner, o.planner_spec);
    if (planner_known && o.planner_spec.kind == SystemSpec::Kind::rules)
        table.add_problem(
            "--planner rules: the rules plan from gold, which a revision does not see; known: local:MODEL[+ADAPTER], "
            "openai:PROFILE");
    if (needs_planner(o.method) && o.planner.empty() && o.plans.empty())
        table.add_missing("missing --planner" + std::string(o.method.method == Method::plan ? ", or --plans" : ""));
    if (!o.plans.empty() && o.method.method != Method::plan) table.add_problem("--plans: goes with --method plan alone");
    if (o.method.planner.constrain_calls && (!needs_planner(o.method) || !o.plans.empty()))
        table.add_problem("--constrain-calls: needs a planner that is asked");
    check_constrained(table, o.systems, o.planner_spec, o.method.planner.constrain_calls);
    if (!o.plans.empty() && !o.planner.empty()) table.add_problem("--plans: stands in place of --planner");
    if (reviser_known && needs_free_reviser(o.method) && o.reviser_spec.kind == SystemSpec::Kind::rules)
        table.add_problem(
            "--reviser rules: carries out plans only; known for this method: local:MODEL[+ADAPTER], openai:PROFILE");
}

void check_method(OptionTable& table, ReviseOptions& o) {
    const bool steps = o.method.method == Method::iter || o.method.method == Method::search;
    const auto only = [&](const char* key, bool fits, const char* with) {
        if (const Option* option = table.find(key); option->is_given && !fits)
            table.add_problem(option->shown_name() + ": goes with --method " + with);
    };
    only("rounds", o.method.method == Method::iter, "iter");
    for (const char* key : {"search.children", "search.depth", "search.iterations", "search.patience", "search.explore",
                            "search.leaves", "tree", "sampling.search_temperature"})
        only(key, o.method.method == Method::search, "search");
    only("without", steps, "iter or search");
    only("unit", o.method.method == Method::direct || o.method.method == Method::cot, "direct or cot");
    if (o.method.method == Method::iter && (is_without(o, "rg") || is_without(o, "rc")))
        table.add_problem("--without rg, rc: go with --method search");
    if (is_without(o, "rg") && is_without(o, "rc")) table.add_problem("--without rg,rc: a search needs one of them");
}

void check_text_feedback(OptionTable& table, ReviseOptions& o) {
    o.suggestions.aspects.clear();
    const bool is_none = std::find(o.text_feedback.begin(), o.text_feedback.end(), "none") != o.text_feedback.end();
    if (is_none && o.text_feedback.size() > 1) table.add_problem("--text-feedback: none stands alone");
    if (!is_none)  // in the order in which they are told, each once
        for (const std::string& aspect : text_feedback_aspects())
            if (std::find(o.text_feedback.begin(), o.text_feedback.end(), aspect) != o.text_feedback.end())
                o.suggestions.aspects.push_back(aspect);
    if (o.suggestions.aspects.empty()) {
        for (const char* key :
             {"feedback", "feedback_sampling.temperature", "feedback_sampling.max_new_tokens", "feedback_sampling.most"})
            if (const Option* option = table.find(key); option->is_given)
                table.add_problem(option->shown_name() +
                                  ": goes with --text-feedback ASPECT,...; known: " + join(text_feedback_aspects(), ", "));
        return;
    }
    if (o.method.method != Method::iter && o.method.method != Method::search)
        table.add_problem("--text-feedback: goes with --method iter or search");
    if (!o.method.use_plan || !o.method.use_feedback)
        table.add_problem("--text-feedback: with --without plan or feedback nobody reads it");
    if (o.method.method == Method::iter && o.method.rounds == 1)
        table.add_problem("--text-feedback: with --rounds 1 nobody reads it");
    if (o.feedback.empty())
        o.feedback_spec = o.reviser_spec;
    else
        parse_role(table, "feedback", o.feedback, o.feedback_spec);
    if ((o.feedback.empty() ? o.reviser : o.feedback).starts_with("rules"))
        table.add_problem(std::string("--text-feedback: ") + (o.feedback.empty() ? "--reviser" : "--feedback") +
                          " rules suggests nothing; known for --feedback: local:MODEL[+ADAPTER], openai:PROFILE");
}

void resolve_scorers(OptionTable& table, ReviseOptions& o) {
    std::filesystem::path& model = o.environment.perplexity_model;
    for (const SystemSpec* spec : {&o.planner_spec, &o.reviser_spec})
        if (model.empty() && spec->kind == SystemSpec::Kind::local) model = spec->model;
    o.environment.scorers = resolved_scorers(table, o.scorers, !model.empty(), "since no role is played by a model of ours");
    if (o.method.method == Method::search && o.environment.scorers.empty()) {
        if (is_without(o, "rc")) table.add_problem("--without rc: a search without scorers has nothing else to go by");
        o.method.search.use_quality = false;
    }
    // The conditions are the planner's calls and what must survive; without any all of them are met.
    const bool has_conditions = o.method.use_plan || o.method.preserve.names || o.method.preserve.latex;
    if (o.method.method == Method::search && !has_conditions && !o.method.search.use_quality)
        table.add_problem(
            "--without plan: " + std::string(is_without(o, "rg") ? "with --without rg" : "without scorers") +
            " every revision has the reward 1 and a search has nothing to go by; --scorers or --preserve gives it "
            "something");
}

}  // namespace

void check_revise(OptionTable& table, ReviseOptions& o) {
    o.method.use_plan = !is_without(o, "plan");
    o.method.use_feedback = !is_without(o, "feedback");
    o.method.search.use_quality = !is_without(o, "rg");
    o.method.search.use_constraints = !is_without(o, "rc");
    o.method.by_sentence = o.unit == "sentence";
    const auto preserves = [&](const char* what) {
        return std::find(o.preserve.begin(), o.preserve.end(), what) != o.preserve.end();
    };
    o.method.preserve.names = preserves("entities");
    o.method.preserve.latex = preserves("latex");
    o.model_reviser.preserve = o.method.preserve;
    if (preserves("none") && o.preserve.size() > 1) table.add_problem("--preserve: none goes with nothing else");
    o.model_reviser.reason = o.method.method == Method::cot;
    o.model_reviser.sentences = o.environment.reward.sentences;
    check_sources(table, o);
    check_roles(table, o);
    check_method(table, o);
    check_text_feedback(table, o);
    resolve_scorers(table, o);
    // More histories than are kept between calls would be computed again for each round.
    if (o.flow.items_at_once == 0) o.flow.items_at_once = any_local(o) ? 24 : 256;
    check_role_systems(table, o.systems, {o.planner_spec, o.reviser_spec, o.feedback_spec});
    for (const FieldProblem& problem : search_problems(o.method.search)) table.add_problem("search." + problem.line());
}

}  // namespace craft
