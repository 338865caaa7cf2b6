#include "model/decoder_files.h"

#include <torch/types.h>

#include <cmath>
#include <map>
#include <set>

#include "core/error.h"
#include "core/files.h"

namespace craft {

namespace fs = std::filesystem;

const std::array<LinearGroup, 4>& linear_groups() {
    static const std::array<LinearGroup, 4> groups = {{
        {&DecoderLayer::qkv, {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"}},
        {&DecoderLayer::o, {"self_attn.o_proj"}},
        {&DecoderLayer::gate_up, {"mlp.gate_proj", "mlp.up_proj"}},
        {&DecoderLayer::down, {"mlp.down_proj"}},
    }};
    return groups;
}

int64_t projection_rows(const DecoderConfig& c, const std::string& projection) {
    if (projection == "self_attn.q_proj") return c.heads * c.head_dim;
    if (projection == "self_attn.k_proj" || projection == "self_attn.v_proj") return c.kv_heads * c.head_dim;
    if (projection == "mlp.gate_proj" || projection == "mlp.up_proj") return c.intermediate_size;
    return c.hidden_size;
}

int64_t projection_columns(const DecoderConfig& c, const std::string& projection) {
    if (projection == "self_attn.o_proj") return c.heads * c.head_dim;
    return projection == "mlp.down_proj" ? c.intermediate_size : c.hidden_size;
}

Decoder DecoderWeights::empty(const DecoderConfig& config) {
    Decoder decoder;
    decoder.config_ = config;
    decoder.layers_.resize(static_cast<size_t>(config.layers));
    for (size_t i = 0; i < decoder.layers_.size(); ++i) {
        const std::string prefix = "model.layers." + std::to_string(i) + ".";
        for (const LinearGroup& group : linear_groups()) {
            int64_t first = 0;
            for (const std::string& projection : group.projections) {
                const int64_t rows = projection_rows(config, projection);
                (decoder.layers_[i].*group.member).projections.push_back({prefix + projection, first, rows, {}, {}});
                first += rows;
            }
        }
    }
    return decoder;
}

NamedTensors DecoderWeights::named(const Decoder& decoder) {
    NamedTensors tensors;
    const auto add = [&](const std::string& name, const at::Tensor& tensor) { tensors.emplace_back(name, tensor.detach()); };
    add("model.embed_tokens.weight", decoder.embedding_);
    for (size_t i = 0; i < decoder.layers_.size(); ++i) {
        const DecoderLayer& layer = decoder.layers_[i];
        const std::string prefix = "model.layers." + std::to_string(i) + ".";
        add(prefix + "input_layernorm.weight", layer.input_norm);
        add(prefix + "post_attention_layernorm.weight", layer.post_attention_norm);
        for (const LinearGroup& group : linear_groups()) {
            const Linear& linear = layer.*group.member;
            for (size_t p = 0; p < linear.projections.size(); ++p)
                add(linear.projections[p].name + ".weight", linear.projection_weight(p));
        }
    }
    add("model.norm.weight", decoder.final_norm_);
    if (!decoder.config_.tied_embeddings) add("lm_head.weight", decoder.head_);
    return tensors;
}

namespace {

// The tensors of a model folder: one file, or the shards that an index names.
class WeightFiles {
public:
    explicit WeightFiles(const fs::path& folder) : folder_(folder) {
        const fs::path single = folder / "model.safetensors", index = folder / "model.safetensors.index.json";
        if (fs::exists(single)) {
            open("model.safetensors");
            for (const std::string& name : files_.begin()->second->names()) where_[name] = "model.safetensors";
        } else if (fs::exists(index)) {
            read_index(index);
        } else {
            throw Error(folder.string(), "model.safetensors or model.safetensors.index.json", "neither");
        }
    }

    bool has(const std::string& name) const { return where_.count(name) > 0; }

    // The tensor in its stored dtype, with its shape checked.
    at::Tensor take(const std::string& name, const std::vector<int64_t>& shape) {
        const auto found = where_.find(name);
        if (found == where_.end()) throw Error(folder_.string(), "a tensor '" + name + "'", "none of that name");
        const SafetensorsFile& file = *files_.at(found->second);
        const std::string where = (folder_ / found->second).string() + ": tensor '" + name + "'";
        if (file.shape(name) != shape) throw Error(where, shape_text(shape), shape_text(file.shape(name)));
        const at::ScalarType dtype = file.dtype(name);
        if (!c10::isFloatingType(dtype)) throw Error(where, "a floating dtype", c10::toString(dtype));
        taken_.insert(name);
        return file.tensor(name);
    }

    void expect_all_taken() const {
        for (const auto& [name, file] : where_) {
            const bool buffer = name.ends_with("rotary_emb.inv_freq");  // old exports keep this constant
            if (taken_.count(name) == 0 && !buffer && name != "lm_head.weight")
                throw Error((folder_ / file).string(), "the tensors of a Llama decoder", "'" + name + "' besides");
        }
    }

private:
    static std::string shape_text(const std::vector<int64_t>& shape) {
        std::string text = "shape [";
        for (size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
        return text + "]";
    }

    void open(const std::string& file) {
        if (files_.count(file) == 0) files_[file] = std::make_unique<SafetensorsFile>(folder_ / file);
    }

    void read_index(const fs::path& index) {
        const Json json = read_json_file(index);
        if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object())
            throw Error(index.string(), "an object 'weight_map'", "none");
        for (const auto& [name, file] : json["weight_map"].items()) {
            if (!file.is_string() || fs::path(file.get<std::string>()).filename() != file.get<std::string>())
                throw Error(index.string() + ": weight_map", "file names in the same folder", dump_line(file));
            open(file.get<std::string>());
            where_[name] = file.get<std::string>();
        }
    }

    fs::path folder_;
    std::map<std::string, std::unique_ptr<SafetensorsFile>> files_;
    std::map<std::string, std::string> where_;
    std::set<std::string> taken_;
};

Linear read_linear(WeightFiles& files, Linear linear, const DecoderConfig& config, const LinearGroup& group,
                   const std::function<at::Tensor(const at::Tensor&)>& place) {
    std::vector<at::Tensor> weights;
    for (size_t p = 0; p < linear.projections.size(); ++p) {
        const std::string& projection = group.projections[p];
        weights.push_back(place(files.take(linear.projections[p].name + ".weight",
                                           {projection_rows(config, projection), projection_columns(config, projection)})));
    }
    linear.weight = weights.size() == 1 ? weights.front() : at::cat(weights, 0);
    return linear;
}

}  // namespace

Decoder Decoder::load(const fs::path& folder, at::ScalarType dtype, const at::Device& device) {
    const DecoderConfig config = read_decoder_config(folder);
    WeightFiles files(folder);
    Decoder decoder = DecoderWeights::empty(config);
    const auto place = [&](const at::Tensor& tensor) { return tensor.to(device, dtype); };
    const std::vector<int64_t> by_token{config.vocab_size, config.hidden_size}, by_feature{config.hidden_size};
    decoder.embedding_ = place(files.take("model.embed_tokens.weight", by_token));
    for (int64_t i = 0; i < config.layers; ++i) {
        DecoderLayer& layer = decoder.layers_[static_cast<size_t>(i)];
        const std::string prefix = "model.layers." + std::to_string(i) + ".";
        layer.input_norm = place(files.take(prefix + "input_layernorm.weight", by_feature));
        layer.post_attention_norm = place(files.take(prefix + "post_attention_layernorm.weight", by_feature));
        for (const LinearGroup& group : linear_groups())
            layer.*group.member = read_linear(files, layer.*group.member, config, group, place);
    }
    decoder.final_norm_ = place(files.take("model.norm.weight", by_feature));
    decoder.head_ = config.tied_embeddings ? decoder.embedding_ : place(files.take("lm_head.weight", by_token));
    files.expect_all_taken();
    decoder.base_name_ = folder.string();
    return decoder;
}

void Decoder::save(const fs::path& folder, at::ScalarType dtype) const {
    if (dtype != at::kFloat && dtype != at::kBFloat16)
        throw Error("dtype of a saved model", "float32 or bfloat16", c10::toString(dtype));
    ensure_folder(folder);
    NamedTensors tensors = DecoderWeights::named(*this);
    for (auto& [name, tensor] : tensors) tensor = tensor.to(at::kCPU, dtype);
    write_safetensors(folder / "model.safetensors", tensors);
    write_decoder_config(folder, config_, dtype);
}

}  // namespace craft
