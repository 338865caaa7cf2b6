#include "english/state_scorer.h"

#include <algorithm>

#include "core/error.h"

namespace craft {

StateModel::StateModel(const ThincModel& model, size_t width, size_t places, size_t moves) : places_(places) {
    const std::string& where = model.where();
    const std::vector<const ThincLayer*> linears = model.named("linear");
    if (linears.size() != 2) throw Error(where, "two layers 'linear'", std::to_string(linears.size()));
    const ThincLayer& output = *linears[0];  // a layer stands before those within its neighbours
    const ThincLayer& narrow = *linears[1];
    const ThincLayer& lower = model.only("precomputable_affine");
    const std::vector<int64_t> shape = lower.tensor_of_sizes("W", 4, where).shape;  // [places, hidden, pieces, inputs]
    hidden_ = static_cast<size_t>(shape[1]);
    pieces_ = static_cast<size_t>(shape[2]);
    const auto inputs = static_cast<size_t>(shape[3]);
    const auto count = static_cast<int64_t>(places);
    if (pieces_ < 2) throw Error(where + ": precomputable_affine", "two pieces or more", std::to_string(pieces_));
    const auto affine = [&](const ThincLayer& layer, int64_t to, int64_t from) {
        const ThincTensor& weights = layer.tensor("W", {to, from}, where);
        return AffineLayer(weights.values, layer.tensor("b", {to}, where).values, static_cast<size_t>(to),
                           static_cast<size_t>(from));
    };
    narrow_ = affine(narrow, shape[3], static_cast<int64_t>(width));
    output_ = affine(output, static_cast<int64_t>(moves), shape[1]);
    // The pieces' outputs are brought side by side, so that the largest is taken of whole rows.
    const auto by_pieces = [&](const std::vector<float>& values, size_t size) {
        std::vector<float> out;
        const size_t one = hidden_ * pieces_ * size;
        for (size_t begin = 0; begin < values.size(); begin += one) {
            const auto from = values.begin() + static_cast<std::ptrdiff_t>(begin);
            const std::vector<float> place(from, from + static_cast<std::ptrdiff_t>(one));
            const std::vector<float> swapped = swapped_axes(place, hidden_, pieces_, size);
            out.insert(out.end(), swapped.begin(), swapped.end());
        }
        return out;
    };
    places_affine_ = AffineLayer(by_pieces(lower.tensor("W", {count, shape[1], shape[2], shape[3]}, where).values, inputs),
                                 {}, places * hidden_ * pieces_, inputs);
    absent_ = by_pieces(lower.tensor("pad", {1, count, shape[1], shape[2]}, where).values, 1);
    bias_ = by_pieces(lower.tensor("b", {shape[1], shape[2]}, where).values, 1);
}

StateScorer::StateScorer(const StateModel& model, const std::vector<float>& vectors)
    : model_(model),
      vectors_(vectors),
      blocks_((vectors.size() / model.narrow_.inputs() + kBlock - 1) / kBlock),
      sums_(model.bias_.size()),
      hidden_(model.hidden_),
      scores_(model.output_.outputs()) {}

const float* StateScorer::contribution(int word, size_t place) {
    const size_t size = model_.bias_.size();
    if (word < 0) return model_.absent_.data() + place * size;
    const auto index = static_cast<size_t>(word);
    std::vector<float>& block = blocks_[index / kBlock];
    if (block.empty()) {
        const size_t width = model_.narrow_.inputs();
        const size_t first = index / kBlock * kBlock;
        const size_t count = std::min(kBlock, vectors_.size() / width - first);
        std::vector<float> narrow(count * model_.narrow_.outputs());
        model_.narrow_.apply(vectors_.data() + first * width, count, width, narrow.data());
        block.resize(count * model_.places_ * size);
        model_.places_affine_.apply(narrow.data(), count, model_.narrow_.outputs(), block.data());
        ++computed_;
    }
    return block.data() + (index % kBlock * model_.places_ + place) * size;
}

const std::vector<float>& StateScorer::scores(std::span<const int> words) {
    if (computed_ > kMaxBlocks) {
        for (std::vector<float>& block : blocks_) std::vector<float>().swap(block);
        computed_ = 0;
    }
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    for (size_t place = 0; place < words.size(); ++place) {
        const float* contributed = contribution(words[place], place);
        for (size_t i = 0; i < sums_.size(); ++i) sums_[i] += contributed[i];
    }
    for (size_t i = 0; i < sums_.size(); ++i) sums_[i] += model_.bias_[i];
    std::copy_n(sums_.begin(), hidden_.size(), hidden_.begin());
    for (size_t begin = hidden_.size(); begin < sums_.size(); begin += hidden_.size())
        for (size_t i = 0; i < hidden_.size(); ++i) hidden_[i] = std::max(hidden_[i], sums_[begin + i]);
    model_.output_.apply(hidden_.data(), 1, hidden_.size(), scores_.data());
    return scores_;
}

}  // namespace craft
