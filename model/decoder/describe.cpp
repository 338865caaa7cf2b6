#include "model/decoder/describe.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "model/decoder/adapter_files.h"
#include "model/decoder/decoder_files.h"
#include "model/files/model_documents.h"
#include "model/files/nf4_state.h"
#include "model/spec/adapter_config.h"
#include "model/weights/weight_files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr size_t kLargest = 5;  // tensors that are shown

// Weights in 4 bits by name: their shapes, from what bitsandbytes writes beside the codes.
using Nf4Shapes = std::map<std::string, std::vector<int64_t>>;

Nf4Shapes nf4_shapes(const std::vector<const TensorFile*>& files) {
    Nf4Shapes shapes;
    for (const TensorFile* file : files)
        for (const std::string& name : file->names()) {
            if (!name.ends_with(kNf4StateEnding)) continue;
            const at::Tensor bytes = file->view(name);
            const std::string_view text(static_cast<const char*>(bytes.const_data_ptr()), bytes.nbytes());
            const std::string weight = name.substr(0, name.size() - kNf4StateEnding.size());
            shapes[weight] = parse_nf4_state(text, "tensor '" + name + "'").shape;
        }
    return shapes;
}

// Scales, maps and states of a weight in 4 bits are no parameters.
bool is_beside_nf4(const Nf4Shapes& shapes, const std::string& name) {
    constexpr std::string_view kWeight = ".weight.";
    const size_t end = name.rfind(kWeight);
    return end != std::string::npos && shapes.count(name.substr(0, end + kWeight.size() - 1)) > 0;
}

struct Tally {
    uint64_t tensors = 0, parameters = 0, bytes = 0;
    std::map<std::string, uint64_t> dtypes;
    std::vector<std::pair<uint64_t, std::string>> largest;

    void add(const TensorFile& file, const Nf4Shapes& narrow) {
        for (const std::string& name : file.names()) {
            ++tensors;
            bytes += file.bytes(name);
            if (is_beside_nf4(narrow, name)) continue;
            const auto found = narrow.find(name);
            const std::string dtype = found != narrow.end() ? "NF4" : file.stored_as(name);
            uint64_t count = 1;
            std::string shape;
            for (const int64_t size : found != narrow.end() ? found->second : file.shape(name)) {
                count *= static_cast<uint64_t>(size);
                shape += (shape.empty() ? "" : " x ") + std::to_string(size);
            }
            parameters += count;
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
        case RopeKind::yarn:
            return "yarn";
        case RopeKind::longrope:
            return "longrope";
    }
    return "";
}

}  // namespace

Json describe_safetensors(const fs::path& path) {
    const SafetensorsFile file(path);
    Tally tally;
    tally.add(file, nf4_shapes({&file}));
    return tally.json();
}

Json describe_weights(const fs::path& folder) {
    const WeightFiles files(folder);
    std::vector<const TensorFile*> all;
    for (const auto& [name, file] : files.files()) all.push_back(file.get());
    const Nf4Shapes narrow = nf4_shapes(all);
    Tally tally;
    for (const TensorFile* file : all) tally.add(*file, narrow);
    Json weights = tally.json();
    weights["files"] = all.size();
    return weights;
}

bool is_decoder(const fs::path& model) {
    return find_architecture(ConfigReader(ModelDocuments(model), "config.json")) != nullptr;
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
    if (c.is_encoder_decoder()) {
        sizes["encoder_layers"] = c.encoder_layers;
        sizes["position_buckets"] = c.position_buckets;
        sizes["start_token"] = c.start_token;
    }
    if (const auto widest = std::max_element(c.windows.begin(), c.windows.end()); widest != c.windows.end() && *widest > 0) {
        sizes["window"] = *widest;
        sizes["layers_with_window"] = std::count_if(c.windows.begin(), c.windows.end(), [](int64_t w) { return w > 0; });
    }
    return sizes;
}

Json describe_adapter(const fs::path& folder) {
    const LoraOptions options = read_adapter_config(folder);
    const AdapterFile whole(folder, options);  // for what it throws
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
