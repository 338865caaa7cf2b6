#include "gec/run/sentence_encoder.h"

#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>

#include "core/files.h"
#include "judge/scorers/whole_text.h"
#include "model/encoder/encoder.h"
#include "model/kernels/packed_batch.h"
#include "model/tokenizer/tokenizer.h"

namespace craft {

namespace {

constexpr int64_t kMaxSentenceTokens = 256;  // of a sentence, as all-MiniLM-L6-v2 is meant to be used
constexpr int64_t kEncodedTokens = 8192;     // computed at a time

class MeanStates {
public:
    MeanStates(const std::filesystem::path& folder, const Placement& place)
        : tokenizer_(open_tokenizer(folder)), encoder_(Encoder::load(folder, place.dtype, place.device)) {}

    std::vector<std::vector<float>> of(const std::vector<std::string>& texts) {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::vector<WholeText> read;
        for (const std::string& text : texts)
            read.push_back(read_whole(*tokenizer_, text, std::min(kMaxSentenceTokens, encoder_.config().max_tokens())));
        std::vector<size_t> order(texts.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](size_t a, size_t b) { return read[a].ids.size() < read[b].ids.size(); });
        std::vector<int64_t> sizes;
        for (const size_t i : order) sizes.push_back(static_cast<int64_t>(read[i].ids.size()));
        std::vector<std::vector<float>> vectors(texts.size());
        for (const auto& range : cut_by_tokens(sizes, kEncodedTokens)) {
            std::vector<EncoderRow> rows;
            for (size_t k = range.first; k < range.second; ++k) rows.push_back({read[order[k]].ids});
            const std::vector<at::Tensor> hidden = encoder_.hidden(rows);
            for (size_t k = range.first; k < range.second; ++k)
                vectors[order[k]] = unit_mean(hidden[k - range.first], read[order[k]].empty);
        }
        return vectors;
    }

private:
    std::vector<float> unit_mean(const at::Tensor& states, bool is_empty) const {
        std::vector<float> vector(static_cast<size_t>(encoder_.config().hidden_size));
        if (is_empty) return vector;
        const at::Tensor mean = states.mean(0, false, at::kFloat).to(at::kCPU).contiguous();
        const float* values = mean.const_data_ptr<float>();
        double square = 0;
        for (size_t i = 0; i < vector.size(); ++i) square += static_cast<double>(values[i]) * values[i];
        const auto norm = static_cast<float>(std::max(std::sqrt(square), 1e-12));
        for (size_t i = 0; i < vector.size(); ++i) vector[i] = values[i] / norm;
        return vector;
    }

    std::shared_ptr<const Tokenizer> tokenizer_;
    Encoder encoder_;
    std::mutex mutex_;
};

}  // namespace

SentenceEncoder open_sentence_encoder(const std::filesystem::path& folder, const PlacementOptions& placing) {
    const Placement place = in_bfloat16_where_fast(open_placement(placing), placing);
    std::filesystem::path named = folder.lexically_normal();
    if (named.filename().empty()) named = named.parent_path();
    const auto states = std::make_shared<MeanStates>(folder, place);
    return {named.filename().string() + " " + file_hash(folder),
            [states](const std::vector<std::string>& texts) { return states->of(texts); }};
}

}  // namespace craft
