#include "model/describe.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "model/adapter_config.h"
#include "model/decoder_files.h"
#include "model/weight_files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr size_t kLargest = 5;  // tensors that are shown

struct Tally {
    uint64_t tensors = 0, parameters = 0, bytes = 0;
    std::map<std::string, uint64_t> dtypes;
    std::vector<std::pair<uint64_t, std::string>> largest;

    void add(const SafetensorsFile& file) {
        for (const std::string& name : file.names()) {
            const std::string dtype = safetensors_dtype_name(file.dtype(name));
            uint64_t count = 1;
            std::string shape;
            for (const int64_t size : file.shape(name)) {
                count *= static_cast<uint64_t>(size);
                shape += (shape.empty() ? "" : " x ") + std::to_string(size);
            }
            ++tensors;
            parameters += count;
            bytes += count * at::elementSize(file.dtype(name));
            dtypes[dtype] += count;
            largest.emplace_back(count, name + ": " + shape + " " + dtype);
        }
    }

    Json json() {
        std::stable_sort(largest.begin(), largest.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        Json shown = Json::array();
        for (size_t i = 0; i < std::min(kLargest, largest.size()); ++i) shown.push_back(largest[i].second);
        return {{"tensors", tensors}, {"parameters", parameters}, {"bytes", bytes}, {"dtypes", dtypes}, {"largest", shown}};
    }
};

std::string rope_name(const DecoderConfig& config) {
    switch (config.rope.kind) {
        case RopeKind::none:
            return "none";
        case RopeKind::plain:
            return "plain";
        case RopeKind::linear:
            return "linear";
        case RopeKind::dynamic:
            return "dynamic";
        case RopeKind::llama3:
            return "llama3";
        case RopeKind::longrope:
            return "longrope";
    }
    return "";
}

}  // namespace

Json describe_safetensors(const fs::path& file) {
    Tally tally;
    tally.add(SafetensorsFile(file));
    return tally.json();
}

Json describe_weights(const fs::path& folder) {
    const WeightFiles files(folder);
    Tally tally;
    for (const auto& [name, file] : files.files()) tally.add(*file);
    Json weights = tally.json();
    weights["files"] = files.files().size();
    return weights;
}

bool is_decoder_folder(const fs::path& folder) {
    const ConfigReader reader(folder / "config.json");
    const Json* names = reader.find("architectures");
    const Json* type = reader.find("model_type");
    for (const Architecture* one : known_architectures()) {
        const bool is_named =
            names != nullptr && names->is_array() && std::find(names->begin(), names->end(), one->name) != names->end();
        if (is_named || (names == nullptr && type != nullptr && *type == one->model_type)) return true;
    }
    return false;
}

Json describe_decoder(const fs::path& folder) {
    read_decoder_config(folder);  // its errors come first
    WeightFiles files(folder);
    const DecoderConfig c = settled_config(folder, files);
    Decoder decoder = DecoderWeights::empty(c);
    expect_slots(files, c, DecoderWeights::slots(decoder));
    Json sizes = {{"layers", c.layers},
                  {"hidden", c.hidden_size},
                  {"feed_forward", c.intermediate_size},
                  {"heads", c.heads},
                  {"kv_heads", c.kv_heads},
                  {"head_dim", c.head_dim},
                  {"vocabulary", c.vocab_size},
                  {"positions", c.max_positions},
                  {"rotary_positions", rope_name(c)},
                  {"tied_embeddings", c.tied_embeddings},
                  {"end_tokens", c.end_tokens}};
    if (const auto widest = std::max_element(c.windows.begin(), c.windows.end()); widest != c.windows.end() && *widest > 0) {
        sizes["window"] = *widest;
        sizes["layers_with_window"] = std::count_if(c.windows.begin(), c.windows.end(), [](int64_t w) { return w > 0; });
    }
    return sizes;
}

Json describe_adapter(const fs::path& folder) {
    const LoraOptions options = read_adapter_config(folder);
    const Json config = read_json_file(folder / "adapter_config.json");
    Json adapter = {{"base", config.contains("base_model_name_or_path") ? config["base_model_name_or_path"] : Json()},
                    {"rank", options.rank},
                    {"alpha", options.alpha},
                    {"dropout", options.dropout},
                    {"rank_stabilised", options.rslora}};
    adapter["targets"] = options.target_expression.empty() ? Json(options.targets) : Json(options.target_expression);
    if (!options.excluded_expression.empty()) adapter["excluded"] = options.excluded_expression;
    if (!options.excluded.empty()) adapter["excluded"] = options.excluded;
    if (!options.layers.empty()) adapter["layers"] = options.layers;
    for (const auto& [pattern, rank] : options.ranks) adapter["ranks"][pattern] = rank;
    for (const auto& [pattern, alpha] : options.alphas) adapter["alphas"][pattern] = alpha;
    if (!options.saved_modules.empty()) adapter["modules_to_save"] = options.saved_modules;
    adapter["weights"] = describe_safetensors(folder / "adapter_model.safetensors");
    return adapter;
}

}  // namespace craft
