// Tensors of a GGUF file under transformers' names.
#include <algorithm>
#include <set>

#include "core/error.h"
#include "model/files/gguf_architectures.h"
#include "model/files/gguf_config.h"

namespace craft {

namespace {

// Constants that the config says in other words, and a leftover of old converters.
const std::set<std::string>& constants() {
    static const std::set<std::string> names = {"rope_freqs.weight", "rope_factors_long.weight",
                                                "rope_factors_short.weight"};
    return names;
}

struct Name {
    std::string base, ending;  // "attn_q", ".weight"
};

Name without_ending(const std::string& name) {
    const size_t dot = name.rfind('.');
    return dot == std::string::npos ? Name{name, ""} : Name{name.substr(0, dot), name.substr(dot)};
}

// "blk.12.attn_q.weight" is layer 12's; "" of what is none of a layer.
std::string layer_of(const std::string& name) {
    constexpr std::string_view kLayer = "blk.";
    if (!name.starts_with(kLayer)) return "";
    const size_t end = name.find('.', kLayer.size());
    const std::string number = name.substr(kLayer.size(), end - kLayer.size());
    const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    return is_number && end != std::string::npos ? number : "";
}

const std::string* named(const std::vector<std::pair<std::string, std::string>>& names, const std::string& base) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const auto& pair) { return pair.first == base; });
    return found == names.end() ? nullptr : &found->second;
}

std::string huggingface_name(const GgufArchitecture& a, const std::string& stored) {
    const Name whole = without_ending(stored);
    if (whole.ending != ".weight" && whole.ending != ".bias") return "";
    if (whole.base == "output") return "lm_head" + whole.ending;
    if (const std::string* name = named(a.model_names, whole.base)) return a.body + *name + whole.ending;
    const std::string layer = layer_of(stored);
    if (layer.empty()) return "";
    const std::string prefix = "blk." + layer + ".";
    const std::string* name = named(a.layer_names, whole.base.substr(std::min(whole.base.size(), prefix.size())));
    return name == nullptr ? "" : a.body + a.layers + "." + layer + "." + *name + whole.ending;
}

bool ends_with_any(const std::string& name, std::initializer_list<const char*> endings) {
    return std::any_of(endings.begin(), endings.end(), [&](const char* ending) { return name.ends_with(ending); });
}

}  // namespace

std::vector<GgufWeight> gguf_weights(const GgufFile& file) {
    const GgufArchitecture& a = gguf_architecture(file);
    const int64_t heads = shared_size(file, a.name + ".attention.head_count");
    const int64_t kv_heads = shared_size(file, a.name + ".attention.head_count_kv", heads);
    std::vector<GgufWeight> weights;
    for (const auto& [stored, tensor] : file.tensors()) {
        if (constants().count(stored) > 0) continue;
        GgufWeight weight{.name = huggingface_name(a, stored), .stored = stored, .shape = tensor.shape};
        if (weight.name.empty())
            throw Error(file.place_of(stored), "a tensor of a model of architecture " + a.name, "another one",
                        "the model has unknown parts");
        if (tensor.shape.size() == 1 && info_of(tensor.type).values > 1)
            throw Error(file.place_of(stored), "a vector in F32, F16 or BF16", std::string(info_of(tensor.type).name));
        const bool is_matrix = tensor.shape.size() == 2;
        const bool is_query = stored.find(".attn_q.") != std::string::npos,
                   is_key = stored.find(".attn_k.") != std::string::npos;
        if (a.interleaves && (is_query || is_key)) {
            weight.layout = GgufLayout::interleaved;
            weight.heads = is_query ? heads : kv_heads;
            if (tensor.shape[0] % (2 * weight.heads) != 0)
                throw Error(file.place_of(stored), "rows for " + std::to_string(weight.heads) + " heads of even size",
                            std::to_string(tensor.shape[0]));
        } else if (a.transposes && is_matrix && !layer_of(stored).empty()) {
            weight.layout = GgufLayout::transposed;
            std::swap(weight.shape[0], weight.shape[1]);
        } else if (a.adds_one && ends_with_any(stored, {"norm.weight"})) {
            weight.layout = GgufLayout::plus_one;
        }
        weights.push_back(std::move(weight));
    }
    return weights;
}

}  // namespace craft
