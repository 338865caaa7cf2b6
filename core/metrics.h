// metrics.jsonl (one object a step) and TensorBoard events under tb/, in step with each other and with checkpoints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "core/json.h"
#include "core/tensorboard.h"

namespace craft {

// Appends rows; on reopening, rows with "step" > `keep_through_step` are cut off, so that after a resume each step occurs
// once (TensorBoard's files are not cut: it is told to forget these steps). A half-written last line is cut off too. Numbers
// of each row also go to TensorBoard as scalars, tag `prefix/key` (`prefix/key/inner` for objects). One log at a time for a
// file and for a TensorBoard folder. Throws Error when a file cannot be written.
class MetricsLog {
public:
    MetricsLog(const std::filesystem::path& file, const std::filesystem::path& tensorboard_folder, const std::string& prefix,
               int64_t keep_through_step);
    ~MetricsLog();
    MetricsLog(MetricsLog&&) noexcept;
    void write(int64_t step, const Json& row);  // "step" comes first, whether row holds it or not
    void flush();                               // to disk; called before a checkpoint is published

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace craft
