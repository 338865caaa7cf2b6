#include "judge/scorers/change_gains.h"

#include <ATen/core/grad_mode.h>
#include <torch/types.h>

#include <algorithm>
#include <limits>

#include "core/error.h"

namespace craft {

namespace {

using Tokens = std::vector<int64_t>;

// A packed batch while it grows, and what its log-probabilities are summed into.
struct GrowingBatch {
    Tokens tokens, positions, target_rows, targets;
    std::vector<Segment> segments;

    // Tokens of a segment at positions from `first` on.
    int64_t append(const Tokens& row, int64_t count, int64_t first) {
        const auto at = static_cast<int64_t>(tokens.size());
        for (int64_t i = 0; i < count; ++i) {
            tokens.push_back(row[static_cast<size_t>(i)]);
            positions.push_back(first + i);
        }
        return at;
    }
    void ask(int64_t row, int64_t target) {
        target_rows.push_back(row);
        targets.push_back(target);
    }
    PackedBatch packed(const at::Device& device) const {
        const auto column = [&](const Tokens& values) { return at::tensor(values, at::kLong).to(device); };
        PackedBatch batch;
        batch.tokens = column(tokens);
        batch.positions = column(positions);
        batch.segments = segments;
        batch.target_rows = column(target_rows);
        batch.targets = column(targets);
        batch.target_branch = at::zeros({std::ssize(targets)}, batch.targets.options());
        batch.branches = 1;
        return batch;
    }
};

}  // namespace

// A changed sentence against the one that it was: tokens [begin, end) of it stand for [begin, source_end) of the sentence;
// both end with the same few tokens.
struct ChangeGains::Change {
    Tokens own;
    int64_t begin = 0, source_end = 0;
    double* gain = nullptr;
};

ChangeGains::Change ChangeGains::token_change(const Tokens& source, const Tokens& changed, int64_t following) {
    const auto shorter = static_cast<std::ptrdiff_t>(std::min(source.size(), changed.size()));
    // The last token of the shorter one is left to the changes, so that each has something to compute.
    const std::ptrdiff_t begin =
        std::mismatch(source.begin(), source.begin() + shorter - 1, changed.begin()).first - source.begin();
    std::ptrdiff_t tail = 0;
    while (tail < shorter - begin && *(source.end() - 1 - tail) == *(changed.end() - 1 - tail)) ++tail;
    const std::ptrdiff_t left_out = tail - std::min<std::ptrdiff_t>(tail, following);
    Change change;
    change.begin = begin;
    change.source_end = std::ssize(source) - left_out;
    change.own.assign(changed.begin() + begin, changed.end() - left_out);
    return change;
}

struct ChangeGains::Question {
    Tokens source;
    std::vector<Change> changes;
    int64_t size = 0;  // tokens computed
};

ChangeGains::ChangeGains(Decoder decoder, std::shared_ptr<const Tokenizer> tokenizer, const ChangeGainOptions& options)
    : decoder_(std::move(decoder)), tokenizer_(std::move(tokenizer)), options_(options) {
    const DecoderConfig& config = decoder_.config();
    if (tokenizer_->vocabulary_size() > config.vocab_size)
        throw Error("gains of changes", "a tokenizer of at most " + std::to_string(config.vocab_size) + " tokens",
                    std::to_string(tokenizer_->vocabulary_size()), "tokenizer and model are not of one folder");
    perplexity_tokens(*tokenizer_, "");
    // Positions beyond those that a stretched model was made for turn with the length of the whole path; sentences, which
    // share one pass, stay below.
    const bool is_stretched = config.rope.kind == RopeKind::dynamic || config.rope.kind == RopeKind::longrope;
    room_ = is_stretched ? std::min(config.max_positions, config.rope.original_positions) : config.max_positions;
}

ChangeGains::Question ChangeGains::in_tokens(const ReplacementQuestion& asked) const {
    const auto tokens = [&](const std::string& sentence) {
        return perplexity_tokens(*tokenizer_, options_.before + sentence + options_.behind).tokens;
    };
    Question question;
    question.source = tokens(asked.sentence);
    question.size = std::ssize(question.source);
    for (const TextReplacement& change : asked.changes) {
        const std::string changed = with_replacement(asked.sentence, change);
        question.changes.push_back(token_change(question.source, tokens(changed), options_.following));
        question.size += std::ssize(question.changes.back().own);
    }
    return question;
}

std::vector<std::vector<double>> ChangeGains::gains(const std::vector<ReplacementQuestion>& asked) const {
    std::vector<std::vector<double>> gains;
    std::vector<Question> questions;
    for (const ReplacementQuestion& question : asked) {
        questions.push_back(in_tokens(question));
        gains.emplace_back(question.changes.size(), 0.0);
    }
    std::vector<Question*> pass;
    int64_t held = 0;
    for (size_t i = 0; i < questions.size(); ++i) {
        Question& question = questions[i];
        if (question.changes.empty()) continue;
        int64_t longest = std::ssize(question.source);
        for (size_t j = 0; j < question.changes.size(); ++j) {
            Change& change = question.changes[j];
            change.gain = &gains[i][j];
            longest = std::max(longest, change.begin + std::ssize(change.own));
        }
        if (longest > room_) {
            gains[i].assign(gains[i].size(), -std::numeric_limits<double>::infinity());
            continue;
        }
        if (!pass.empty() && held + question.size > options_.batch_tokens) {
            compute(pass);
            pass.clear();
            held = 0;
        }
        pass.push_back(&question);
        held += question.size;
    }
    if (!pass.empty()) compute(pass);
    return gains;
}

void ChangeGains::compute(const std::vector<Question*>& questions) const {
    GrowingBatch rows;
    for (const Question* question : questions) {
        const Tokens& source = question->source;
        const int64_t at = rows.append(source, std::ssize(source), 0);
        rows.segments.push_back({at, at + std::ssize(source), 0, 0});
        for (size_t i = 1; i < source.size(); ++i) rows.ask(at + static_cast<int64_t>(i) - 1, source[i]);
        for (const Change& change : question->changes) {
            // A change's last token is only asked for, not read.
            const int64_t read = std::ssize(change.own) - 1;
            const int64_t own_at = rows.append(change.own, read, change.begin);
            if (read > 0) rows.segments.push_back({own_at, own_at + read, at, at + change.begin});
            for (int64_t i = 0; i <= read; ++i)
                rows.ask(i == 0 ? at + change.begin - 1 : own_at + i - 1, change.own[static_cast<size_t>(i)]);
        }
    }
    const at::NoGradGuard no_grad;
    const at::Tensor logprobs = target_logprobs(decoder_, rows.packed(decoder_.device())).to(at::kCPU, at::kDouble);
    const auto values = logprobs.accessor<double, 1>();
    int64_t next = 0;
    for (const Question* question : questions) {
        std::vector<double> until = {0, 0};  // the sentence's log-probability up to each of its tokens
        for (size_t i = 1; i < question->source.size(); ++i) until.push_back(until.back() + values[next++]);
        for (const Change& change : question->changes) {
            double own = 0;
            for (size_t i = 0; i < change.own.size(); ++i) own += values[next++];
            *change.gain = own - (until[static_cast<size_t>(change.source_end)] - until[static_cast<size_t>(change.begin)]);
        }
    }
}

}  // namespace craft
