#include "model/weights/weight_files.h"

#include <torch/types.h>

#include <algorithm>

#include "core/error.h"
#include "core/json.h"
#include "core/log.h"
#include "core/model_files.h"
#include "core/signals.h"
#include "model/files/weight_index.h"
#include "model/weights/gguf_tensors.h"
#include "model/weights/pytorch_file.h"
#include "model/weights/safetensors.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kSingleFiles = {"model.safetensors", "pytorch_model.bin"};  // the first that is there
constexpr const char* kIndexEnding = ".index.json";

std::string shape_text(const std::vector<int64_t>& shape) {
    std::string text = "shape [";
    for (size_t i = 0; i < shape.size(); ++i) text += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    return text + "]";
}

}  // namespace

WeightFiles::WeightFiles(const fs::path& model) : folder_(located_model(model)) {
    if (is_model_file(folder_)) {
        const std::string name = folder_.filename();
        files_[name] = std::make_unique<GgufTensors>(folder_);
        folder_ = folder_.parent_path();
        for (const std::string& tensor : files_[name]->names()) where_.emplace(tensor, name);
        return;
    }
    open_folder();
    // A tensor that a shard holds and the index does not name is one too many: expect_no_others tells it.
    for (const auto& [file, tensors] : files_)
        for (const std::string& name : tensors->names()) where_.emplace(name, file);
}

bool has_weights(const fs::path& model) {
    if (is_model_file(model)) return true;
    return std::any_of(kSingleFiles.begin(), kSingleFiles.end(), [&](const std::string& single) {
        return fs::exists(model / single) || fs::exists(model / (single + kIndexEnding));
    });
}

void WeightFiles::open_folder() {
    for (const std::string& single : kSingleFiles) {
        const fs::path index = folder_ / (single + kIndexEnding);
        if (fs::exists(folder_ / single)) return open(single);
        if (fs::exists(index)) return read_index(index);
    }
    throw Error(folder_.string(), "model.safetensors or model.safetensors.index.json", "neither",
                "pytorch_model.bin, or its index, would be read too");
}

void WeightFiles::open(const std::string& file) {
    if (files_.count(file) > 0) return;
    if (file.ends_with(".bin"))
        files_[file] = std::make_unique<PytorchFile>(folder_ / file);
    else
        files_[file] = std::make_unique<SafetensorsFile>(folder_ / file);
}

void WeightFiles::read_index(const fs::path& index) {
    index_ = index.filename();
    for (const auto& [name, file] : parse_weight_index(read_json_file(index), index.string())) {
        std::error_code unusable;  // a name that is too long
        if (!fs::exists(folder_ / file, unusable))
            throw Error(index.string(), "the file '" + file + "' with tensor '" + name + "'", "no such file",
                        "the download is not complete");
        open(file);
        if (!files_.at(file)->has(name))
            throw Error((folder_ / file).string(), "a tensor '" + name + "', as " + index.filename().string() + " says",
                        "none of that name");
        where_[name] = file;
    }
}

const TensorFile& WeightFiles::file_of(const std::string& name) const {
    const auto found = where_.find(name);
    if (found == where_.end()) {
        const fs::path told_by = index_.empty() ? files_.begin()->first : index_;
        throw Error((folder_ / told_by).string(), "a tensor '" + name + "'", "none of that name");
    }
    return *files_.at(found->second);
}

std::string WeightFiles::place_of(const std::string& name) const {
    const auto found = where_.find(name);
    return (found == where_.end() ? folder_ : folder_ / found->second).string() + ": tensor '" + name + "'";
}

const std::vector<int64_t>& WeightFiles::shape(const std::string& name) const {
    return file_of(name).shape(name);
}

at::ScalarType WeightFiles::dtype(const std::string& name) const {
    return file_of(name).dtype(name);
}

std::vector<std::string> WeightFiles::names() const {
    std::vector<std::string> all;
    for (const auto& [name, file] : where_) all.push_back(name);
    return all;
}

