// How fast edits are scored and extracted, one core, files read and start-up left out; benchmarks/edits.py is the other
// side.
//   bench_edits m2 HYPOTHESIS.txt GOLD.m2       the M2 scorer
//   bench_edits errant HYPOTHESIS.m2 GOLD.m2    errant_compare, M2 text parsed within the time, as there
//   bench_edits extract SOURCE.txt HYPOTHESIS.txt    alignment and merging without a model
//   bench_edits typed SOURCE.txt HYPOTHESIS.txt      the same with the model of English, loaded before, and types
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>

#include "core/error.h"
#include "english/word_list.h"
#include "eval/annotation/edit_language.h"
#include "metrics/edits/errant_compare.h"
#include "metrics/edits/m2_scorer.h"

namespace {

// Of the processor: other work on the machine does not count.
template <class Work>
double seconds(Work work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

craft::EditLanguage typed_language() {
    static const auto english = std::make_shared<const craft::LazyEnglishPipeline>(craft::english_model_folder());
    static const craft::WordList words = craft::WordList::load(craft::english_word_list_file());
    english->get();
    return craft::english_edit_language(english, [](const std::string& word) { return words.knows(word); });
}

void run(const std::string& what, const std::string& first, const std::string& second) {
    for (int turn = 0; turn < 3; ++turn) {
        if (what == "m2") {
            const craft::SentenceFile hypothesis = craft::read_sentences(first);
            const craft::M2File gold = craft::read_m2(second);
            craft::M2Counts counts;
            const double time = seconds([&] { counts = craft::score_m2(hypothesis, gold, {}).total; });
            std::printf("m2: %.4f s; correct %ld, proposed %ld, gold %ld\n", time, static_cast<long>(counts.correct),
                        static_cast<long>(counts.proposed), static_cast<long>(counts.gold));
        } else if (what == "errant") {
            std::string hypothesis = craft::read_text(first), gold = craft::read_text(second);
            craft::EditCounts counts;
            const double time = seconds([&] {
                counts = craft::compare_edits(craft::parse_m2(std::move(hypothesis), first),
                                              craft::parse_m2(std::move(gold), second), {})
                             .total;
            });
            std::printf("errant: %.4f s; tp %ld, fp %ld, fn %ld\n", time, static_cast<long>(counts.true_positives),
                        static_cast<long>(counts.false_positives), static_cast<long>(counts.false_negatives));
        } else {
            const craft::EditLanguage language = what == "typed" ? typed_language() : craft::EditLanguage();
            const craft::SentenceFile source = craft::read_sentences(first), hypothesis = craft::read_sentences(second);
            size_t edits = 0;
            const double time = seconds([&] {
                for (const auto& sentence : craft::extract_edits(source, {hypothesis}, language).file.sentences)
                    for (const craft::M2Edit& edit : sentence.edits) edits += edit.noop() ? 0 : 1;
            });
            std::printf("%s: %.4f s; %zu edits\n", what.c_str(), time, edits);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: bench_edits m2|errant|extract|typed FIRST SECOND\n");
        return 2;
    }
    try {
        run(argv[1], argv[2], argv[3]);
    } catch (const craft::Error& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 1;
    }
    return 0;
}
