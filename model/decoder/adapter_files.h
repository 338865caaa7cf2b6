// What an adapter's options mean for a decoder, and the tensors of its folder. Inside model/ only.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "model/decoder/decoder_files.h"
#include "model/spec/adapter_damage.h"
#include "model/spec/lora_options.h"

namespace craft {

// One module with A [rank, columns] and B [rows of `place`, rank].
struct AdapterPart {
    Projection* place = nullptr;
    int64_t columns = 0, rank = 0;
    double scale = 0;
    bool is_embedding = false;  // the module's weight is [columns, rows]
    // Names in files, "base_model.model." left out.
    std::string a_name() const { return place->name + std::string(half_names().a); }
    std::string b_name() const { return place->name + std::string(half_names().b); }
    const HalfNames& half_names() const { return is_embedding ? kEmbeddingHalves : kLinearHalves; }
};

struct AdapterPlan {
    std::vector<AdapterPart> parts;  // in a fixed order
    std::vector<WeightSlot> saved;   // replaced as a whole
};

// By PEFT's rules. The decoder may hold no weights; where it ties its head to an embedding and one of them is replaced, it
// is untied. Throws Error naming `where` if nothing is a target or something that cannot be one, or a pattern matches none.
AdapterPlan plan_adapter(Decoder& decoder, const LoraOptions& options, const std::string& where);

// adapter_model.safetensors. Names are given without "base_model.model.", which the file may leave out too.
class AdapterFile {
public:
    // With the options of the same folder. Throws Error naming the file where no model could take it: not of floating
    // numbers, or as check_adapter_tensors.
    AdapterFile(const std::filesystem::path& folder, const LoraOptions& options);
    bool has(const std::string& name) const { return names_.count(name) > 0; }
    // A view of the file, as stored, valid as long as this object. Throws Error naming file and tensor: absent, another
    // shape. It counts as taken.
    at::Tensor take(const std::string& name, const std::vector<int64_t>& shape);
    std::vector<std::string> left() const;  // names of what nobody took
    NamedTensors views() const;             // all of them, named with "base_model.model."
    const std::string& path() const { return path_; }

private:
    std::string path_;
    SafetensorsFile file_;
    std::map<std::string, std::string> names_;  // as asked for -> in the file
    std::set<std::string> taken_;
};

// A tensor that the adapter brings in place of one of the model's: slot's name and name in the adapter's file.
struct Replacement {
    WeightSlot slot;
    std::string name;
    at::Tensor tensor;  // a view of the file, in the slot's shape (not transposed)
};
// modules_to_save, and embeddings that PEFT stores beside an adapter on them. Throws Error naming the file on a tensor that
// belongs to nothing.
std::vector<Replacement> take_replacements(Decoder& decoder, const AdapterPlan& plan, AdapterFile& file);

inline const std::string kAdapterPrefix = "base_model.model.";

}  // namespace craft
