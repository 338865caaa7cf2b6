#include "model/encoder/encoder_files.h"

#include <torch/types.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "core/log.h"
#include "model/encoder/encoder.h"
#include "model/weights/device_memory.h"

namespace craft {

namespace fs = std::filesystem;

EncoderFiles::EncoderFiles(const fs::path& folder, const EncoderFamily& family)
    : folder_(folder), family_(family), files_(folder) {
    const std::vector<std::string> names = files_.names();
    is_bare_ =
        std::none_of(names.begin(), names.end(), [&](const std::string& name) { return name.starts_with(family.prefix); });
}

// Without the prefix where files leave it out; norms of old exports are called gamma and beta.
std::string EncoderFiles::name_in_files(const std::string& name) const {
    std::string found = name;
    if (is_bare_ && found.starts_with(family_.prefix)) found = found.substr(family_.prefix.size());
    if (files_.has(found)) return found;
    for (const auto& [now, before] :
         {std::pair{"LayerNorm.weight", "LayerNorm.gamma"}, {"LayerNorm.bias", "LayerNorm.beta"}}) {
        if (!found.ends_with(now)) continue;
        const std::string old = found.substr(0, found.size() - std::string(now).size()) + before;
        if (files_.has(old)) return old;
    }
    return found;
}

void EncoderFiles::want(const std::string& name, const std::vector<int64_t>& shape, at::Tensor& place, int64_t first,
                        const std::vector<int64_t>& whole) {
    const std::string found = name_in_files(name);
    files_.expect(found, shape);
    slots_.push_back({found, shape, whole.empty() ? shape : whole, &place, first});
}

void EncoderFiles::want(const std::vector<std::string>& names, int64_t out, int64_t in, Affine& place) {
    const int64_t rows = out * static_cast<int64_t>(names.size());
    int64_t first = 0;
    for (const std::string& name : names) {
        want(name + ".weight", {out, in}, place.weight, first, {rows, in});
        want(name + ".bias", {out}, place.bias, first, {rows});
        first += out;
    }
}

void EncoderFiles::want(const std::string& name, int64_t size, Norm& place) {
    want(name + ".weight", {size}, place.weight);
    want(name + ".bias", {size}, place.bias);
}

void EncoderFiles::want_words(const std::vector<std::string>& names, const std::vector<int64_t>& shape, bool tied,
                              at::Tensor& place) {
    std::string chosen = name_in_files(names.front() + ".weight");
    for (const std::string& name : names) {
        const std::string found = name_in_files(name + ".weight");
        if (!files_.has(found)) continue;
        if (tied && !files_.has(chosen)) chosen = found;
        files_.expect(found, shape);
    }
    files_.expect(chosen, shape);  // throws where it is not there
    const auto equal = std::find_if(words_.begin(), words_.end(), [&](const std::string& other) {
        return other == chosen || files_.equal(other, chosen);
    });
    if (equal != words_.end()) {
        chosen = *equal;
    } else {
        if (tied && !words_.empty())
            log_warning(folder_.string() + ": tie_word_embeddings, but " + chosen + " and " + words_.front() +
                        " are different matrices: both are used");
        words_.push_back(chosen);
    }
    slots_.push_back({chosen, shape, shape, &place, 0});
}

void EncoderFiles::want(const StackNames& names, const EncoderConfig& config, const StackConfig& sizes, BlockStack& place) {
    const std::string& prefix = family_.prefix;
    const int64_t width = config.hidden_size, inner = sizes.intermediate_size;
    std::vector<std::string> words;
    for (const std::string& name : names.words) words.push_back(name == "lm_head" ? name : prefix + name);
    place.sizes = sizes;
    want_words(words, {config.vocab_size, width}, config.tied_embeddings, place.words);
    want(prefix + names.positions + ".weight", {config.position_rows, width}, place.positions);
    if (!names.types.empty()) want(prefix + names.types + ".weight", {config.type_count, width}, place.types);
    want(prefix + names.embedding_norm, width, place.embedding_norm);
    place.blocks.resize(static_cast<size_t>(sizes.layers));
    for (size_t i = 0; i < place.blocks.size(); ++i) {
        Block& block = place.blocks[i];
        const std::string own = prefix + names.layers + std::to_string(i) + ".";
        want({own + names.self.q, own + names.self.k, own + names.self.v}, width, width, block.qkv);
        want({own + names.self.o}, width, width, block.o);
        want(own + names.self.norm, width, block.attention_norm);
        if (!names.cross.q.empty()) {
            want({own + names.cross.q}, width, width, block.cross_q);
            want({own + names.cross.k, own + names.cross.v}, width, width, block.cross_kv);
            want({own + names.cross.o}, width, width, block.cross_o);
            want(own + names.cross.norm, width, block.cross_norm);
        }
        want({own + names.up}, inner, width, block.up);
        want({own + names.down}, width, inner, block.down);
        want(own + names.norm, width, block.norm);
    }
}

void EncoderFiles::leave_out(const std::vector<std::string>& beginnings) {
    left_out_.insert(left_out_.end(), beginnings.begin(), beginnings.end());
}

namespace {

MemoryNeed weights_in(at::ScalarType dtype) {
    return {.form = dtype == at::kBFloat16 ? "bfloat16" : "float32",
            .hint = dtype == at::kBFloat16 ? "a smaller model" : "--dtype bfloat16, or a smaller model"};
}

int64_t bytes_of(const std::vector<int64_t>& shape, at::ScalarType dtype) {
    int64_t bytes = static_cast<int64_t>(c10::elementSize(dtype));
    for (const int64_t size : shape) bytes *= size;
    return bytes;
}

}  // namespace

std::optional<MemoryNeed> known_encoder_memory(const std::filesystem::path& folder, at::ScalarType dtype) {
    try {
        const EncoderFamily& family = encoder_family_of(read_encoder_config(folder));
        std::vector<std::string> others = {"decoder.", "shared.", "lm_head.", "final_logits_bias", "pooler."};
        others.insert(others.end(), family.heads.begin(), family.heads.end());
        MemoryNeed need = weights_in(dtype);
        const WeightFiles files(folder);
        for (const std::string& name : files.names()) {
            const std::string own = name.starts_with(family.prefix) ? name.substr(family.prefix.size()) : name;
            if (std::ranges::none_of(others, [&](const std::string& beginning) { return own.starts_with(beginning); }))
                need.weights += bytes_of(files.shape(name), dtype);
        }
        return need;
    } catch (const Stopped&) {
        throw;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

void EncoderFiles::expect_memory(at::ScalarType dtype, const at::Device& device) const {
    std::set<std::string> counted;  // equal matrices of words are held once
    MemoryNeed need = weights_in(dtype);
    for (const Slot& slot : slots_)
        if (counted.insert(slot.name).second) need.weights += bytes_of(slot.shape, dtype);
    craft::expect_memory(folder_.string(), need, device);
}

void EncoderFiles::load(const std::string& architecture, at::ScalarType dtype, const at::Device& device) {
    std::set<std::string> wanted, said;
    for (const Slot& slot : slots_) wanted.insert(slot.name);
    std::vector<std::string> ignored = family_.constants;
    for (const std::string& name : files_.names()) {
        if (wanted.count(name) > 0) continue;
        const std::string behind = name.starts_with(family_.prefix) ? name.substr(family_.prefix.size()) : name;
        for (const std::string& beginning : left_out_) {
            if (!behind.starts_with(beginning)) continue;
            ignored.push_back(name);
            if (beginning != "pooler.") said.insert(beginning.substr(0, beginning.find_last_not_of('.') + 1));
        }
    }
    files_.expect_no_others(ignored, architecture);
    if (!said.empty())
        log_info(folder_.string() + ": parts of " + architecture + " that are not needed are skipped", {{"parts", said}});
    expect_memory(dtype, device);
    std::map<std::string, at::Tensor> shared;
    for (const Slot& slot : slots_) {
        at::Tensor& whole = *slot.place;
        const bool is_word = std::find(words_.begin(), words_.end(), slot.name) != words_.end();
        if (is_word && shared.count(slot.name) > 0) {
            whole = shared[slot.name];
            continue;
        }
        if (!whole.defined()) whole = at::empty(slot.whole, at::TensorOptions().dtype(dtype).device(device));
        files_.read_into(slot.name, whole.narrow(0, slot.first, slot.shape[0]));
        if (is_word) shared[slot.name] = whole;
    }
    files_.log_bytes_read();
}

}  // namespace craft
