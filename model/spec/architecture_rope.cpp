// Rotary positions in config.json: rope_theta and rope_scaling in published folders, rope_parameters in new ones.
#include <algorithm>
#include <cmath>

#include "model/spec/architecture.h"

namespace craft {

namespace {

constexpr double kMaxPositions = 2147483648.0;

const std::vector<std::pair<std::string, RopeKind>>& kind_names() {
    static const std::vector<std::pair<std::string, RopeKind>> names = {
        {"default", RopeKind::plain}, {"linear", RopeKind::linear}, {"dynamic", RopeKind::dynamic},
        {"llama3", RopeKind::llama3}, {"yarn", RopeKind::yarn},     {"longrope", RopeKind::longrope},
        {"su", RopeKind::longrope},   {"yarn", RopeKind::longrope},  // the latter in early files of Phi-3
    };
    return names;
}

RopeKind read_kind(const ConfigReader& reader, const ConfigReader& rope, const std::string& key,
                   const std::vector<RopeKind>& kinds) {
    const std::string name = rope.text("rope_type", rope.text("type", "default"));
    std::string known;
    for (const auto& [text, kind] : kind_names()) {
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) continue;
        if (text == name) return kind;
        known += (known.empty() ? "" : ", ") + text;
    }
    reader.fail(key, "rope_type " + known, "other scalings of rotary positions are not supported");
}

// The length before scaling: beside the sizes (Phi-3) or with the scaling.
int64_t original_positions(const ConfigReader& reader, const ConfigReader& rope, int64_t absent) {
    const std::string key = "original_max_position_embeddings";
    return reader.find(key) != nullptr ? reader.size(key) : rope.size(key, absent);
}

// Scaling begins where the trained length ends: that is not the end of what the model can read.
void stretch(const ConfigReader& rope, DecoderConfig& config) {
    const double reach = static_cast<double>(config.rope.original_positions) * std::max(1.0, config.rope.factor);
    if (!(reach <= kMaxPositions)) rope.fail("factor", "a number that leaves at most 2^31 positions");
    config.max_positions = std::max(config.max_positions, static_cast<int64_t>(reach));
}

void read_longrope(const ConfigReader& reader, const ConfigReader& rope, DecoderConfig& config) {
    RopeConfig& r = config.rope;
    r.short_factors = rope.numbers("short_factor");
    r.long_factors = rope.numbers("long_factor");
    const auto pairs = static_cast<size_t>((r.dims + 1) / 2);
    for (const auto& [key, factors] : {std::pair{"short_factor", &r.short_factors}, {"long_factor", &r.long_factors}})
        if (factors->size() != pairs) rope.fail(key, std::to_string(pairs) + " numbers");
    r.original_positions = original_positions(reader, rope, 4096);
    if (r.original_positions < 2) reader.fail("original_max_position_embeddings", "at least 2");
    const double ratio = static_cast<double>(config.max_positions) / static_cast<double>(r.original_positions);
    const double scale = rope.number("factor", ratio);
    const double usual =
        scale <= 1 ? 1 : std::sqrt(1 + std::log(scale) / std::log(static_cast<double>(r.original_positions)));
    r.attention_factor = rope.number("attention_factor", usual);
}

// YaRN (Peng et al. 2023), with the names and defaults of transformers.
void read_yarn(const ConfigReader& reader, const ConfigReader& rope, DecoderConfig& config) {
    RopeConfig& r = config.rope;
    r.original_positions = original_positions(reader, rope, config.max_positions);
    const double ratio = static_cast<double>(config.max_positions) / static_cast<double>(r.original_positions);
    r.factor = rope.number("factor", ratio);
    r.fast_turns = rope.number("beta_fast", 32);
    r.slow_turns = rope.number("beta_slow", 1);
    if (r.fast_turns <= r.slow_turns) rope.fail("beta_fast", "more than beta_slow");
    r.whole_bounds = rope.flag("truncate", true);
    const auto usual = [&](double scale) { return r.factor <= 1 ? 1 : 0.1 * scale * std::log(r.factor) + 1; };
    const bool has_scales = rope.find("mscale") != nullptr && rope.find("mscale_all_dim") != nullptr;
    r.attention_factor = rope.number("attention_factor", has_scales ? usual(rope.number("mscale", std::nullopt)) /
                                                                          usual(rope.number("mscale_all_dim", std::nullopt))
                                                                    : usual(1));
    stretch(rope, config);
}

}  // namespace

const std::vector<RopeKind>& usual_ropes() {
    static const std::vector<RopeKind> kinds = {RopeKind::plain, RopeKind::linear, RopeKind::dynamic, RopeKind::llama3,
                                                RopeKind::yarn};
    return kinds;
}

void read_rope(const ConfigReader& reader, const std::vector<RopeKind>& kinds, DecoderConfig& config) {
    const Json* scaling = reader.find("rope_scaling");
    const bool is_empty = scaling == nullptr || (scaling->is_object() && scaling->empty());
    const std::string key = is_empty ? "rope_parameters" : "rope_scaling";
    const ConfigReader rope = reader.find(key) != nullptr ? reader.object(key) : ConfigReader(key, Json::object());
    // Each value stands with the scaling, or beside the sizes, or in the other of the two objects.
    const ConfigReader other = key == "rope_scaling" && reader.find("rope_parameters") != nullptr
                                   ? reader.object("rope_parameters")
                                   : ConfigReader(key, Json::object());
    config.rope_theta = rope.number("rope_theta", reader.number("rope_theta", other.number("rope_theta", 10000)));
    const double part = rope.number("partial_rotary_factor",
                                    reader.number("partial_rotary_factor", other.number("partial_rotary_factor", 1)));
    if (part > 1) reader.fail("partial_rotary_factor", "at most 1");
    RopeConfig& r = config.rope;
    r.dims = static_cast<int64_t>(static_cast<double>(config.head_dim) * part);
    if (r.dims < 2 || r.dims % 2 != 0) reader.fail("head_dim", "an even number of dimensions that turn with the position");
    r.kind = read_kind(reader, rope, key, kinds);
    if (r.kind == RopeKind::linear || r.kind == RopeKind::dynamic || r.kind == RopeKind::llama3)
        r.factor = rope.number("factor", std::nullopt);
    if (r.kind == RopeKind::dynamic) {
        r.original_positions = config.max_positions;
        if (r.dims < 4) reader.fail("head_dim", "at least 4 with dynamic scaling");
        stretch(rope, config);
    }
    if (r.kind == RopeKind::llama3) {
        r.original_positions = original_positions(reader, rope, config.max_positions);
        r.low_frequency = rope.number("low_freq_factor", std::nullopt);
        r.high_frequency = rope.number("high_freq_factor", std::nullopt);
        if (r.high_frequency <= r.low_frequency) rope.fail("high_freq_factor", "more than low_freq_factor");
    }
    if (r.kind == RopeKind::yarn) read_yarn(reader, rope, config);
    if (r.kind == RopeKind::longrope) read_longrope(reader, rope, config);
}

}  // namespace craft
