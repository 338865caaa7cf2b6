#include "cli/pair_options.h"

namespace craft {

PairFilters PairMakingOptions::filters() const {
    return {.min_gap = min_gap,
            .max_length_ratio = max_length_ratio,
            .max_source_copy = max_source_copy,
            .one_system = !different_systems};
}

void bind_pair_making(OptionTable& table, PairMakingOptions& o) {
    const auto group = table.group("Pairs");
    table.add("pair_filters.min_gap", o.min_gap, "a pair's sides differ by so much of a score at least; 0: at all")
        .flag("--min-gap")
        .min(0)
        .needs({"judge", {"scores"}}, "verdicts are no numbers");
    table
        .add("pair_filters.max_length_ratio", o.max_length_ratio,
             "words of the longer side to those of the shorter one, at most; 0: any")
        .flag("--max-length-ratio");
    table
        .add("pair_filters.max_source_copy", o.max_source_copy,
             "likeness of a chosen side to its source by characters, 0-1, at most; 1: any")
        .flag("--max-source-copy");
    table.add("pair_filters.different_systems", o.different_systems, "leave out pairs with both sides of one system")
        .flag("--different-systems");
    table
        .add("pair_filters.leak_check", o.leak_files,
             "evaluation files, JSON Lines (text, source, references) or plain text: pairs that share a sequence of words "
             "with them are left out")
        .flag("--leak-check")
        .input();
    table.add("pair_filters.leak_words", o.leak_words, "words of such a sequence")
        .flag("--leak-words")
        .min(1)
        .needs("pair_filters.leak_check");
}

void check_pair_making(OptionTable& table, const PairMakingOptions& o) {
    for (const FieldProblem& problem : pair_filter_problems(o.filters())) {
        const Option& option = table.at("pair_filters." + problem.field);
        if (option.check().empty()) table.add_problem(option.shown_name() + ": " + problem.problem);
    }
}

std::shared_ptr<const LeakCheck> open_leak_check(const PairMakingOptions& o) {
    if (o.leak_files.empty()) return nullptr;
    const auto check = std::make_shared<LeakCheck>(o.leak_words);
    for (const std::string& file : o.leak_files) check->add_file(file);
    return check;
}

}  // namespace craft
