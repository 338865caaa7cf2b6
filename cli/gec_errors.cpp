// `gec errors`: sentences of correct texts with the errors of learners put in.
#include <set>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/english_options.h"
#include "core/error.h"
#include "core/output_manifest.h"
#include "core/signals.h"
#include "english/word_list.h"
#include "gec/learner/complete_sentences.h"
#include "gec/learner/error_generator.h"
#include "gec/learner_texts.h"

namespace craft {

namespace {

int run_gec_errors(int argc, const char* const* argv);

const Command kGecErrorsCommand = {"gec errors", CommandGroup::make_data, "correct sentences with learners' errors inserted",
                                   "craft-train gec errors --input share/texts/dev.jsonl --count 20 --output errors.jsonl",
                                   run_gec_errors};

struct GecErrorsOptions {
    std::vector<std::string> inputs;
    std::string output;
    int64_t count = 0;
    std::string shape = "any";
    std::string english = "auto";
    LearnerErrorOptions errors;
    JsonLinesOptions lines;
};

void bind(OptionTable& table, GecErrorsOptions& o) {
    table
        .add("input", o.inputs,
             "correct texts: {\"id\",\"text\"} per line (*.jsonl), or one text per line; several separated by commas")
        .flag("--input")
        .input()
        .required()
        .filled();
    table.add("output", o.output, "{\"id\",\"source\",\"target\",\"types\"} per line, - for stdout")
        .flag("--output")
        .output()
        .with_manifest()
        .required();
    table.add("count", o.count, "pairs, of sentences drawn by --seed; 0: all that can be made").flag("--count").min(0);
    table.add("correct", o.errors.correct, "share of pairs whose sentence is left correct").flag("--correct").min(0).max(1);
    table.add("per_sentence", o.errors.per_sentence, "shares of sentences with one error, two, three ...")
        .flag("--per-sentence")
        .min(0)
        .filled();
    std::vector<std::string> names;
    for (const LearnerErrorKind& kind : learner_error_kinds()) names.push_back(kind.name);
    table.add("kinds", o.errors.kinds, "kinds of errors, comma-separated; none: all").flag("--kinds").one_of(names);
    table.add("shape", o.shape, "only errors by which one word is missing, redundant or substituted; any: all errors")
        .flag("--shape")
        .one_of({"any", "missing", "redundant", "substituted"});
    bind_english(table, o.english);
    bind_json_lines(table, o.lines);
}

void check(OptionTable& table, GecErrorsOptions& o) {
    if (o.english == "none") table.add_problem("--english: expected an English model, got none");
    if (std::all_of(o.errors.per_sentence.begin(), o.errors.per_sentence.end(), [](double one) { return one <= 0; }))
        table.add_problem("--per-sentence: expected at least one share above 0");
    if (o.shape == "missing") o.errors.shape = ErrorShape::missing;
    if (o.shape == "redundant") o.errors.shape = ErrorShape::redundant;
    if (o.shape == "substituted") o.errors.shape = ErrorShape::substituted;
}

// Sentences with their ids, each text once, in the order that the seed draws.
std::vector<RevisedText> draw_sentences(const GecErrorsOptions& options, uint64_t seed,
                                        std::map<std::string, int64_t>& dropped) {
    std::vector<RevisedText> sentences;
    std::set<std::string> seen, ids;
    int64_t bad_lines = 0;
    JsonLinesOptions lines = options.lines;
    lines.bad_lines = &bad_lines;
    for (const std::string& file : options.inputs)
        for (const RevisedText& text : read_learner_texts(file, lines)) {
            if (!ids.insert(text.id).second)
                throw Error(file, "ids that occur once in all inputs", "'" + text.id + "' twice");
            size_t number = 0;
            for (const std::string& sentence : complete_sentences(text.text, dropped)) {
                const std::string id = text.id + "-" + std::to_string(++number);
                if (seen.insert(sentence).second)
                    sentences.push_back({id, sentence});
                else
                    ++dropped["occurs twice"];
            }
        }
    if (bad_lines > 0) dropped["bad line"] = bad_lines;
    Rng(seed, "gec errors").shuffle(sentences);
    return sentences;
}

int run_gec_errors(int argc, const char* const* argv) {
    CommonOptions common;
    GecErrorsOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kGecErrorsCommand, table, common, argc, argv, [&](OptionTable& t) { check(t, options); })) return 0;
    options.errors.seed = common.seed;
    const EnglishModel english = find_english(options.english);
    if (english.pipeline == nullptr) throw Error("--english", "an English model", "none", english.hint);
    const WordList words = WordList::load(english_word_list_file());
    const NounFacts nouns = NounFacts::installed();
    const LearnerLanguage language(std::make_shared<EnglishDictionary>(), words, nouns);
    LearnerErrorGenerator generator(language, options.errors);

    OutputManifest manifest(options.output, run_identity(kGecErrorsCommand, table, common), false);
    std::map<std::string, int64_t> dropped;
    const std::vector<RevisedText> sentences = draw_sentences(options, common.seed, dropped);
    JsonLinesWriter out(options.output);
    int64_t pairs = 0, asked = 0;
    for (const RevisedText& one : sentences) {
        if (options.count > 0 && pairs == options.count) break;
        throw_if_stopped();
        ++asked;
        const CorrectSentence sentence(one.text, english.pipeline->get().annotate(one.text));
        if (const auto pair = generator.pair_of(one.id, sentence)) {
            out.write(to_json(*pair));
            ++pairs;
        }
    }
    for (const auto& [reason, count] : generator.report().dropped) dropped[reason] += count;
    if (pairs == 0)
        throw Error(options.inputs.front(), "sentences with a place for an error", "none" + dropped_note(dropped));
    if (pairs < options.count) log_warning("fewer pairs than requested", {{"pairs", pairs}, {"count", options.count}});
    out.close();
    const LearnerErrorReport& report = generator.report();
    Json by_number = Json::object();
    for (const auto& [number, count] : report.errors) by_number[std::to_string(number)] = count;
    const Json counts = {{"pairs", pairs},        {"not_drawn", static_cast<int64_t>(sentences.size()) - asked},
                         {"errors", by_number},   {"fewer_errors_than_drawn", report.fewer},
                         {"kinds", report.kinds}, {"dropped", dropped}};
    manifest.note("made", counts);
    manifest.note("english", english.name);
    manifest.write(true);
    log_info("learners' errors", counts);
    return 0;
}

}  // namespace

Command gec_errors_command() {
    return kGecErrorsCommand;
}

}  // namespace craft
