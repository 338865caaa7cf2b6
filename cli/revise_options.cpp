#include "cli/revise_options.h"

#include <algorithm>

#include "cli/align_options.h"
#include "cli/english_options.h"
#include "cli/inquiry.h"
#include "cli/option_groups.h"
#include "cli/scorer_options.h"
#include "data/revised_text.h"

namespace craft {

namespace {

void bind_search(OptionTable& table, ReviseOptions& options) {
    const auto group = table.group("Search");
    const size_t before = table.options().size();
    SearchOptions& o = options.method.search;
    table.add("search.children", o.children, "responses sampled at a leaf").flag("--children").min(1).max(100);
    table.add("search.depth", o.depth, "maximum depth of the tree; the original text is at 0")
        .flag("--depth")
        .min(1)
        .max(100);
    table.add("search.iterations", o.iterations, "maximum leaves expanded").flag("--iterations").min(1).max(100000);
    table.add("search.patience", o.patience, "stop after this many iterations without a better revision; 0: never")
        .flag("--patience")
        .min(0);
    table.add("search.explore", o.explore, "alpha of UCT; 0: only the mean reward decides").flag("--explore").min(0);
    table.add("search.leaves", o.leaves, "leaves expanded concurrently, chosen with virtual loss")
        .flag("--leaves")
        .min(1)
        .max(1000);
    table.add("tree", options.tree, "folder for the trees of a search, ID.json each")
        .flag("--tree")
        .output_folder()
        .resumed();
    for (Option& option : table.added_since(before)) option.needs({"method", {"search"}});
    table
        .add("sampling.search_temperature", options.method.search_temperature,
             "sampling temperature of the responses that are sampled")
        .flag("--temperature")
        .min(0)
        .needs({"method", {"search", "best-of"}});
}

void bind_best_of(OptionTable& table, ReviseOptions& options) {
    const auto group = table.group("Best of several");
    table.add("samples", options.method.samples, "revisions of a text, of which the best is taken")
        .flag("--samples")
        .min(1)
        .max(10000)
        .needs({"method", {"best-of"}});
    table
        .add(
            "tokens_of", options.tokens_of,
            "output of another method, such as search: each text is revised until it cost as many tokens as there, in place "
            "of --samples")
        .flag("--tokens-of")
        .input()
        .needs({"method", {"best-of"}})
        .needs("input")
        .excludes("samples")
        .excludes("dry_run", "how many revisions these are shows only as they come");
}

void bind_models(OptionTable& table, ReviseOptions& o) {
    const auto group = table.group("Planner and reviser");
    table.add("planner", o.planner, "planner: local:MODEL[+ADAPTER], or openai:PROFILE").flag("--planner").input();
    bind_reviser(table, o.reviser, o.model_reviser, "reviser");
    table.add("plans", o.plans, "plans from a file instead of a planner: what `plan` writes, or {\"id\",\"plan\",\"calls\"}")
        .flag("--plans")
        .input()
        .needs({"method", {"plan"}})
        .excludes("planner");
    table.add("prompts", o.prompts, "folder of prompt files that override those of share/prompts").flag("--prompts").input();
    Option& prompt = bind_prompt(table, o.environment.prompt);
    prompt.choices.emplace_back("plan");
    prompt.help += "; with --method plan: else plan, which shows a plan by hand and asks for no calls (CRAFT App. E.4)";
    bind_new_tokens(table, "sampling.max_new_tokens", o.method.planner.max_new_tokens, "of a planner's response")
        .flag("--max-new-tokens");
    bind_constrained(table, o.method.planner)
        .flag("--constrain-calls")
        .needs({"method", {"plan", "iter", "best-of", "search"}})
        .needs("planner", "no planner is asked")
        .excludes({"without", {"plan"}}, "no planner is asked")
        .excludes({"prompt", {"plan"}}, "it asks for no calls");
    bind_role_systems(table, o.systems, {"planner", "reviser", "feedback"});
}

void bind_suggestions(OptionTable& table, ReviseOptions& o) {
    const std::vector<std::string> suggested = suggesting_values();
    const size_t before = table.options().size();
    bind_text_feedback(table, o.text_feedback, o.suggestions,
                       "for iter and search: show the planner a model's suggestions for each revision; auto: all three in a "
                       "search where --feedback or the reviser is a model",
                       {{"method", {"search"}}});
    for (Option& option : table.added_since(before))
        if (option.key != "text_feedback") option.excludes({"without", {"plan", "feedback"}}, "nobody reads them");
    table.at("text_feedback")
        .needs({"method", {"iter", "search"}})
        .when(suggested)
        .needs("planner", "nobody reads them")
        .when(suggested)
        .excludes({"without", {"plan", "feedback"}}, "nobody reads them")
        .when(suggested)
        .excludes({"rounds", {"1"}}, "nobody reads them")
        .when(suggested);
}

}  // namespace

void bind_revise(OptionTable& table, ReviseOptions& o) {
    const auto data = table.group(kDataGroup);
    table.add("input", o.input, "{\"id\",\"instruction\",\"text\"} per line, - for stdin; other keys are carried through")
        .flag("--input")
        .input()
        .required_without("text");
    table.add("output", o.output, "one per line, - for stdout")
        .flag("--output")
        .output()
        .resumed()
        .with_manifest()
        .required_without_any({"text", "dry_run"});
    table.add("text", o.text, "revises this text instead of a file, and prints it")
        .flag("--text")
        .needs("instruction")
        .excludes("input")
        .excludes("output");
    table.add("instruction", o.instruction, "of --text").flag("--instruction").needs("text");
    const auto method = table.group("Method");
    table
        .add_enum(
            "method", o.method.method,
            {{"direct", Method::direct},
             {"cot", Method::cot},
             {"plan", Method::plan},
             {"iter", Method::iter},
             {"best-of", Method::best_of},
             {"search", Method::search}},
            "direct: the reviser alone; cot: it reasons first; plan: one plan, one revision; iter: rounds; best-of: several "
            "revisions, the best by the search's reward; search: TG-MCTS. iter and best-of plan where there is a --planner")
        .flag("--method");
    bind_models(table, o);
    bind_suggestions(table, o);
    table.add("rounds", o.method.rounds, "of iter").flag("--rounds").min(1).max(100).needs({"method", {"iter"}});
    bind_best_of(table, o);
    bind_search(table, o);
    table
        .add("without", o.without,
             "parts to leave out: plan (no planner), feedback (observations hold only the revision), rg, rc (that part of "
             "the "
             "reward)")
        .flag("--without")
        .one_of({"plan", "feedback", "rg", "rc"})
        .needs({"method", {"iter", "best-of", "search"}})
        .when({"plan"})
        .needs({"method", {"iter", "search"}})
        .when({"feedback"})
        .needs({"method", {"best-of", "search"}})
        .when({"rg", "rc"});
    table
        .add("preserve", o.preserve,
             "what must be preserved, as one more condition: entities (names), latex (commands, mathematics, references)")
        .flag("--preserve")
        .one_of({"entities", "latex", "none"})
        .alone({"none"});
    bind_english(table, o.english).not_identity();  // what it leads to is a fact of the run
    table.add("unit", o.unit, "for direct and cot: the text at once, or sentence by sentence")
        .flag("--unit")
        .one_of({"text", "sentence"})
        .needs({"method", {"direct", "cot"}});
    {
        const auto reward = table.group(kRewardGroup);
        bind_scorers(table, o.scorers, "perplexity if a model can measure it");
        bind_model(table, "perplexity_model", o.environment.perplexity_model,
                   "model for perplexity; none: the planner's, or the reviser's")
            .flag("--perplexity-model");
        bind_sentences(table, o.environment.reward.sentences);
    }
    table
        .add("flow.items", o.flow.items_at_once,
             "texts processed concurrently; 0: 256, or 24 with a local model, whose key-value cache takes memory")
        .min(0)
        .max(10000)
        .not_identity();
    table
        .add("dry_run", o.dry_run,
             "make no requests and load no weights: print requests, tokens, prices and one prompt per role")
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

// Methods that compare revisions by the search's reward.
bool is_rewarded(const ReviseOptions& o) {
    return o.method.method == Method::search || o.method.method == Method::best_of;
}

// Rounds, and several revisions, are the reviser's own where nobody plans for it.
bool plans_if_asked(const ReviseOptions& o) {
    return o.method.method == Method::iter || o.method.method == Method::best_of;
}

// Empty ones in a configuration are none, as --dump-config writes them.
void check_one_text(OptionTable& table, const char* key, const char* expected) {
    Option& option = table.at(key);
    if (!option.is_given || option.is_wrong || !is_empty_text(option.current().get<std::string>())) return;
    option.is_wrong = true;
    table.add_problem(option.shown_name() + ": expected " + expected + ", got an empty one");
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
    check_constrained(table, o.systems, o.planner_spec, o.method.planner.constrain_calls);
    if (reviser_known && needs_free_reviser(o.method) && o.reviser_spec.kind == SystemSpec::Kind::rules)
        table.add_problem(std::string("--reviser rules: carries out plans only; known for this method") +
                          (plans_if_asked(o) && o.planner.empty() ? " without --planner" : "") +
                          ": local:MODEL[+ADAPTER], openai:PROFILE");
}

// `auto` where nothing else is asked for.
TextFeedbackChoice text_feedback_of(const ReviseOptions& o) {
    TextFeedbackChoice choice = o.text_feedback;
    if (choice.aspects != std::vector<std::string>{"auto"}) return choice;
    const bool is_read = o.method.method == Method::search && o.method.use_plan && o.method.use_feedback;
    const bool is_model = !choice.system.empty() || o.reviser_spec.kind != SystemSpec::Kind::rules;
    choice.aspects = is_read && is_model ? suggesting_values() : std::vector<std::string>{"none"};
    return choice;
}

void resolve_scorers(OptionTable& table, ReviseOptions& o) {
    std::filesystem::path& model = o.environment.perplexity_model;
    for (const SystemSpec* spec : {&o.planner_spec, &o.reviser_spec})
        if (model.empty() && spec->kind == SystemSpec::Kind::local) model = spec->model;
    o.environment.scorers = resolved_scorers(table, o.scorers, !model.empty(), "since no role uses a local model");
    if (is_rewarded(o) && o.environment.scorers.empty()) {
        if (is_without(o, "rc")) table.add_problem("--without rc: without scorers there is no other reward");
        o.method.search.use_quality = false;
    }
    // The conditions are the planner's calls and what must survive; without any all of them are met.
    const bool has_conditions = o.method.use_plan || o.method.preserve.names || o.method.preserve.latex;
    if (is_rewarded(o) && !has_conditions && !o.method.search.use_quality)
        table.add_problem((plans_if_asked(o) && o.planner.empty() ? "missing --planner: " : "--without plan: ") +
                          std::string(is_without(o, "rg") ? "with --without rg" : "without scorers") +
                          " every revision has the reward 1, and none is the best; add --scorers or --preserve");
}

}  // namespace

void check_revise(OptionTable& table, ReviseOptions& o) {
    o.method.use_plan = !is_without(o, "plan") && !(plans_if_asked(o) && o.planner.empty());
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
    o.model_reviser.reason = o.method.method == Method::cot;
    o.model_reviser.sentences = o.environment.reward.sentences;
    check_one_text(table, "text", "a text");
    check_one_text(table, "instruction", "an instruction");
    check_roles(table, o);
    if (is_without(o, "rg") && is_without(o, "rc")) table.add_problem("--without rg,rc: the reward needs one of them");
    check_text_feedback(table, text_feedback_of(o), o.reviser_spec, o.suggestions, o.feedback_spec);
    resolve_scorers(table, o);
    // More histories than are kept between calls would be computed again for each round.
    if (o.flow.items_at_once == 0) o.flow.items_at_once = any_local(o) ? 24 : 256;
    check_role_systems(table, o.systems, {o.planner_spec, o.reviser_spec, o.feedback_spec});
    for (const FieldProblem& problem : search_problems(o.method.search)) table.add_problem("search." + problem.line());
    if (Inquiry* inquiry = Inquiry::estimating(); inquiry != nullptr && !o.input.empty() && o.tokens_of.empty()) {
        const DataSize texts = inquiry->size_of(o.input);
        inquiry->tell(revisions_work(o, texts), {{o.output, texts}});
    }
}

}  // namespace craft
