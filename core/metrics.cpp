#include "core/metrics.h"

#include "core/append_file.h"
#include "core/log.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Whether a row of an older process stays.
bool keeps(const std::string& line, int64_t keep_through_step, const std::string& where) {
    const Json row = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!row.is_object()) {
        log_warning("dropped a line that is not a metrics row", {{"where", where}});
        return false;
    }
    const auto step = row.find("step");
    return step == row.end() || !step->is_number_integer() || step->get<int64_t>() <= keep_through_step;
}

void cut_metrics(const fs::path& file, int64_t keep_through_step) {
    std::error_code code;
    if (!fs::is_regular_file(file, code)) return;  // none yet, or a device, which holds nothing to cut
    const std::string old = read_file(file);
    std::string kept;
    int64_t line_number = 0;
    for (size_t at = 0; at < old.size();) {
        const size_t newline = old.find('\n', at);
        if (newline == std::string::npos) break;  // half-written
        const std::string line = old.substr(at, newline - at);
        if (keeps(line, keep_through_step, file.string() + ":" + std::to_string(++line_number))) kept += line + "\n";
        at = newline + 1;
    }
    if (kept != old) write_file_atomic(file, kept);
}

}  // namespace

struct MetricsLog::Impl {
    AppendFile file;
    TensorBoardWriter tensorboard;
    std::string prefix;

    void scalars(const std::string& tag, const Json& value, int64_t step) {
        if (value.is_number()) tensorboard.scalar(tag, value.get<double>(), step);
        if (!value.is_object()) return;
        for (const auto& [key, item] : value.items()) scalars(tag.empty() ? key : tag + "/" + key, item, step);
    }
};

MetricsLog::MetricsLog(const fs::path& file, const fs::path& tensorboard_folder, const std::string& prefix,
                       int64_t keep_through_step) {
    cut_metrics(file, keep_through_step);
    impl_.reset(new Impl{AppendFile(file), TensorBoardWriter(tensorboard_folder, keep_through_step + 1), prefix});
}

MetricsLog::~MetricsLog() = default;
MetricsLog::MetricsLog(MetricsLog&&) noexcept = default;

void MetricsLog::write(int64_t step, const Json& row) {
    Json whole = {{"step", step}};
    for (const auto& [key, value] : row.items())
        if (key != "step") whole[key] = value;
    impl_->file.write(dump_line(whole) + "\n");
    whole.erase("step");
    impl_->scalars(impl_->prefix, whole, step);
}

void MetricsLog::flush() {
    impl_->file.sync();
    impl_->tensorboard.flush();
}

}  // namespace craft
