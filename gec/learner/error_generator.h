// Correct sentences made wrong as learners of English would: pairs to train a grammar agent on, and to measure one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/sentence_pair.h"
#include "gec/learner/error_kinds.h"

namespace craft {

// What an error does to the words of a sentence: one is missing, one is too many, another one stands there; `other` are the
// rest.
enum class ErrorShape { missing, redundant, substituted, other };
ErrorShape shape_of(const LearnerError& error, const std::string& sentence);

struct LearnerErrorOptions {
    uint64_t seed = 1;
    double correct = .17;  // share of the sentences that are left as they are
    // Shares of sentences with one error, two, and so on, up to a factor. Where a sentence has not as many places, it gets
    // fewer.
    std::vector<double> per_sentence = {62, 22, 11, 5};
    std::vector<std::string> kinds = {};   // names of learner_error_kinds(); empty: all
    std::optional<ErrorShape> shape = {};  // only errors of this one; absent: all
};

struct LearnerErrorReport {
    std::map<std::string, int64_t> kinds;  // errors made
    std::map<int64_t, int64_t> errors;     // sentences by how many errors they have
    int64_t fewer = 0;                     // sentences with fewer than were drawn
    std::map<std::string, int64_t> dropped;
};

class LearnerErrorGenerator {
public:
    // `language` must outlive it. Throws Error on a kind that is not known, and where no number of errors has a share.
    LearnerErrorGenerator(const LearnerLanguage& language, LearnerErrorOptions options);

    // A sentence's pair, whose types are the kinds from left to right. What is drawn depends on the seed, `id` and the
    // sentence alone. Two errors of a sentence do not touch the same words. Absent: none can be made in it, or its parse is
    // one of several sentences; counted in the report.
    std::optional<SentencePair> pair_of(const std::string& id, const CorrectSentence& sentence);

    const LearnerErrorReport& report() const { return report_; }

private:
    struct Drawn {
        LearnerError error;
        std::string kind;
    };
    using Places = std::vector<LearnerErrors>;  // of each kind
    std::vector<Drawn> draw(const CorrectSentence& sentence, int64_t count, Rng& rng) const;
    Places places(const CorrectSentence& sentence) const;

    const LearnerLanguage& language_;
    LearnerErrorOptions options_;
    std::vector<LearnerErrorKind> kinds_;
    LearnerErrorReport report_;
};

}  // namespace craft
