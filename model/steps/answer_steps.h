// Generation by an encoder-decoder: prompts go through the encoder once, answers token by token through the decoder.
#pragma once

#include <vector>

#include "model/steps/steps.h"

namespace craft {

// What an answer continues after: in each layer of the decoder keys and values of the source and of the answer so far,
// [rows, 2 heads * head_dim].
struct AnswerHistory : History {
    std::vector<at::Tensor> source, answer;
    int64_t answered = 0;  // tokens of the answer, the start token included; `answer` may have rows for more
    std::vector<std::pair<const void*, int64_t>> parts() const override;
};

// Any device and dtype; adapters stay beside the weights. Attention is computed row by row, so that no row's depends on what
// runs beside it. A prompt is computed as a whole: none begins another one, since the encoder sees a text from both sides.
class AnswerSteps : public Steps {
public:
    AnswerSteps(const Decoder& decoder, const StepSizes& sizes);

    // Each extension is a whole prompt; its logits are those after the start token.
    std::vector<Extended> extend(const std::vector<Extension>& extensions) override;
    std::shared_ptr<const History> beginning(const std::shared_ptr<const History>&, int64_t, int64_t) const override {
        return nullptr;
    }
    void begin_row(int64_t row, const std::shared_ptr<const History>& history) override;
    at::Tensor step(const std::vector<int64_t>& rows, const std::vector<int64_t>& tokens) override;
    std::shared_ptr<const History> history_of(int64_t row) const override;
    void end_row(int64_t row) override;
    int64_t bytes_held() const override;
    bool uses_kept_histories() const override { return false; }
    const DecoderConfig& config() const override { return decoder_.config(); }

private:
    at::Tensor feed(const std::vector<AnswerHistory*>& answers, const std::vector<int64_t>& tokens);
    at::Tensor attend_answer(size_t layer, const at::Tensor& qkv, const std::vector<AnswerHistory*>& answers);
    at::Tensor attend_source(size_t layer, const at::Tensor& queries, const std::vector<AnswerHistory*>& answers) const;
    const at::Tensor& bias_after(int64_t answered);

    Decoder decoder_;
    std::vector<AnswerHistory> rows_;
    std::vector<at::Tensor> biases_;  // by the number of tokens before, [heads, 1, tokens]
};

}  // namespace craft
