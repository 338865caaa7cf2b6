// What single changes of a sentence do to its probability under a decoder: of each the gain of log-probability, all changes
// of many sentences in two packed passes (GEC-Agent §3 leaves the choice among corrections to a large model; here a small
// one weighs what rules propose).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "judge/scorers/perplexity.h"
#include "model/decoder/layer_rows.h"
#include "model/tokenizer/tokenizer.h"
#include "text/text_replacement.h"

namespace craft {

struct ChangeGainOptions {
    int64_t following = 4;  // 1 or more tokens after a change whose probability it may alter; those further on cancel out
    // Of a change first its own first token is weighed against the token in its place. Where what follows would have to make
    // up for more nats than this to come to the gain that is needed, the change is given up: it seldom does.
    double max_made_up = 8;
    int64_t batch_tokens = 2048;  // of one forward pass
    std::string before =
        "\n";  // what a reader has read before the sentence: an end of line, so that its beginning is judged as one
    std::string behind = "\n";  // and what follows, so that a sentence's end is judged, too
};

class ChangeGains {
public:
    // Throws Error if the tokenizer has neither leading nor end token, or more tokens than the model, and on options
    // below 1.
    ChangeGains(Decoder decoder, std::shared_ptr<const Tokenizer> tokenizer, const ChangeGainOptions& options = {});

    // Of each change of each sentence: log p(changed) - log p(sentence), in nats, over the tokens that differ and up to
    // `following` after them. The sentence is computed once; a change begins at its first own token, sees what comes before
    // it, and is computed no further. A change that changes nothing gains 0; one of a sentence that does not fit the model's
    // positions, one that leaves a sentence no token or finds none, and one that is given up, gains -infinity. Throws Error
    // on changes outside their sentence, and if the needed gains are not as many as the changes.
    std::vector<std::vector<double>> gains(const std::vector<ReplacementQuestion>& questions) const;

    const ChangeGainOptions& options() const { return options_; }

private:
    struct Change;    // in tokens
    struct Question;  // in tokens
    static Change token_change(const std::vector<int64_t>& source, const std::vector<int64_t>& changed, int64_t following);
    Question in_tokens(const ReplacementQuestion& question) const;
    // So many questions at once as fit a pass by their size, one at least.
    void in_passes(std::span<Question> questions, int64_t (Question::*size)() const,
                   const std::function<void(std::span<Question>)>& compute) const;
    LayerRows begin(std::span<Question> questions) const;  // the sentences, and the first token of each change
    void finish(std::span<const Question> questions, const LayerRows& sentences) const;  // the changes that are left

    Decoder decoder_;
    std::shared_ptr<const Tokenizer> tokenizer_;
    ChangeGainOptions options_;
    int64_t room_ = 0;
};

}  // namespace craft
