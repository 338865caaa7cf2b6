#include "cli/eval_editeval_options.h"

#include <algorithm>

#include "cli/inquiry.h"
#include "cli/option_groups.h"
#include "eval/editeval/datasets.h"
#include "text/lists.h"

namespace craft {

namespace {

void bind_editeval_data(OptionTable& table, EvalEditevalOptions& o) {
    const auto group = table.group(kDataGroup);
    std::vector<std::string> tasks, datasets;
    for (const EditTask task : edit_tasks()) tasks.push_back(task_name(task));
    for (const EditDataset& dataset : edit_datasets()) datasets.push_back(dataset.name);
    table.add("data", o.data, "folder of the data sets, in the layouts of their authors (docs/editeval.md)")
        .flag("--data")
        .input()
        .reads({})
        .required_without("results");
    table.add("tasks", o.tasks, "only these tasks; empty: all").flag("--tasks").one_of(tasks);
    table.add("datasets", o.datasets, "only these data sets; empty: all of the tasks").flag("--datasets").one_of(datasets);
    table.add("splits", o.splits, "splits of each data set; the paper's Table 3 is of test")
        .flag("--splits")
        .one_of({"train", "dev", "test"})
        .filled();
    table.add("items", o.items, "items of each data set, drawn by --seed; 0: all").flag("--items").min(0);
}

bool is_chosen(const std::vector<std::string>& chosen, const std::string& name) {
    return chosen.empty() || std::find(chosen.begin(), chosen.end(), name) != chosen.end();
}

// Items as they are published, each with every prompt of its task; sentences, or texts with their passages.
void tell_work(const EvalEditevalOptions& o, Inquiry& inquiry) {
    constexpr double kPrompt = 20, kSentence = 35, kText = 200, kPassages = 600;
    const EditPrompts prompts = o.prompts.empty() ? EditPrompts::shipped() : EditPrompts::load(o.prompts);
    WorkEstimate work;
    for (const EditDataset& dataset : edit_datasets()) {
        if (!is_chosen(o.datasets, dataset.name) || !is_chosen(o.tasks, task_name(dataset.task))) continue;
        int64_t items = dataset.expected_count(o.splits).value_or(dataset.table_count);
        if (o.items > 0) items = std::min(items, o.items);
        const double asked = static_cast<double>(items) * static_cast<double>(prompts.of(dataset.task).size());
        const bool updates = dataset.task == EditTask::updating;
        const double text = updates ? kText : kSentence;
        add_asked(work, "system", o.system_spec, asked, kPrompt + text + (updates ? kPassages : 0), text);
    }
    inquiry.tell(std::move(work));
}

void bind_lens(OptionTable& table, JsonCommandOptions& o) {
    table
        .add("lens.command", o.command,
             "a shell command that computes LENS, as eval metric lens --scorer; empty: no LENS. It is started once")
        .flag("--lens");
    table.add("lens.timeout", o.timeout_seconds, "seconds without an answer before the command is killed")
        .min(0.1)
        .needs("lens.command");
    table.add("lens.restarts", o.restarts, "restarts of a command that exits").min(0).needs("lens.command");
}

}  // namespace

void bind_eval_editeval(OptionTable& table, EvalEditevalOptions& o) {
    bind_editeval_data(table, o);
    table.add("system", o.system, "system that edits: local:MODEL[+ADAPTER], or openai:PROFILE").flag("--system").input();
    table
        .add("predictions", o.predictions,
             "{\"id\",\"prompt\",\"prediction\"} per line instead of a system; the prompts are those in the file")
        .flag("--predictions")
        .input();
    table.expect_one({.keys = {"system", "predictions"}, .why = "whose texts are scored", .unless = {"results"}});
    for (const char* key : {"data", "system", "predictions"})
        table.at(key).excludes("results", "they are of runs that have ended");
    table.add("prompts", o.prompts, "file of prompts by task instead of share/prompts/editeval.json")
        .flag("--prompts")
        .input();
    table.add("first_word", o.asking.first_word, "first word of a prompt; Definition for models trained with it")
        .flag("--first-word");
    table.add("max_documents", o.asking.max_documents, "maximum passages in a prompt of the updating task")
        .min(0)
        .max(100)
        .was("most_documents");
    bind_new_tokens(table, "sampling.max_new_tokens", o.asking.max_new_tokens, "of an answer (decoding is greedy)")
        .flag("--max-new-tokens");
    table
        .add("normalize", o.normalize,
             "normalisation of compared texts: none, treebank (NLTK's detokeniser and FRUIT's rules), t5:FILE (also FRUIT "
             "and WAFER through T5's sentencepiece file)")
        .flag("--normalize")
        .input()
        .reads({});
    std::vector<std::string> metrics;
    for (const EditMetric& metric : edit_metrics()) metrics.push_back(metric.name);
    metrics.insert(metrics.end(), {"bertscore", "lens"});
    table
        .add("metrics", o.scores.metrics,
             "only these metrics; empty: all, bertscore and lens if a model and a command of theirs are given")
        .flag("--metrics")
        .one_of(metrics)
        .needs("bertscore.model")
        .when({"bertscore"})
        .needs("lens.command")
        .when({"lens"});
    bind_model(table, "bertscore.model", o.bertscore.model, "BERTScore's encoder; empty: no BERTScore").flag("--bertscore");
    table
        .add("bertscore.layer", o.bertscore.layer,
             "layer whose states BERTScore compares; 0: the embeddings; none: the last")
        .min(0);
    bind_lens(table, o.lens);
    table.add("results", o.results, "run folders of this command to compare: box plots and correlations")
        .flag("--results")
        .input()
        .reads({});
    table
        .add("figure", o.figure,
             "with --results: the figure that box plots and the table show, by its name in editeval.json")
        .flag("--figure")
        .needs("results");
    bind_role_systems(table, o.systems, {"system"});
    table.add("flow.items", o.flow.items_at_once, "items requested concurrently").min(1).max(10000).not_identity();
    bind_json_lines(table, o.lines);
}

void check_eval_editeval(OptionTable& table, EvalEditevalOptions& o) {
    if (!o.results.empty()) return;
    const auto& metrics = o.scores.metrics;
    const auto check_named = [&](const std::string& name, bool is_given) {
        if (is_given && !metrics.empty() && std::find(metrics.begin(), metrics.end(), name) == metrics.end())
            table.add_problem("--" + name + ": expected " + name + " among --metrics, got " + join(metrics, ", "));
    };
    check_named("bertscore", !o.bertscore.model.empty());
    check_named("lens", !o.lens.command.empty());
    if (!o.system.empty() && parse_role(table, "system", o.system, o.system_spec)) {
        if (o.system_spec.kind == SystemSpec::Kind::rules)
            table.add_problem("--system: expected local:MODEL[+ADAPTER] or openai:PROFILE, got " + o.system);
        check_role_systems(table, o.systems, {o.system_spec});
    }
    if (o.normalize == "none") {
        o.normalisation = EditNormaliser::Kind::none;
    } else if (o.normalize.starts_with("t5:") && o.normalize.size() > 3) {
        o.normalisation = EditNormaliser::Kind::t5;
        o.t5_file = o.normalize.substr(3);
        table.find("normalize")->reads({o.t5_file});
    } else if (o.normalize != "treebank") {
        table.add_problem("--normalize: " + expected_one_of({"none", "treebank", "t5:FILE"}, o.normalize));
    }
    if (o.asking.first_word.empty() || o.asking.first_word.find_first_of("\r\n") != std::string::npos)
        table.add_problem("--first-word: expected a word, got '" + o.asking.first_word + "'");
    if (Inquiry* inquiry = Inquiry::estimating(); inquiry != nullptr && !o.system.empty()) tell_work(o, *inquiry);
}

}  // namespace craft
