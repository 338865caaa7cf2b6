#include "judge/scorers/change_gains.h"

#include <ATen/core/grad_mode.h>
#include <torch/types.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/error.h"

namespace craft {

namespace {

using Tokens = std::vector<int64_t>;

// A packed batch while it grows, after rows that were computed before, and the log-probabilities that are asked of it.
class GrowingBatch {
public:
    explicit GrowingBatch(const LayerRows& before) : before_(before) {}

    // Tokens of a segment at positions from `first` on, which sees the rows of the prefix, too. Returns its first row.
    int64_t append(const Tokens& row, int64_t count, int64_t first, const Segment& prefix = {}) {
        const int64_t at = before_.size() + std::ssize(tokens_);
        for (int64_t i = 0; i < count; ++i) {
            tokens_.push_back(row[static_cast<size_t>(i)]);
            positions_.push_back(first + i);
        }
        if (count > 0) segments_.push_back({at, at + count, prefix.prefix_begin, prefix.prefix_end});
        return at;
    }
    // Where the log-probability of a token after a row will stand. Changes at one place often begin alike.
    size_t ask(int64_t row, int64_t target) {
        const auto [at, is_new] = asked_.emplace(std::pair(row, target), targets_.size());
        if (is_new) {
            target_rows_.push_back(row - before_.size());
            targets_.push_back(target);
        }
        return at->second;
    }
    // Of what is asked for; `kept` receives the batch's rows.
    std::vector<double> logprobs(const Decoder& decoder, LayerRows* kept = nullptr) const {
        if (targets_.empty()) return {};
        const at::NoGradGuard no_grad;
        const auto column = [&](const Tokens& values) { return at::tensor(values, at::kLong).to(decoder.device()); };
        PackedBatch batch;
        batch.tokens = column(tokens_);
        batch.positions = column(positions_);
        batch.segments = segments_;
        const at::Tensor rows = hidden_after(decoder, batch, before_, kept).index_select(0, column(target_rows_));
        const at::Tensor values = target_logprobs(decoder, rows, column(targets_)).to(at::kCPU, at::kDouble).contiguous();
        return {values.const_data_ptr<double>(), values.const_data_ptr<double>() + values.numel()};
    }

private:
    const LayerRows& before_;
    Tokens tokens_, positions_, target_rows_, targets_;
    std::vector<Segment> segments_;
    std::map<std::pair<int64_t, int64_t>, size_t> asked_;
};

}  // namespace

// A changed sentence against the one that it was: tokens [begin, end) of it stand for [begin, source_end) of the sentence;
// both end with the same few tokens.
struct ChangeGains::Change {
    Tokens own;
    int64_t begin = 0, source_end = 0;
    double first = 0;  // the log-probability of its first own token
    double needed = -std::numeric_limits<double>::infinity();
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
    int64_t at = 0;                      // its first row in its pass
    std::vector<bool> reached;           // of the sentence's tokens, those that stand in a change's stretch of it
    std::vector<double> until = {0, 0};  // the log-probability of those that are reached, up to each token

