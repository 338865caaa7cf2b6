#include "model/decoder/export.h"

#include <torch/types.h>

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/files.h"
#include "core/model_files.h"
#include "core/signals.h"
#include "model/decoder/adapter_files.h"
#include "model/spec/adapter_config.h"
#include "model/spec/quantization_config.h"
#include "model/weights/quantized_files.h"
#include "model/weights/safetensors_writer.h"
#include "model/weights/weight_files.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kWhole = "model.safetensors";  // where weights stand in one file

constexpr int64_t kValuesAtOnce = int64_t{1} << 22;

// What becomes of one tensor of the base.
struct Change {
    at::Tensor base;         // a view in place of the file's; undefined: the file's own
    at::Tensor left, right;  // left [rows, rank] and right [rank, columns], as the file holds rows: their product is added
};

class Merge {
public:
    Merge(const fs::path& model, const fs::path& adapter)
        : model_(model),
          checked_(read_decoder_config(model)),
          files_(model),
          decoder_(DecoderWeights::empty(settled_config(model, files_))),
          options_(read_adapter_config(adapter)),
          adapter_(adapter, options_) {
        if (is_stored_in_nf4(checked_.source, (model / "config.json").string())) refuse_few_bits();
        for (const WeightSlot& slot : DecoderWeights::slots(decoder_))
            if (has_nf4(files_, name_in(files_, slot, decoder_.config()))) refuse_few_bits();
        const bool was_tied = decoder_.config().tied_embeddings;
        expect_slots(files_, decoder_.config(), DecoderWeights::slots(decoder_));
        const AdapterPlan plan = plan_adapter(decoder_, options_, (adapter / "adapter_config.json").string());
        const std::string embedding = DecoderWeights::embedding_lora(decoder_).name + ".weight",
                          head = DecoderWeights::head_lora(decoder_).name + ".weight";
        for (const AdapterPart& part : plan.parts) add_product(part);
        for (const Replacement& one : take_replacements(decoder_, plan, adapter_))
            changes_[one.slot.name].base = one.slot.transposed ? one.tensor.t() : one.tensor;
        // An adapter on the embedding alone leaves the head as it is, and the other way round.
        if (decoder_.config().tied_embeddings && (is_adapted(embedding) || is_adapted(head))) {
            DecoderWeights::untie(decoder_);
            changes_[head].base = changes_[embedding].base;
        }
        is_untied_ = was_tied && !decoder_.config().tied_embeddings;
        name_tensors(embedding, head);
    }

    void write(const fs::path& out) const {
        Json map = Json::object();
        uint64_t total = 0;
        for (const auto& [stored_in, tensors] : files_.files()) {
            const std::string file = written_file(stored_in);
            std::vector<SafetensorsEntry> entries;
            for (const std::string& name : tensors->names())
                entries.push_back({name, tensors->dtype(name), tensors->shape(name)});
            if (!new_tensor_.empty() && tensors->has(twin_))
                entries.push_back({new_tensor_, tensors->dtype(twin_), tensors->shape(twin_)});
            SafetensorsWriter writer(out / file, entries);
            for (const SafetensorsEntry& entry : entries) {
                map[entry.name] = file;
                total += entry.bytes();
                const std::string& source = tensors->has(entry.name) ? entry.name : twin_;
                write_tensor(writer, tensors->view(source), change_of(entry.name));
                tensors->release(source);
            }
            writer.close();
        }
        if (files_.files().size() == 1 && map.front() == kWhole) return;
        write_json_file(out / "model.safetensors.index.json", {{"metadata", {{"total_size", total}}}, {"weight_map", map}});
    }

    // "model-00001-of-00002.safetensors" in place of PyTorch's own "pytorch_model-00001-of-00002.bin".
    std::string written_file(const std::string& stored_in) const {
        if (is_model_file(model_)) return kWhole;
        const std::string before = "pytorch_", ending = ".bin";
        if (!stored_in.starts_with(before) || !stored_in.ends_with(ending)) return stored_in;
        return stored_in.substr(before.size(), stored_in.size() - before.size() - ending.size()) + ".safetensors";
    }

    bool is_untied() const { return is_untied_; }
    const DecoderConfig& config() const { return decoder_.config(); }

private:
    [[noreturn]] void refuse_few_bits() const {
        throw Error(model_.string(), "whole weights to merge into", "weights in 4 bits",
                    "merge into the folder that they were made from");
    }

    bool is_adapted(const std::string& slot) const {
        const auto found = changes_.find(slot);
        return found != changes_.end() && found->second.left.defined();
    }

