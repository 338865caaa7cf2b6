#include "english/tok2vec.h"

#include <algorithm>

#include "core/error.h"
#include "english/string_ids.h"

namespace craft {

namespace {

constexpr size_t kMaxLayers = 16;

NormalisedMaxout read_maxout(const ThincLayer& maxout, const ThincLayer& norm, size_t inputs, int64_t width,
                             const std::string& where) {
    const ThincTensor& weights = maxout.tensor_of_sizes("W", 3, where);
    const int64_t pieces = weights.shape[1];
    maxout.tensor("W", {width, pieces, static_cast<int64_t>(inputs)}, where);
    return NormalisedMaxout(weights.values, maxout.tensor("b", {width, pieces}, where).values,
                            norm.tensor("G", {width}, where).values, norm.tensor("b", {width}, where).values,
                            static_cast<size_t>(pieces), inputs);
}

}  // namespace

Tok2Vec::Tok2Vec(const ThincModel& model) {
    const std::string& where = model.where();
    const std::vector<std::string> columns = model.only("extract_features").texts("columns", where);
    const std::vector<const ThincLayer*> tables = model.named("hashembed");
    const std::vector<const ThincLayer*> maxouts = model.named("maxout");
    const std::vector<const ThincLayer*> norms = model.named("layernorm");
    if (tables.empty() || tables.size() != columns.size())
        throw Error(where, "a hashed table for each attribute",
                    std::to_string(tables.size()) + " for " + std::to_string(columns.size()));
    if (maxouts.empty() || maxouts.size() > kMaxLayers || norms.size() != maxouts.size())
        throw Error(where, "1 to " + std::to_string(kMaxLayers) + " maxout layers with norms",
                    std::to_string(maxouts.size()) + " with " + std::to_string(norms.size()));
    const int64_t width = tables.front()->tensor_of_sizes("E", 2, where).shape[1];
    for (const ThincLayer* layer : tables) {
        const ThincTensor& vectors = layer->tensor_of_sizes("E", 2, where);
        layer->tensor("E", {vectors.shape[0], width}, where);
        const uint64_t column = layer->number("column", where);
        const uint64_t seed = layer->number("seed", where);
        if (column >= columns.size() || seed > UINT32_MAX)
            throw Error(where + ": hashembed", "a column below " + std::to_string(columns.size()) + " and a seed of 32 bits",
                        std::to_string(column) + " and " + std::to_string(seed));
        tables_.push_back({attribute_of(columns[column], where), static_cast<uint32_t>(seed),
                           static_cast<uint64_t>(vectors.shape[0]), vectors.values});
    }
    const auto outputs = static_cast<size_t>(width);
    embed_.push_back(read_maxout(*maxouts[0], *norms[0], tables.size() * outputs, width, where));
    for (const ThincLayer* window : model.named("expand_window"))
        if (window->number("window_size", where) != 1) throw Error(where, "windows of one word to each side", "others");
    for (size_t i = 1; i < maxouts.size(); ++i)
        windows_.push_back(read_maxout(*maxouts[i], *norms[i], 3 * outputs, width, where));
}

Tok2Vec::Attribute Tok2Vec::attribute_of(const std::string& name, const std::string& where) {
    constexpr const char* kNames[] = {"NORM", "PREFIX", "SUFFIX", "SHAPE", "SPACY", "IS_SPACE"};
    for (size_t i = 0; i < std::size(kNames); ++i)
        if (name == kNames[i]) return static_cast<Attribute>(i);
    throw Error(where, "the attributes NORM, PREFIX, SUFFIX, SHAPE, SPACY and IS_SPACE", "'" + name + "'");
}

uint64_t Tok2Vec::value_of(Attribute attribute, const Lexeme& word, bool space) {
    switch (attribute) {
        case Attribute::norm:
            return word.norm_id;
        case Attribute::prefix:
            return word.prefix_id;
        case Attribute::suffix:
            return word.suffix_id;
        case Attribute::shape:
            return word.shape_id;
        case Attribute::space:
            return space ? 1 : 0;
        case Attribute::is_space:
            break;
    }
    return word.is_space ? 1 : 0;
}

// The vectors of all attributes side by side, each the sum of four rows of its table.
void Tok2Vec::embed(std::span<const Lexeme> words, const std::vector<bool>& spaces, float* out) const {
    constexpr size_t kBlock = 48;
    const size_t columns = width();
    std::vector<float> block(kBlock * tables_.size() * columns);
    for (size_t begin = 0; begin < words.size(); begin += kBlock) {
        const size_t count = std::min(kBlock, words.size() - begin);
        std::fill(block.begin(), block.end(), 0.0F);
        float* vector = block.data();
        for (size_t i = begin; i < begin + count; ++i)
            for (const Table& table : tables_) {
                for (const uint32_t hash : row_hashes(value_of(table.attribute, words[i], spaces[i]), table.seed)) {
                    const float* row = table.vectors.data() + hash % table.rows * columns;
                    for (size_t j = 0; j < columns; ++j) vector[j] += row[j];
                }
                vector += columns;
            }
        embed_.front().apply(block.data(), count, tables_.size() * columns, out + begin * columns);
    }
}

// Beyond a text's ends there are rows of zeros, as many as words that the windows of all layers reach: these layers change
// them too, so that each of them is computed for the rows that the next one reads.
std::vector<float> Tok2Vec::vectors(std::span<const Lexeme> words, const std::vector<bool>& spaces) const {
    const size_t columns = width();
    if (words.empty()) return {};
    const size_t reach = windows_.size();
    std::vector<float> rows((words.size() + 2 * reach) * columns);
    embed(words, spaces, rows.data() + reach * columns);
    std::vector<float> added(rows.size());
    for (size_t layer = 0; layer < reach; ++layer) {
        const size_t first = layer + 1;
        const size_t count = words.size() + 2 * (reach - first);
        // The three rows that a window reads lie one after the other.
        windows_[layer].apply(rows.data() + layer * columns, count, columns, added.data());
        float* changed = rows.data() + first * columns;
        for (size_t i = 0; i < count * columns; ++i) changed[i] += added[i];
    }
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(reach * columns));
    rows.resize(words.size() * columns);
    return rows;
}

}  // namespace craft