void WeightFiles::expect(const std::string& name, const std::vector<int64_t>& shape) {
    const TensorFile& file = file_of(name);
    if (file.shape(name) != shape)
        throw Error(place_of(name), shape_text(shape), shape_text(file.shape(name)), "config.json has other sizes");
    if (!c10::isFloatingType(file.dtype(name)))
        throw Error(place_of(name), "float32, bfloat16 or float16", c10::toString(file.dtype(name)),
                    "weights in integers are not supported");
    expected_.insert(name);
}

void WeightFiles::expect_stored(const std::string& name) {
    file_of(name);
    expected_.insert(name);
}

bool WeightFiles::are_neighbours(const std::vector<std::string>& names, at::ScalarType dtype) const {
    const TensorFile& file = file_of(names.front());
    for (const std::string& name : names)
        if (&file_of(name) != &file || file.dtype(name) != dtype) return false;
    return file.are_neighbours(names);
}

at::Tensor WeightFiles::mapped(const std::vector<std::string>& names) const {
    at::Tensor weights = file_of(names.front()).mapped(names);
    bytes_read_ += weights.nbytes();
    return weights;
}

at::Tensor WeightFiles::stored(const std::string& name) const {
    const at::Tensor copy = file_of(name).view(name).clone();
    finish_reading(name);
    return copy;
}

QuantizedWeight WeightFiles::blocks(const std::string& name) const {
    QuantizedWeight kept = file_of(name).blocks(name);
    finish_reading(name);
    return kept;
}

void WeightFiles::finish_reading(const std::string& name) const {
    const TensorFile& file = file_of(name);
    file.release(name);
    bytes_read_ += file.bytes(name);
}

void WeightFiles::log_bytes_read() const {
    upload_.reset();  // waits: the time of the last bytes counts
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - opened_;
    log_debug(folder_.string() + ": weights read", {{"bytes", bytes_read_}, {"seconds", seconds.count()}});
}

void WeightFiles::with_view(const std::string& name, bool transposed,
                            const std::function<void(const at::Tensor&)>& f) const {
    const TensorFile& file = file_of(name);
    const at::NoGradGuard no_gradients;
    f(transposed ? file.view(name).t() : file.view(name));
    finish_reading(name);
}

void WeightFiles::read_into(const std::string& name, const at::Tensor& to, bool transposed) const {
    if (!to.is_cpu() && !upload_) upload_ = std::make_unique<DeviceUpload>(to.device());
    const TensorFile& file = file_of(name);
    const at::NoGradGuard no_gradients;
    const at::Tensor whole = transposed ? to.t() : to;
    file.for_each_part(name, [&](const at::Tensor& rows, int64_t first) {
        throw_if_stopped();
        const at::Tensor part = whole.dim() == 0 ? whole : whole.narrow(0, first, rows.size(0));
        if (to.is_cpu())
            part.copy_(rows);
        else
            upload_->copy(transposed ? rows.t() : rows, transposed ? part.t() : part);
    });
    finish_reading(name);
}

void WeightFiles::for_each_part(const std::string& name, const std::function<void(const at::Tensor& rows)>& f) const {
    file_of(name).for_each_part(name, [&](const at::Tensor& rows, int64_t) {
        throw_if_stopped();
        f(rows);
    });
    finish_reading(name);
}

bool WeightFiles::equal(const std::string& one, const std::string& other) const {
    const at::Tensor a = file_of(one).view(one), b = file_of(other).view(other);
    return a.scalar_type() == b.scalar_type() && at::equal(a, b);
}

void WeightFiles::expect_no_others(const std::vector<std::string>& ignored, const std::string& owner) const {
    std::vector<std::string> left_out;
    for (const auto& [name, file] : where_) {
        if (expected_.count(name) > 0) continue;
        const auto ends = [&tensor = name](const std::string& ending) { return tensor.ends_with(ending); };
        if (!std::any_of(ignored.begin(), ignored.end(), ends))
            throw Error((folder_ / file).string(), "the tensors of " + owner, "'" + name + "' besides",
                        "config.json describes another model");
        left_out.push_back(name);
    }
    if (!left_out.empty()) log_debug(folder_.string() + ": tensors that are not needed", {{"tensors", left_out}});
}

}  // namespace craft