    void add_product(const AdapterPart& part) {
        const auto wide = [](const at::Tensor& t) {
            return t.to(t.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
        };
        const at::Tensor a = wide(adapter_.take(part.a_name(), {part.rank, part.columns})),
                         b = wide(adapter_.take(part.b_name(), {part.place->rows, part.rank})).to(a.scalar_type()) *
                             part.scale;
        const TensorNames& names = architecture_of(decoder_.config()).names;
        const bool is_projection =
            part.place != &DecoderWeights::embedding_lora(decoder_) && part.place != &DecoderWeights::head_lora(decoder_);
        const bool turned = part.is_embedding || (is_projection && names.transposed);
        Change& change = changes_[part.place->name + ".weight"];
        change.left = turned ? a.t() : b;
        change.right = turned ? b.t() : a;
    }

    // Which change belongs to which tensor of the files; of two that are untied one may be new.
    void name_tensors(const std::string& embedding, const std::string& head) {
        const DecoderConfig& config = decoder_.config();
        for (const WeightSlot& slot : DecoderWeights::slots(decoder_)) slots_[name_in(files_, slot, config)] = slot.name;
        WeightSlot slot;
        slot.name = embedding;
        const std::string stored = name_in(files_, slot, config);
        if (config.tied_embeddings)
            slots_[head] = embedding;  // a head that is stored beside the embedding stays the same matrix
        else if (!files_.has(head))
            new_tensor_ = head, twin_ = stored;
        else if (!files_.has(stored))
            new_tensor_ = stored, twin_ = head;
    }

    Change change_of(const std::string& in_file) const {
        const auto slot = slots_.find(in_file);
        const auto found = slot == slots_.end() ? changes_.end() : changes_.find(slot->second);
        return found == changes_.end() ? Change{} : found->second;
    }

    static void write_tensor(SafetensorsWriter& writer, const at::Tensor& stored, const Change& change) {
        const at::Tensor base = change.base.defined() ? change.base : stored;
        if (stored.dim() == 0) return writer.append(base.to(stored.scalar_type()));
        const int64_t rows = base.size(0),
                      step = std::max<int64_t>(1, kValuesAtOnce * rows / std::max<int64_t>(base.numel(), 1));
        for (int64_t begin = 0; begin < rows; begin += step) {
            throw_if_stopped();
            const int64_t count = std::min(step, rows - begin);
            at::Tensor part = base.narrow(0, begin, count);
            if (change.left.defined())
                part = part.to(change.left.scalar_type()) + at::mm(change.left.narrow(0, begin, count), change.right);
            writer.append(part.to(stored.scalar_type()));
        }
    }

    fs::path model_;
    DecoderConfig checked_;  // read first: it says what is wrong with the folder before its weights are looked for
    WeightFiles files_;
    Decoder decoder_;  // without weights
    LoraOptions options_;
    AdapterFile adapter_;
    std::map<std::string, Change> changes_;     // by slot
    std::map<std::string, std::string> slots_;  // tensor in the files -> slot
    std::string new_tensor_, twin_;             // what the files hold in its place; empty: none
    bool is_untied_ = false;
};

}  // namespace

void export_merged(const fs::path& given, const fs::path& adapter, const fs::path& out) {
    const at::NoGradGuard no_gradients;
    check_own_files(given);
    const fs::path model = located_model(given);
    const Merge merge(model, adapter);
    ensure_folder(out);
    merge.write(out);
    if (is_model_file(model)) return write_decoder_config(out, merge.config(), "float32");
    if (merge.is_untied())
        write_json_file(out / "config.json", merge.config().source);
    else
        copy_file_atomic(own_file(model, "config.json"), out / "config.json");
    if (fs::exists(model / "generation_config.json"))
        copy_file_atomic(own_file(model, "generation_config.json"), out / "generation_config.json");
}

void export_model(const fs::path& model, at::ScalarType dtype, const fs::path& out) {
    const at::NoGradGuard no_gradients;
    WeightFiles files(model);
    const DecoderConfig config = settled_config(model, files);
    Decoder decoder = DecoderWeights::empty(config);
    expect_slots(files, config, DecoderWeights::slots(decoder));
    std::vector<SafetensorsEntry> entries;
    for (const std::string& name : files.names()) entries.push_back({name, dtype, files.shape(name)});
    ensure_folder(out);
    SafetensorsWriter writer(out / "model.safetensors", entries);
    for (const SafetensorsEntry& entry : entries) {
        throw_if_stopped();
        files.for_each_part(entry.name, [&](const at::Tensor& rows) { writer.append(rows.to(dtype)); });
    }
    writer.close();
    write_decoder_config(out, config, dtype == at::kBFloat16 ? "bfloat16" : "float32");
}

void export_adapter(const fs::path& model, const fs::path& adapter, const fs::path& out) {
    const LoraOptions options = read_adapter_config(adapter);
    Decoder decoder = DecoderWeights::empty(read_decoder_config(model));  // without weights
    AdapterFile file(adapter, options);
    const AdapterPlan plan = plan_adapter(decoder, options, (adapter / "adapter_config.json").string());
    for (const AdapterPart& part : plan.parts) {
        file.take(part.a_name(), {part.rank, part.columns});
        file.take(part.b_name(), {part.place->rows, part.rank});
    }
    take_replacements(decoder, plan, file);                         // for what it throws
    Json config = read_json_file(adapter / "adapter_config.json");  // PEFT's other keys stay
    config["base_model_name_or_path"] = located_model(model).string();
    ensure_folder(out);
    write_safetensors(out / "adapter_model.safetensors", file.views());
    write_json_file(out / "adapter_config.json", config);
}

}  // namespace craft
