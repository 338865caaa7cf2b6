#include "train/checkpoint.h"

#include <torch/types.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "core/error.h"
#include "core/files.h"
#include "core/log.h"
#include "core/rng.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const std::string kPrefix = "step-", kSuffix = ".safetensors";
const std::string kState = "state", kChecksum = "checksum";

Json header_of(const Checkpoint& checkpoint) {
    Json header = to_json(checkpoint.state);
    header["format"] = 1;
    header["fingerprint"] = checkpoint.fingerprint;
    return header;
}

std::string_view bytes_of(const at::Tensor& contiguous) {
    return {static_cast<const char*>(contiguous.const_data_ptr()), contiguous.nbytes()};
}

// Of names, shapes and bytes, in the order of the names.
int64_t checksum_of(NamedTensors tensors) {
    std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    uint64_t hash = 0;
    for (const auto& [name, tensor] : tensors) {
        hash = stable_hash(c10::str(name, tensor.scalar_type(), tensor.sizes()), hash);
        hash = stable_hash(bytes_of(tensor), hash);
    }
    return static_cast<int64_t>(hash);
}

at::Tensor bytes_tensor(const std::string& text) {
    at::Tensor bytes = at::empty({static_cast<int64_t>(text.size())}, at::kByte);
    std::memcpy(bytes.mutable_data_ptr(), text.data(), text.size());
    return bytes;
}

Checkpoint read_checkpoint(const fs::path& path) {
    const SafetensorsFile file(path);
    NamedTensors all;
    for (const auto& name : file.names())
        if (name != kChecksum) all.emplace_back(name, file.tensor(name));
    if (!file.has(kChecksum) || file.dtype(kChecksum) != at::kLong || file.tensor(kChecksum).numel() != 1 ||
        file.tensor(kChecksum).item<int64_t>() != checksum_of(all))
        throw Error(path.string(), "bytes that match the checksum", "others", "the file is damaged");
    Checkpoint checkpoint;
    for (auto& [name, tensor] : all) {
        if (name != kState) {
            checkpoint.tensors.emplace_back(name, tensor);
            continue;
        }
        const Json header = parse_json(std::string(bytes_of(tensor)), path.string());
        try {
            checkpoint.state = train_state_from_json(header);
            checkpoint.fingerprint = header.at("fingerprint").get<std::string>();
        } catch (const Json::exception& error) {
            throw Error(path.string(), "the state of a training", error.what());
        }
    }
    return checkpoint;
}

}  // namespace

Json to_json(const TrainState& s) {
    return {{"step", s.step},
            {"evaluated", s.evaluated},
            {"tokens", s.tokens},
            {"seconds", s.seconds},
            {"compute_seconds", s.compute_seconds},
            {"scores", s.scores},
            {"stopped_early", s.stopped_early},
            {"last_metrics", s.last_metrics}};
}

TrainState train_state_from_json(const Json& json) {
    TrainState s;
    s.step = json.at("step").get<int64_t>();
    s.evaluated = json.at("evaluated").get<int64_t>();
    s.tokens = json.at("tokens").get<int64_t>();
    s.seconds = json.at("seconds").get<double>();
    s.compute_seconds = json.at("compute_seconds").get<double>();
    s.scores = json.at("scores").get<std::vector<double>>();
    s.stopped_early = json.at("stopped_early").get<bool>();
    s.last_metrics = json.at("last_metrics");
    return s;
}

CheckpointFolder::CheckpointFolder(fs::path folder) : folder_(std::move(folder)) {
    ensure_folder(folder_);
    for (const auto& entry : fs::directory_iterator(folder_))
        if (entry.path().filename().string().find(".tmp-") != std::string::npos) fs::remove(entry.path());
}

fs::path CheckpointFolder::file(int64_t step) const {
    char name[32];
    std::snprintf(name, sizeof name, "%s%08lld%s", kPrefix.c_str(), static_cast<long long>(step), kSuffix.c_str());
    return folder_ / name;
}

std::vector<int64_t> CheckpointFolder::steps() const {
    std::vector<int64_t> found;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
        const std::string digits = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
        if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos) continue;
        found.push_back(std::stoll(digits));
    }
    std::sort(found.begin(), found.end());
    return found;
}

void CheckpointFolder::save(const Checkpoint& checkpoint) const {
    NamedTensors tensors;
    for (const auto& [name, tensor] : checkpoint.tensors) tensors.emplace_back(name, tensor.detach().cpu().contiguous());
    tensors.emplace_back(kState, bytes_tensor(dump_line(header_of(checkpoint))));
    const int64_t checksum = checksum_of(tensors);
    tensors.emplace_back(kChecksum, at::full({1}, checksum, at::kLong));
    write_safetensors(file(checkpoint.state.step), tensors);
}

Checkpoint CheckpointFolder::at_step(int64_t step) const {
    return read_checkpoint(file(step));
}

std::optional<Checkpoint> CheckpointFolder::newest() const {
    std::vector<int64_t> candidates = steps();
    std::vector<std::pair<fs::path, std::string>> damaged;  // with the reason
    while (!candidates.empty()) {
        try {
            Checkpoint checkpoint = at_step(candidates.back());
            for (const auto& [path, reason] : damaged) {
                log_warning("damaged checkpoint removed, resuming from step " + std::to_string(candidates.back()),
                            {{"reason", reason}});
                fs::remove(path);
            }
            return checkpoint;
        } catch (const Error& error) {
            damaged.emplace_back(file(candidates.back()), error.what());
            candidates.pop_back();
        }
    }
    if (damaged.empty()) return std::nullopt;
    throw Error(folder_.string(), "an intact checkpoint",
                std::to_string(damaged.size()) + " damaged: " + damaged.front().second,
                "remove the folder to train from the beginning");
}

void CheckpointFolder::prune(int64_t count, int64_t pinned) const {
    const std::vector<int64_t> all = steps();
    for (size_t i = 0; i + static_cast<size_t>(count) < all.size(); ++i)
        if (all[i] != pinned) fs::remove(file(all[i]));
}

}  // namespace craft
