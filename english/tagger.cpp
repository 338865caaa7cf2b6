#include "english/tagger.h"

#include <algorithm>

namespace craft {

Tagger::Tagger(const ThincModel& model, std::vector<std::string> labels, size_t width) : labels_(std::move(labels)) {
    const ThincLayer& layer = model.only("softmax");
    const auto outputs = static_cast<int64_t>(labels_.size());
    const ThincTensor& weights = layer.tensor("W", {outputs, static_cast<int64_t>(width)}, model.where());
    output_ = AffineLayer(weights.values, layer.tensor("b", {outputs}, model.where()).values, labels_.size(), width);
}

std::vector<std::string> Tagger::tags(const std::vector<float>& vectors) const {
    const size_t words = vectors.size() / output_.inputs();
    std::vector<float> scores(words * labels_.size());
    output_.apply(vectors.data(), words, output_.inputs(), scores.data());
    std::vector<std::string> tags;
    tags.reserve(words);
    for (size_t word = 0; word < words; ++word) {
        const auto begin = scores.begin() + static_cast<std::ptrdiff_t>(word * labels_.size());
        const auto best = std::max_element(begin, begin + static_cast<std::ptrdiff_t>(labels_.size()));
        tags.push_back(labels_[static_cast<size_t>(best - begin)]);
    }
    return tags;
}

}  // namespace craft
