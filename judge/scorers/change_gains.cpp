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
    // Of what is asked for.
    std::vector<double> logprobs(const Decoder& decoder) const {
        if (targets.empty()) return {};
        const at::NoGradGuard no_grad;
        const at::Tensor values = target_logprobs(decoder, packed(decoder.device())).to(at::kCPU, at::kDouble).contiguous();
        return {values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel()};
    }
};

}  // namespace

// A changed sentence against the one that it was: tokens [begin, end) of it stand for [begin, source_end) of the sentence;
// both end with the same few tokens.
struct ChangeGains::Change {
    Tokens own;
    int64_t begin = 0, source_end = 0;
    double first = 0;  // the log-probability of its first own token
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
    std::vector<double> until = {0, 0};  // the sentence's log-probability up to each of its tokens

    int64_t source_size() const { return std::ssize(source); }
    int64_t size() const {  // with all changes
        int64_t tokens = source_size();
        for (const Change& change : changes) tokens += std::ssize(change.own);
        return tokens;
    }
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
    for (const TextReplacement& change : asked.changes) {
        const std::string changed = with_replacement(asked.sentence, change);
        question.changes.push_back(token_change(question.source, tokens(changed), options_.following));
    }
    return question;
}

std::vector<std::vector<double>> ChangeGains::gains(const std::vector<ReplacementQuestion>& asked) const {
    std::vector<std::vector<double>> gains;
    std::vector<Question> questions;
    for (const ReplacementQuestion& one : asked) {
        gains.emplace_back(one.changes.size(), -std::numeric_limits<double>::infinity());
        Question question = in_tokens(one);
        int64_t longest = std::ssize(question.source);
        for (size_t j = 0; j < question.changes.size(); ++j) {
            Change& change = question.changes[j];
            change.gain = &gains.back()[j];
            longest = std::max(longest, change.begin + std::ssize(change.own));
        }
        if (!question.changes.empty() && longest <= room_) questions.push_back(std::move(question));
    }
    in_passes(questions, &Question::source_size, [&](std::span<Question> pass) { begin(pass); });
    in_passes(questions, &Question::size, [&](std::span<Question> pass) { finish(pass); });
    return gains;
}

void ChangeGains::in_passes(std::vector<Question>& questions, int64_t (Question::*size)() const,
                            const std::function<void(std::span<Question>)>& compute) const {
    for (size_t first = 0, last = 0; first < questions.size(); first = last) {
        int64_t held = 0;
        do held += (questions[last++].*size)();
        while (last < questions.size() && held + (questions[last].*size)() <= options_.batch_tokens);
        compute(std::span(questions).subspan(first, last - first));
    }
}

void ChangeGains::begin(std::span<Question> questions) const {
    GrowingBatch rows;
    for (const Question& question : questions) {
        const Tokens& source = question.source;
        const int64_t at = rows.append(source, std::ssize(source), 0);
        rows.segments.push_back({at, at + std::ssize(source), 0, 0});
        for (size_t i = 1; i < source.size(); ++i) rows.ask(at + static_cast<int64_t>(i) - 1, source[i]);
        for (const Change& change : question.changes) rows.ask(at + change.begin - 1, change.own.front());
    }
    const std::vector<double> values = rows.logprobs(decoder_);
    size_t next = 0;
    for (Question& question : questions) {
        for (size_t i = 1; i < question.source.size(); ++i) question.until.push_back(question.until.back() + values[next++]);
        for (Change& change : question.changes) change.first = values[next++];
        std::erase_if(question.changes, [&](const Change& change) {
            const auto at = static_cast<size_t>(change.begin);
            const double instead = question.until[at + 1] - question.until[at];  // what stands there
            return change.first - instead < options_.worst_first;
        });
    }
}

void ChangeGains::finish(std::span<Question> questions) const {
    GrowingBatch rows;
    for (const Question& question : questions) {
        if (question.changes.empty()) continue;
        const int64_t at = rows.append(question.source, std::ssize(question.source), 0);
        rows.segments.push_back({at, at + std::ssize(question.source), 0, 0});
        for (const Change& change : question.changes) {
            // A change's last token is only asked for, not read.
            const int64_t read = std::ssize(change.own) - 1;
            const int64_t own_at = rows.append(change.own, read, change.begin);
            if (read > 0) rows.segments.push_back({own_at, own_at + read, at, at + change.begin});
            for (int64_t i = 0; i < read; ++i) rows.ask(own_at + i, change.own[static_cast<size_t>(i) + 1]);
        }
    }
    const std::vector<double> values = rows.logprobs(decoder_);
    size_t next = 0;
    for (const Question& question : questions) {
        for (const Change& change : question.changes) {
            double own = change.first;
            for (size_t i = 1; i < change.own.size(); ++i) own += values[next++];
            *change.gain = own - (question.until[static_cast<size_t>(change.source_end)] -
                                  question.until[static_cast<size_t>(change.begin)]);
        }
    }
}

}  // namespace craft
