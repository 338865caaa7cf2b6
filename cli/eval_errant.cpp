// `eval errant`: the edits of two M2 files, compared as errant_compare does.
#include <algorithm>
#include <set>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/edit_options.h"
#include "core/log.h"
#include "metrics/edits/edit_results.h"

namespace craft {

namespace {

struct EvalErrantOptions {
    std::string hypothesis, gold;
    std::string output = "-";
    ErrantOptions compare;
    int64_t tier = 3;
};

void bind(OptionTable& table, EvalErrantOptions& o) {
    table.add("hypothesis", o.hypothesis, "M2 file of a system's edits, as `eval edits` writes it; - for stdin")
        .flag("--hypothesis")
        .input()
        .required();
    table.add("gold", o.gold, "M2 file of the gold edits; - for stdin").flag("--gold").input().required();
    table
        .add_enum("match", o.compare.match,
                  {{"correction", EditMatch::correction},
                   {"correction_type", EditMatch::correction_type},
                   {"span", EditMatch::span_detection},
                   {"token", EditMatch::token_detection}},
                  "what must match: span and correction, also the type, the span alone, or each edited token")
        .flag("--match");
    bind_beta(table, o.compare.beta);
    table.add("tier", o.tier, "detail of types: 1 operation (R), 2 category (VERB:SVA), 3 both")
        .flag("--tier")
        .min(1)
        .max(3);
    table
        .add_enum("length", o.compare.length,
                  {{"any", EditLength::any}, {"single", EditLength::single_token}, {"multi", EditLength::multi_token}},
                  "edits of any length, of at most one token on both sides, or of more")
        .flag("--length");
    table.add("filter", o.compare.filtered_types, "types to ignore").flag("--filter");
    table.add("output", o.output, "result, JSON, - for stdout").flag("--output").output();
}

// ERRANT compares spans whatever they are spans of; files that were cut differently have low figures and no other sign.
void warn_of_other_sources(const M2File& hypothesis, const M2File& gold) {
    int64_t count = 0, first = 0;
    for (size_t i = 0; i < std::min(hypothesis.sentences.size(), gold.sentences.size()); ++i) {
        if (hypothesis.sentences[i].tokens() == gold.sentences[i].tokens()) continue;
        if (count++ == 0) first = hypothesis.sentences[i].line;
    }
    if (count == 0) return;
    log_warning(hypothesis.name + ":" + std::to_string(first) + ": expected the sentence of " + gold.name +
                    ", got a different one; spans are compared anyway",
                {{"sentences", count}});
}

void warn_of_unknown_filters(const std::vector<std::string>& types, const M2File& hypothesis, const M2File& gold) {
    std::set<std::string, std::less<>> unknown(types.begin(), types.end());
    for (const M2File* file : {&hypothesis, &gold})
        for (const M2Sentence& sentence : file->sentences)
            for (const M2Edit& edit : sentence.edits)
                if (const auto found = unknown.find(std::string_view(edit.type)); found != unknown.end())
                    unknown.erase(found);
    for (const std::string& type : unknown)
        log_warning("--filter: no edit of the two files has this type", {{"type", type}});
}

int run_eval_errant(int argc, const char* const* argv);

const Command kEvalErrantCommand = {
    "eval errant", CommandGroup::evaluate, "the edits of an M2 file against those of another",
    "craft-train eval errant --hypothesis corrected.m2 --gold share/examples/learners.m2", run_eval_errant};

int run_eval_errant(int argc, const char* const* argv) {
    CommonOptions common;
    EvalErrantOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kEvalErrantCommand, table, common, argc, argv)) return 0;

    const M2File hypothesis = read_m2(options.hypothesis), gold = read_m2(options.gold);
    check_as_many(hypothesis, gold);
    for (const M2File* file : {&hypothesis, &gold}) {
        if (file == &gold && options.gold == options.hypothesis) continue;  // was said once
        warn_of_passed_lines(*file);
        warn_of_edits_outside(*file, "it is compared as it is");
        warn_of_repeated_edits(*file, "it counts each time it is listed, as in errant_compare");
        warn_of_missing_annotators(*file);
    }
    warn_of_unknown_filters(options.compare.filtered_types, hypothesis, gold);
    warn_of_other_sources(hypothesis, gold);
    write_result(options.output, errant_result(hypothesis, gold, options.compare, static_cast<int>(options.tier)));
    return 0;
}

}  // namespace

Command eval_errant_command() {
    return kEvalErrantCommand;
}

}  // namespace craft
