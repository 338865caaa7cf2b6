// `simplify ratings`: what raters wrote into sheets of `simplify sheet` (policy simplification §4.5, Table 4).
#include <algorithm>
#include <cstdio>

#include "cli/command.h"
#include "cli/common.h"
#include "core/error.h"
#include "core/files.h"
#include "eval/results/comparison.h"
#include "simplify/ratings.h"

namespace craft {

namespace {

int run_simplify_ratings(int argc, const char* const* argv);

const Command kSimplifyRatingsCommand = {
    "simplify ratings", CommandGroup::evaluate, "figures of people's ratings of hidden systems",
    "craft-train simplify ratings --sheet share/examples/ratings.csv --key share/examples/ratings_key.json",
    run_simplify_ratings};

struct SimplifyRatingsOptions {
    std::vector<std::string> sheets;
    std::string key, output = "-";
    RatingFiguresOptions figures;
};

void bind(OptionTable& table, SimplifyRatingsOptions& o) {
    table.add("sheet", o.sheets, "rating sheets, CSV, one per rater, comma-separated")
        .flag("--sheet")
        .input()
        .required()
        .filled();
    table.add("key", o.key, "the key of these sheets").flag("--key").input().required();
    table.add("out", o.output, "figures, JSON, - for stdout").flag("--out").output();
    table
        .add_enum(
            "test", o.figures.paired.test,
            {{"sign", PairedTest::sign}, {"bootstrap", PairedTest::bootstrap}, {"permutation", PairedTest::permutation}},
            "of two systems on the same sentences: permutation: two-tailed; sign, bootstrap: whether the first is better")
        .flag("--test");
    table.add("resamples", o.figures.paired.resamples, "resamples of the sentences; none: 100 for sign, else 10,000")
        .flag("--resamples")
        .min(1)
        .max(1e7);
}

// Names the lines of rows that gave no mark, the first ones of each reason.
void warn_of_unusable(const RaterSheet& rater) {
    constexpr size_t kNamed = 20;
    for (const auto& [reason, lines] : rater.unusable) {
        const std::vector<size_t> first(lines.begin(),
                                        lines.begin() + static_cast<std::ptrdiff_t>(std::min(lines.size(), kNamed)));
        log_warning("rows without a rating that counts: " + reason,
                    {{"sheet", rater.name}, {"rows", lines.size()}, {"lines", first}});
    }
    if (!rater.absent.empty())
        log_warning("items that no row of the sheet has", {{"sheet", rater.name}, {"items", rater.absent.size()}});
}

int run_simplify_ratings(int argc, const char* const* argv) {
    CommonOptions common;
    SimplifyRatingsOptions options;
    OptionTable table;
    bind(table, options);
    const auto check = [&](OptionTable& t) {
        for (size_t i = 0; i < options.sheets.size(); ++i)
            if (std::find(options.sheets.begin(), options.sheets.begin() + static_cast<std::ptrdiff_t>(i),
                          options.sheets[i]) != options.sheets.begin() + static_cast<std::ptrdiff_t>(i))
                t.add_problem("--sheet: expected each rater's once, got " + options.sheets[i] + " again");
    };
    if (!parse_command(kSimplifyRatingsCommand, table, common, argc, argv, check)) return 0;
    options.figures.paired.seed = common.seed;
    const RatingKey key = rating_key_from_json(parse_json(read_file(options.key), options.key), options.key);
    std::vector<RaterSheet> raters;
    for (const std::string& sheet : options.sheets) {
        raters.push_back(read_rater_sheet(read_file(sheet), sheet, key));
        warn_of_unusable(raters.back());
    }
    Json figures = rating_figures(raters, key, options.figures);
    figures["options"] = {{"test", paired_test_name(options.figures.paired.test)}, {"seed", common.seed}};
    std::fprintf(stderr, "%s", rating_table(figures).c_str());
    write_result(options.output, figures);
    return 0;
}

}  // namespace

Command simplify_ratings_command() {
    return kSimplifyRatingsCommand;
}

}  // namespace craft