    int64_t source_size() const { return std::ssize(source); }
    int64_t changes_size() const {
        int64_t tokens = 0;
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
    for (const int64_t count : {options_.following, options_.batch_tokens})
        if (count < 1) throw Error("gains of changes", "tokens following and of a batch, 1 or more", std::to_string(count));
    // Positions beyond those that a stretched model was made for turn with the length of the whole path; sentences, which
    // share one pass, stay below.
    const bool is_stretched = config.rope.kind == RopeKind::dynamic || config.rope.kind == RopeKind::longrope;
    room_ = is_stretched ? std::min(config.max_positions, config.rope.original_positions) : config.max_positions;
}

ChangeGains::Question ChangeGains::in_tokens(const ReplacementQuestion& asked) const {
    const auto tokens = [&](const std::string& sentence) {
        return perplexity_tokens(*tokenizer_, options_.before + sentence + options_.behind).tokens;
    };
    if (!asked.needed.empty() && asked.needed.size() != asked.changes.size())
        throw Error("gains of changes", std::to_string(asked.changes.size()) + " needed gains, or none",
                    std::to_string(asked.needed.size()));
    Question question;
    question.source = tokens(asked.sentence);
    question.reached.resize(question.source.size());
    for (size_t i = 0; i < asked.changes.size(); ++i) {
        const std::string changed = with_replacement(asked.sentence, asked.changes[i]);
        question.changes.push_back(token_change(question.source, tokens(changed), options_.following));
        if (!asked.needed.empty()) question.changes.back().needed = asked.needed[i];
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
        // Without a token after the leading one there is nothing to weigh a change against.
        std::erase_if(question.changes, [](const Change& change) { return change.begin == 0; });
        if (!question.changes.empty() && longest <= room_) questions.push_back(std::move(question));
    }
    in_passes(questions, &Question::source_size, [&](std::span<Question> pass) {
        const LayerRows sentences = begin(pass);
        in_passes(pass, &Question::changes_size, [&](std::span<Question> part) { finish(part, sentences); });
    });
    return gains;
}

void ChangeGains::in_passes(std::span<Question> questions, int64_t (Question::*size)() const,
                            const std::function<void(std::span<Question>)>& compute) const {
    for (size_t first = 0, last = 0; first < questions.size(); first = last) {
        int64_t held = 0;
        do held += (questions[last++].*size)();
        while (last < questions.size() && held + (questions[last].*size)() <= options_.batch_tokens);
        compute(questions.subspan(first, last - first));
    }
}

LayerRows ChangeGains::begin(std::span<Question> questions) const {
    const LayerRows none;
    GrowingBatch rows(none);
    std::vector<size_t> asked;  // where the values stand, in the order in which they are read below
    for (Question& question : questions) {
        const Tokens& source = question.source;
        // The last token that a change reaches is only asked for, not read, as what comes after it.
        std::vector<bool>& reached = question.reached;
        for (const Change& change : question.changes)
            std::fill(reached.begin() + change.begin, reached.begin() + std::max(change.source_end, change.begin + 1), true);
        question.at = rows.append(source, reached.rend() - std::find(reached.rbegin(), reached.rend(), true) - 1, 0);
        for (size_t i = 1; i < source.size(); ++i)
            if (reached[i]) asked.push_back(rows.ask(question.at + static_cast<int64_t>(i) - 1, source[i]));
        for (const Change& change : question.changes)
            asked.push_back(rows.ask(question.at + change.begin - 1, change.own.front()));
    }
    LayerRows sentences;
    const std::vector<double> values = rows.logprobs(decoder_, &sentences);
    auto next = asked.begin();
    for (Question& question : questions) {
        for (size_t i = 1; i < question.source.size(); ++i)
            question.until.push_back(question.until.back() + (question.reached[i] ? values[*next++] : 0));
        for (Change& change : question.changes) change.first = values[*next++];
        std::erase_if(question.changes, [&](const Change& change) {
            const auto at = static_cast<size_t>(change.begin);
            const double instead = question.until[at + 1] - question.until[at];  // what stands there
            return change.first - instead < change.needed - options_.max_made_up;
        });
    }
    return sentences;
}

void ChangeGains::finish(std::span<const Question> questions, const LayerRows& sentences) const {
    GrowingBatch rows(sentences);
    std::vector<size_t> asked;
    for (const Question& question : questions) {
        for (const Change& change : question.changes) {
            // A change's last token is only asked for, not read.
            const int64_t read = std::ssize(change.own) - 1;
            const int64_t at = rows.append(change.own, read, change.begin,
                                           {.prefix_begin = question.at, .prefix_end = question.at + change.begin});
            for (int64_t i = 0; i < read; ++i) asked.push_back(rows.ask(at + i, change.own[static_cast<size_t>(i) + 1]));
        }
    }
    const std::vector<double> values = rows.logprobs(decoder_);
    auto next = asked.begin();
    for (const Question& question : questions) {
        for (const Change& change : question.changes) {
            double own = change.first;
            for (size_t i = 1; i < change.own.size(); ++i) own += values[*next++];
            *change.gain = own - (question.until[static_cast<size_t>(change.source_end)] -
                                  question.until[static_cast<size_t>(change.begin)]);
        }
    }
}

}  // namespace craft
