#include "model/steps/answer_steps.h"

#include <torch/types.h>

#include <algorithm>
#include <stdexcept>

#include "core/error.h"
#include "core/signals.h"
#include "model/kernels/distance_attention.h"
#include "model/kernels/threads.h"

namespace craft {

namespace {

constexpr int64_t kFirstRows = 64;  // of an answer's keys and values; they are doubled when it grows beyond

void check_answer_tokens(const std::vector<int64_t>& tokens, int64_t vocabulary) {
    for (const int64_t id : tokens)
        if (id < 0 || id >= vocabulary)
            throw Error("generation", "token ids below the vocabulary's " + std::to_string(vocabulary), std::to_string(id),
                        "the tokenizer and the model do not belong together");
}

int64_t width_of(const DecoderConfig& config) {
    return config.heads * config.head_dim;
}

}  // namespace

std::vector<std::pair<const void*, int64_t>> AnswerHistory::parts() const {
    std::vector<std::pair<const void*, int64_t>> all;
    for (const auto* list : {&source, &answer})
        for (const at::Tensor& layer : *list)
            all.emplace_back(layer.storage().data(), static_cast<int64_t>(layer.storage().nbytes()));
    return all;
}

AnswerSteps::AnswerSteps(const Decoder& decoder, const StepSizes& sizes)
    : decoder_(decoder), rows_(static_cast<size_t>(sizes.rows)) {
    decoder_.set_dropout({});
}

const at::Tensor& AnswerSteps::bias_after(int64_t answered) {
    const auto place = static_cast<size_t>(answered);
    if (biases_.size() <= place) biases_.resize(place + 1);
    if (!biases_[place].defined()) biases_[place] = decoder_.position_bias(1, answered + 1, answered);
    return biases_[place];
}

// Keys and values of the new tokens are appended on the way.
at::Tensor AnswerSteps::attend_answer(size_t layer, const at::Tensor& qkv, const std::vector<AnswerHistory*>& answers) {
    const int64_t width = width_of(config());
    std::vector<at::Tensor> attended;
    for (size_t r = 0; r < answers.size(); ++r) {
        const at::Tensor row = qkv.narrow(0, static_cast<int64_t>(r), 1);
        at::Tensor& kept = answers[r]->answer[layer];
        const int64_t answered = answers[r]->answered;
        if (answered == kept.size(0)) kept = at::cat({kept, at::empty_like(kept)});
        kept.narrow(0, answered, 1).copy_(row.narrow(1, width, 2 * width));
        const at::Tensor seen = kept.narrow(0, 0, answered + 1);
        attended.push_back(biased_attention(row.narrow(1, 0, width), seen.narrow(1, 0, width), seen.narrow(1, width, width),
                                            bias_after(answered), config().heads, config().attention_scale));
    }
    return at::cat(attended);
}

at::Tensor AnswerSteps::attend_source(size_t layer, const at::Tensor& queries,
                                      const std::vector<AnswerHistory*>& answers) const {
    const int64_t width = width_of(config());
    std::vector<at::Tensor> attended;
    for (size_t r = 0; r < answers.size(); ++r) {
        const at::Tensor& seen = answers[r]->source[layer];
        attended.push_back(biased_attention(queries.narrow(0, static_cast<int64_t>(r), 1), seen.narrow(1, 0, width),
                                            seen.narrow(1, width, width), {}, config().heads, config().attention_scale));
    }
    return at::cat(attended);
}

// One token to each answer; logits [answers, vocab] of the tokens after them.
at::Tensor AnswerSteps::feed(const std::vector<AnswerHistory*>& answers, const std::vector<int64_t>& tokens) {
    at::Tensor x = decoder_.embed(at::tensor(tokens, at::kLong).to(decoder_.device()), {});
    for (size_t i = 0; i < static_cast<size_t>(config().layers); ++i) {
        throw_if_stopped();
        x = decoder_.layer(
            static_cast<size_t>(config().encoder_layers) + i, x,
            [&](const at::Tensor& qkv) { return attend_answer(i, qkv, answers); },
            [&](const at::Tensor& queries) { return attend_source(i, queries, answers); });
    }
    for (AnswerHistory* answer : answers) ++answer->answered;
    computed_tokens_ += static_cast<int64_t>(tokens.size());
    return decoder_.logits(decoder_.answer_states(x)).to(at::kFloat).contiguous();
}

std::vector<Extended> AnswerSteps::extend(const std::vector<Extension>& extensions) {
    adapt_threads();
    const at::NoGradGuard no_gradients;
    std::vector<int64_t> tokens, lengths;
    for (const Extension& extension : extensions) {
        if (extension.before || extension.follows >= 0)
            throw std::logic_error("AnswerSteps: a prompt is computed as a whole");
        if (extension.tokens.empty()) throw Error("generation", "a prompt of at least one token", "an empty one");
        check_answer_tokens(extension.tokens, config().vocab_size);
        tokens.insert(tokens.end(), extension.tokens.begin(), extension.tokens.end());
        lengths.push_back(std::ssize(extension.tokens));
    }
    if (extensions.empty()) return {};
    const at::Tensor encoded = decoder_.encode(at::tensor(tokens, at::kLong).to(decoder_.device()), lengths);
    computed_tokens_ += std::ssize(tokens);
    std::vector<std::shared_ptr<AnswerHistory>> begun;
    std::vector<AnswerHistory*> answers;
    for (const int64_t length : lengths) {
        begun.push_back(std::make_shared<AnswerHistory>());
        begun.back()->length = length;
        answers.push_back(begun.back().get());
    }
    for (size_t i = 0; i < static_cast<size_t>(config().layers); ++i) {
        const at::Tensor all = decoder_.memory(static_cast<size_t>(config().encoder_layers) + i, encoded);
        int64_t begin = 0;
        for (AnswerHistory* answer : answers) {
            answer->source.push_back(all.narrow(0, begin, answer->length).clone());
            answer->answer.push_back(at::empty({kFirstRows, all.size(1)}, all.options()));
            begin += answer->length;
        }
    }
    const at::Tensor logits = feed(answers, std::vector<int64_t>(answers.size(), config().start_token));
    std::vector<Extended> out;
    for (size_t i = 0; i < begun.size(); ++i) out.push_back({std::move(begun[i]), logits[static_cast<int64_t>(i)]});
    return out;
}

void AnswerSteps::begin_row(int64_t row, const std::shared_ptr<const History>& history) {
    const at::NoGradGuard no_gradients;
    AnswerHistory& own = rows_.at(static_cast<size_t>(row));
    own = dynamic_cast<const AnswerHistory&>(*history);
    for (at::Tensor& layer : own.answer) layer = layer.clone();  // other samples continue after it, too
}

at::Tensor AnswerSteps::step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) {
    adapt_threads();
    const at::NoGradGuard no_gradients;
    check_answer_tokens(tokens, config().vocab_size);
    std::vector<AnswerHistory*> answers;
    for (const int64_t row : rows) answers.push_back(&rows_.at(static_cast<size_t>(row)));
    return feed(answers, tokens);
}

std::shared_ptr<const History> AnswerSteps::history_of(int64_t row) const {
    const at::NoGradGuard no_gradients;
    auto history = std::make_shared<AnswerHistory>(rows_.at(static_cast<size_t>(row)));
    for (at::Tensor& layer : history->answer) layer = layer.clone();
    return history;
}

void AnswerSteps::end_row(int64_t row) {
    rows_.at(static_cast<size_t>(row)) = {};
}

int64_t AnswerSteps::bytes_held() const {
    int64_t bytes = 0;
    for (const AnswerHistory& row : rows_)
        for (const auto& [place, size] : row.parts()) bytes += size;
    return bytes;
}

}  // namespace craft
