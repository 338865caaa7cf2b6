#include "model/encoder/encoder_batch.h"

#include <torch/types.h>

#include <algorithm>
#include <numeric>

#include "core/error.h"

namespace craft {

namespace {

at::Tensor column(const std::vector<int64_t>& values, const at::Device& device) {
    return at::tensor(values, at::kLong).to(device);
}

// Where a token's row of the position table is.
void append_positions(const EncoderConfig& config, const std::vector<int64_t>& ids, std::vector<int64_t>& positions) {
    int64_t next = config.first_position;
    for (const int64_t id : ids) positions.push_back(config.padding >= 0 && id == config.padding ? id : next++);
}

at::Tensor visible_tokens(const std::vector<int64_t>& mask, const at::Device& device) {
    std::vector<int64_t> visible;
    for (size_t i = 0; i < mask.size(); ++i)
        if (mask[i] == 1) visible.push_back(static_cast<int64_t>(i));
    return visible.size() == mask.size() ? at::Tensor() : column(visible, device);
}

void check_column(const std::vector<int64_t>& column, size_t tokens, int64_t below, const std::string& where) {
    if (!column.empty() && column.size() != tokens)
        throw Error(where, "one value for each of the " + std::to_string(tokens) + " tokens", std::to_string(column.size()));
    for (const int64_t value : column)
        if (value < 0 || value >= below)
            throw Error(where, "values from 0 to " + std::to_string(below - 1), std::to_string(value));
}

}  // namespace

void check_row(const EncoderConfig& config, const EncoderRow& row, const std::string& where) {
    if (row.ids.empty()) throw Error(where, "at least one token", "none");
    for (const int64_t id : row.ids)
        if (id < 0 || id >= config.vocab_size)
            throw Error(where, "token ids below the vocabulary's " + std::to_string(config.vocab_size), std::to_string(id));
    const int64_t uncounted = config.padding < 0 ? 0 : std::count(row.ids.begin(), row.ids.end(), config.padding);
    if (const int64_t counted = static_cast<int64_t>(row.ids.size()) - uncounted; counted > config.max_tokens())
        throw Error(where, "at most the model's " + std::to_string(config.max_tokens()) + " positions",
                    std::to_string(counted) + " tokens");
    check_column(row.mask, row.ids.size(), 2, where + ": attention_mask");
    if (!row.mask.empty() && std::find(row.mask.begin(), row.mask.end(), 1) == row.mask.end())
        throw Error(where + ": attention_mask", "at least one token that is seen", "none");
    if (!row.types.empty() && config.type_count == 0)
        throw Error(where, "no token_type_ids: " + config.architecture + " has none", "some");
    check_column(row.types, row.ids.size(), config.type_count, where + ": token_type_ids");
}

StackInput encoder_input(const EncoderConfig& config, const std::vector<const EncoderRow*>& rows, const at::Device& device) {
    StackInput input;
    std::vector<int64_t> tokens, positions, types;
    for (const EncoderRow* row : rows) {
        tokens.insert(tokens.end(), row->ids.begin(), row->ids.end());
        append_positions(config, row->ids, positions);
        types.insert(types.end(), row->types.begin(), row->types.end());
        input.rows.add(static_cast<int64_t>(row->ids.size()), visible_tokens(row->mask, device));
        const auto places = static_cast<size_t>(input.rows.total());
        tokens.resize(places, 0);
        positions.resize(places, config.first_position);
        types.resize(places, 0);
    }
    input.tokens = column(tokens, device);
    input.positions = column(positions, device);
    if (config.type_count > 0) input.types = column(types, device);
    return input;
}

std::vector<size_t> by_size(const std::vector<std::pair<int64_t, int64_t>>& sizes) {
    std::vector<size_t> order(sizes.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return sizes[a] < sizes[b]; });
    return order;
}

}  // namespace craft
