// Proposals of corrections for sentences whose right form is known, with what a decoder gains by each: what
// benchmarks/fit_corrections.py fits thresholds to. Usage: bench_correction_gains MODEL PAIRS.jsonl > GAINS.jsonl
// A pair's "observation" is what error_parsing says of its source; where there is none, the tool is asked.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "core/json.h"
#include "gec/common_words.h"
#include "gec/rules/correction_plan.h"
#include "gec/rules/proposals.h"
#include "gec/sentence_words.h"
#include "judge/scorers/change_gains.h"
#include "tools/grammar/grammar_tools.h"

using namespace craft;

namespace {

// Words that have to be put in, left out or changed.
int64_t word_edits(const std::string& a, const std::string& b) {
    const std::vector<std::string_view> x = sentence_words(a), y = sentence_words(b);
    std::vector<int64_t> last(y.size() + 1), row(y.size() + 1);
    for (size_t j = 0; j <= y.size(); ++j) last[j] = static_cast<int64_t>(j);
    for (size_t i = 1; i <= x.size(); ++i) {
        row[0] = static_cast<int64_t>(i);
        for (size_t j = 1; j <= y.size(); ++j)
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1)});
        last = row;
    }
    return last[y.size()];
}

std::string environment(const char* name, const char* otherwise) {
    const char* const value = std::getenv(name);
    return value == nullptr ? otherwise : value;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::cerr << "usage: bench_correction_gains MODEL PAIRS.jsonl > GAINS.jsonl\n";
        return 2;
    }
    const std::string model = argv[1];
    std::vector<ObservedSentence> sources;
    std::vector<std::string> targets;
    GrammarToolOptions tool_options;
    tool_options.english = english_model_folder();
    GrammarTools tools(tool_options);
    JsonLinesReader rows(argv[2]);
    while (const std::optional<Json> row = rows.next()) {
        const std::string source = string_field(*row, "source", rows.where());
        const bool is_observed = row->contains("observation");
        sources.push_back(
            {source, is_observed ? string_field(*row, "observation", rows.where()) : tools.text("error_parsing", source)});
        targets.push_back(string_field(*row, "target", rows.where()));
    }
    const bool is_narrow = environment("DTYPE", "bfloat16") == "bfloat16";
    ChangeGainOptions options;
    options.following = std::stoll(environment("FOLLOWING", "4"));
    // Thresholds are fitted to all gains, also to those that are of no use by the present ones.
    options.max_made_up = std::stod(environment("MOST_MADE_UP", "inf"));
    options.before = environment("BEFORE", "\n");
    const ChangeGains scorer(Decoder::load(model, is_narrow ? at::kBFloat16 : at::kFloat, at::kCPU), open_tokenizer(model),
                             options);
    double model_seconds = 0;
    const auto clock = [] { return std::chrono::steady_clock::now(); };
    const auto since = [&](auto begin) { return std::chrono::duration<double>(clock() - begin).count(); };
    const ReplacementGains gains = [&](const std::vector<ReplacementQuestion>& questions) {
        const auto begin = clock();
        auto values = scorer.gains(questions);
        model_seconds += since(begin);
        return values;
    };
    const CorrectionPlanner planner(std::make_shared<LazyEnglishPipeline>(english_model_folder()),
                                    std::make_shared<CorrectionLanguage>(CorrectionLanguage::installed()),
                                    CorrectionThresholds::shipped(), gains);
    (void)planner.weighed({{"This is a small test ."}});
    model_seconds = 0;
    const auto begin = clock();
    const std::vector<WeighedProposals> all = planner.weighed(sources);
    const double seconds = since(begin);
    size_t proposals = 0;
    for (size_t i = 0; i < sources.size(); ++i) {
        const std::string& source = sources[i].text;
        const int64_t distance = word_edits(source, targets[i]);
        Json list = Json::array();
        proposals += all[i].proposals.size();
        for (size_t j = 0; j < all[i].proposals.size(); ++j) {
            const CorrectionProposal& one = all[i].proposals[j];
            const int64_t left = word_edits(with_replacement(source, one.change), targets[i]);
            list.push_back({{"begin", one.change.begin},
                            {"end", one.change.end},
                            {"from", source.substr(one.change.begin, one.change.end - one.change.begin)},
                            {"to", one.change.to},
                            {"kind", correction_kind_name(one.kind)},
                            {"evidence", one.evidence},
                            {"sure", one.is_sure},
                            {"gain", all[i].gains[j]},
                            {"mends", distance - left}});
        }
        std::cout << dump_line({{"source", source},
                                {"target", targets[i]},
                                {"observation", sources[i].observation},
                                {"edits", distance},
                                {"proposals", list}})
                  << "\n";
    }
    std::fprintf(stderr,
                 "%zu sentences, %.1f proposals a sentence, %.2f s, of which %.2f s in the model: %.1f sentences/s\n",
                 sources.size(), static_cast<double>(proposals) / static_cast<double>(sources.size()), seconds,
                 model_seconds, static_cast<double>(sources.size()) / seconds);
}
