// libFuzzer target: the weights of a component of a spaCy package. They are refused with an error, or models are made of
// them that compute vectors, tags and scores. Run as `thinc_model_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/error.h"
#include "english/entities.h"
#include "english/parser.h"
#include "english/tagger.h"
#include "english/thinc_model.h"
#include "english/tok2vec.h"

namespace {

template <class Work>
void attempt(Work work) {
    try {
        work();
    } catch (const craft::Error&) {}
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    attempt([&] {
        const craft::ThincModel model(bytes, "fuzz");
        attempt([&] {
            const craft::Tok2Vec vectors(model);
            const std::vector<craft::Lexeme> words(3);
            if (vectors.vectors(words, {true, false, true}).size() != 3 * vectors.width()) std::abort();
        });
        attempt([&] {
            if (craft::Tagger(model, {"A", "B"}, 2).tags({1, 2, 3, 4}).size() != 2) std::abort();
        });
        attempt([&] {
            const craft::StateModel states(model, 2, 2, 2);
            const std::vector<float> vectors = {1, 2};
            craft::StateScorer scorer(states, vectors);
            if (scorer.scores(std::vector<int>{0, -1}).size() != 2) std::abort();
        });
    });
    return 0;
}
