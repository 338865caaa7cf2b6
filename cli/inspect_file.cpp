// Single files, told apart by what they begin with.
#include <fstream>
#include <map>
#include <set>

#include "cli/inspection.h"
#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "data/pair_file.h"
#include "data/segment.h"
#include "model/decoder/describe.h"
#include "model/tokenizer/tokenizer.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

std::string beginning(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string bytes(16, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<size_t>(std::max<std::streamsize>(in.gcount(), 0)));
    if (in.bad()) throw Error(file.string() + ": cannot read");
    return bytes;
}

// What rows with these keys are for.
std::string use_of(const Json& row) {
    const auto has = [&](std::initializer_list<const char*> keys) {
        return std::all_of(keys.begin(), keys.end(), [&](const char* key) { return row.contains(key); });
    };
    if (has({"messages", "steps"})) return "trajectories";
    if (has({"prompt", "chosen", "rejected"})) return "pairs for align --pairs";
    if (has({"instruction", "constraints"})) return "instructions";
    if (has({"messages"})) return "conversations for sft, chat or generate";
    if (has({"prompt", "completion"})) return "completions for sft or score";
    if (has({"prompt"})) return "prompts for generate";
    if (has({"input_ids"})) return "token ids";
    if (has({"source", "prediction"})) return "predictions for eval metric";
    if (has({"text"})) return "texts";
    return "";
}

Json inspect_lines(const fs::path& file) {
    JsonLinesReader reader(file.string(), {.number_rows = false});  // what stands there
    Json keys = Json::object(), first;
    int64_t rows = 0;
    while (const auto row = reader.next()) {
        if (rows++ == 0) first = *row;
        for (const auto& [key, value] : row->items()) keys[key] = keys.value(key, int64_t{0}) + 1;
    }
    Json found = {{"kind", "JSON Lines"}, {"rows", rows}, {"bytes", fs::file_size(file)}};
    if (rows == 0) return found;
    if (const std::string use = use_of(first); !use.empty()) found["rows_are"] = use;
    found["keys"] = keys;
    return found;
}

Json inspect_json(const fs::path& file) {
    const Json json = read_json_file(file);
    Json found = {{"kind", "JSON"}, {"bytes", fs::file_size(file)}, {"type", json.type_name()}};
    if (!json.is_object()) return found;
    Json keys = Json::array();
    for (const auto& [key, value] : json.items())
        if (keys.size() < 40) keys.push_back(key);
    found["keys"] = keys;
    return found;
}

// How often each value of a provenance's key stands in the pairs of a file.
using ValueCounts = std::map<std::string, std::map<std::string, int64_t>>;

void count_origin(const Json& provenance, ValueCounts& counts) {
    for (const char* key : {"judge", "aspect", "policy", "chosen_system", "rejected_system"})
        if (has_value(provenance, key) && provenance[key].is_string()) ++counts[key][provenance[key].get<std::string>()];
    if (!has_value(provenance, "guideline") || !provenance["guideline"].is_object()) return;
    const auto said = [&](const char* key) {
        const Json& guideline = provenance["guideline"];
        return has_value(guideline, key) && guideline[key].is_string() ? guideline[key].get<std::string>() : "?";
    };
    ++counts["guideline"][said("version") + " (" + said("hash") + ")"];
}

Json inspect_pairs(const fs::path& file) {
    PairFileReader reader(file);
    int64_t messages = 0;
    ValueCounts origins;
    for (int64_t i = 0; i < reader.pairs(); ++i) {
        const Pair pair = reader.read(i);
        if (std::holds_alternative<Conversation>(pair.chosen)) ++messages;
        count_origin(pair.provenance, origins);
    }
    Json found = {
        {"kind", "preference pairs"}, {"pairs", reader.pairs()}, {"of_messages", messages}, {"bytes", fs::file_size(file)}};
    for (const auto& [key, values] : origins) found[key] = values;
    return found;
}

Json inspect_hdf5(const fs::path& file) {
    const std::string format = hdf5_format(file.string()).value_or("");
    if (format == kPairFormat) return inspect_pairs(file);
    if (format != kStoreFormat)
        throw Error(file.string(), "HDF5 of preference pairs or a segment of a trajectory store",
                    format.empty() ? "HDF5 of another program" : "'" + shortened(format, 60) + "'");
    const SegmentReader segment(file);
    return {{"kind", "segment of a trajectory store"},
            {"trajectories", segment.trajectories()},
            {"steps", segment.steps()},
            {"bytes", fs::file_size(file)}};
}

}  // namespace

Json inspect_file(const fs::path& file) {
    if (!fs::is_regular_file(file)) throw Error(file.string(), "a regular file", "a device or pipe");
    const std::string name = file.filename(), bytes = beginning(file);
    const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
    const auto whole = [&](const char* kind, const Json& described) {
        Json found = {{"kind", kind}};
        found.update(described);
        return found;
    };
    if (name == "tokenizer.json" || name == "tokenizer.model" || name == "spiece.model")
        return whole("tokenizer", inspect_tokenizer(folder));
    if (bytes.starts_with("\x89HDF\r\n\x1a\n")) {
        return inspect_hdf5(file);
    }
    if (bytes.starts_with("GGUF")) return inspect_model(file);
    if (file.extension() == ".safetensors") return whole("safetensors", describe_safetensors(file));
    if (file.extension() == ".json") return inspect_json(file);
    if (file.extension() == ".jsonl" || bytes.starts_with("{")) return inspect_lines(file);
    throw Error(file.string(), "a GGUF, safetensors, tokenizer, JSON, JSON Lines or store file", "something else");
}

}  // namespace craft
