#include "view/run_watch.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>

#include "core/error.h"
#include "core/progress.h"
#include "core/run_manifest.h"
#include "view/record_fields.h"
#include "view/record_parts.h"
#include "view/sparkline.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr int64_t kMostAtOnce = int64_t{64} << 20;  // of a file that is read
constexpr int64_t kEndOfSamples = int64_t{1} << 20;
constexpr size_t kMostStages = 20;
constexpr double kSilence = 300;  // seconds

// Files in which a round's samples grow.
const std::set<std::string> kSampleFiles = {"rows.partial", "responses.jsonl", "histories.jsonl"};

double seconds_of(fs::file_time_type::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

std::string bytes_text(double bytes) {
    return bytes >= 1e9 ? shown_number(std::round(bytes / 1e7) / 100) + " GB"
                        : shown_number(std::round(bytes / 1e6)) + " MB";
}

// The last whole line of a file that grows.
std::string last_line(const fs::path& file) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    const auto size = static_cast<int64_t>(in.tellg());
    if (!in || size <= 0) return "";
    const int64_t from = std::max<int64_t>(0, size - kEndOfSamples);
    std::string bytes(static_cast<size_t>(size - from), '\0');
    in.seekg(from);
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const size_t end = bytes.rfind('\n');
    if (end == std::string::npos || end == 0) return "";
    const size_t begin = bytes.rfind('\n', end - 1);
    if (begin == std::string::npos && from > 0) return "";
    return bytes.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin == std::string::npos ? 0 : begin + 1));
}

std::optional<Json> parsed_object(const std::string& line) {
    Json row = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!row.is_object()) return std::nullopt;
    return row;
}

// The first response in a row of samples, however deep it lies.
std::optional<std::string> response_in(const Json& value, int depth = 0) {
    if (depth > 6) return std::nullopt;
    if (value.is_object()) {
        if (const auto found = value.find("response"); found != value.end() && found->is_string())
            return found->get<std::string>();
    }
    if (value.is_structured())
        for (const Json& inner : value)
            if (const auto found = response_in(inner, depth + 1)) return found;
    return std::nullopt;
}

}  // namespace

RunWatch::RunWatch(fs::path folder) : folder_(std::move(folder)), changed_(fs::file_time_type::min()) {
    if (!fs::is_directory(folder_))
        throw Error(folder_.string(), "the folder of a run", fs::exists(folder_) ? "a file" : "nothing there");
    look();
}

void RunWatch::look_for_files() {
    std::error_code gone;  // a run removes files while it is looked at
    fs::file_time_type newest = fs::file_time_type::min();
    for (auto entry = fs::recursive_directory_iterator(folder_, gone); !gone && entry != fs::recursive_directory_iterator();
         entry.increment(gone)) {
        const std::string name = entry->path().filename();
        if (!entry->is_regular_file(gone) || gone) {
            gone.clear();
            continue;
        }
        const fs::file_time_type changed = entry->last_write_time(gone);
        if (gone) {
            gone.clear();
            continue;
        }
        changed_ = std::max(changed_, changed);
        if (name == "metrics.jsonl") series_[entry->path().lexically_relative(folder_).string()].changed = changed;
        if (kSampleFiles.contains(name) && changed > newest) {
            newest = changed;
            samples_ = entry->path();
        }
    }
}

void RunWatch::read_more(const fs::path& file, Series& series) {
    std::ifstream in(file, std::ios::binary | std::ios::ate);
    const auto size = static_cast<int64_t>(in.tellg());
    if (!in) return;
    if (size < series.read) {  // a resumed run cuts off what it makes again
        const fs::file_time_type changed = series.changed;
        series = {};
        series.changed = changed;
    }
    std::string bytes(static_cast<size_t>(std::min(size - series.read, kMostAtOnce)), '\0');
    in.seekg(series.read);
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const size_t end = bytes.rfind('\n');
    if (end == std::string::npos) return;
    double seconds = 0, steps = 0;
    for (size_t at = 0; at <= end;) {
        const size_t next = bytes.find('\n', at);
        const auto row = parsed_object(bytes.substr(at, next - at));
        at = next + 1;
        if (!row) {
            ++series.bad;
            continue;
        }
        ++series.rows;
        RecordFields fields(*row);
        if (const auto loss = fields.number("loss")) series.losses.push_back(*loss);
        if (const auto reward = fields.number("reward")) series.rewards.push_back(*reward);
        if (const auto took = fields.number("seconds")) {
            seconds += *took;
            ++steps;
        }
        series.last = *row;
        if (!row->contains("loss")) {
            series.stages.push_back(*row);
            if (series.stages.size() > kMostStages) series.stages.erase(series.stages.begin());
        }
    }
    if (steps > 0)
        series.seconds_a_step = series.seconds_a_step > 0 ? (series.seconds_a_step + seconds / steps) / 2 : seconds / steps;
    series.read += static_cast<int64_t>(end + 1);
}

void RunWatch::read_manifest_again() {
    try {
        if (auto manifest = read_manifest(folder_)) manifest_ = std::move(*manifest);
    } catch (const Error&) {  // of another version, say: what is not read is not told
        return;
    }
    RecordFields fields(manifest_);
    const Json& finished = fields.any("finished");
    finished_ = finished.is_boolean() && finished.get<bool>();
}

void RunWatch::look() {
    look_for_files();
    for (auto& [name, series] : series_) read_more(folder_ / name, series);
    read_manifest_again();
}

void RunWatch::write_training(PageWriter& page, const std::string& name, const Series& series, size_t columns) const {
    RecordFields last(series.last);
    const auto step = last.number("step"), steps = last.number("of_steps"), loss = last.number("loss");
    std::string place = "step " + shown_number(step.value_or(0));
    if (steps) {
        const double left = std::max(0.0, *steps - step.value_or(0));
        place += " of " + shown_number(*steps);
        if (left > 0) place += ", " + readable_duration(left * series.seconds_a_step) + " left";
    }
    page.title(name, {{"  " + place, Tone::plain}});
    page.shift(2);
    const auto curve = [&](const char* label, double value, const std::vector<double>& values) {
        page.line({{std::string(label) + ": ", Tone::label},
                   {shown_number(value) + "  " + sparkline(values, columns), Tone::plain}});
    };
    if (loss) curve("loss", *loss, series.losses);
    if (const auto reward = last.number("reward")) curve("reward", *reward, series.rewards);
    std::string rest;
    const auto add = [&](const char* label, const char* field) {
        if (const auto value = last.number(field)) {
            char text[40];
            std::snprintf(text, sizeof text, "%.4g", *value);
            rest += (rest.empty() ? "" : "  ") + std::string(label) + " " + text;
        }
    };
    add("margin", "margin");
    add("accuracy", "accuracy");
    add("entropy", "entropy");
    add("kl", "kl");
    add("gradient", "grad_norm");
    add("rate", "lr");
    add("tokens/s", "tokens_per_second");
    for (const char* field : {"peak_memory_bytes", "peak_gpu_memory_bytes"})
        if (const auto bytes = last.number(field))
            rest += std::string(field).find("gpu") != std::string::npos ? "  GPU " + bytes_text(*bytes)
                                                                        : "  memory " + bytes_text(*bytes);
    if (!rest.empty()) page.line({{rest, Tone::plain}}, 2);
    if (series.bad > 0) page.line({{std::to_string(series.bad) + " lines are no JSON objects", Tone::bad}});
    page.shift(-2);
}

void RunWatch::write_stages(PageWriter& page, const Series& series) const {
    for (const Json& stage : series.stages) {
        RecordFields row(stage);
        std::string figures;
        for (const char* name : {"tool_f1", "constraint_f1", "exact_match", "s_c", "s_r", "s_a", "pairs", "seconds"})
            if (const auto value = row.number(name)) figures += "  " + std::string(name) + " " + shown_number(*value);
        page.title(row.text("name").value_or("stage"),
                   {{figures.empty() ? "  " + shown_numbers(stage) : figures, Tone::plain}});
    }
}

void RunWatch::write_last_sample(PageWriter& page) const {
    if (samples_.empty()) return;
    const auto row = parsed_object(last_line(samples_));
    const auto response = row ? response_in(*row) : std::nullopt;
    if (!response) return;
    page.blank();
    page.title("last sample", {{"  " + samples_.lexically_relative(folder_).string(), Tone::quiet}});
    page.shift(2);
    write_response(page, *response, std::nullopt, std::nullopt);
    page.shift(-2);
}

void RunWatch::write_figures(PageWriter& page, size_t columns) const {
    // What changed last is what goes on. Of several files of stages one has those of the others, too.
    std::vector<const std::pair<const std::string, Series>*> order;
    const Series* stages = nullptr;
    for (const auto& one : series_) {
        if (!one.second.losses.empty()) order.push_back(&one);
        if (!one.second.stages.empty() && (stages == nullptr || one.second.stages.size() > stages->stages.size()))
            stages = &one.second;
    }
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->second.changed > b->second.changed; });
    for (const auto* one : order) {
        const std::string name = fs::path(one->first).parent_path().string();
        page.blank();
        write_training(page, name.empty() ? "training" : name, one->second, columns);
    }
    if (stages != nullptr) {
        page.blank();
        write_stages(page, *stages);
    }
}

DisplayPage RunWatch::figures(size_t columns) const {
    PageWriter page;
    write_figures(page, columns);
    return page.take();
}

DisplayPage RunWatch::page(fs::file_time_type now, size_t columns) const {
    PageWriter page;
    RecordFields manifest(manifest_);
    const double silent = changed_ == fs::file_time_type::min() ? 0 : std::max(0.0, seconds_of(now - changed_));
    StyledText state = {{"  " + manifest.text("command").value_or("no manifest yet"), Tone::plain}};
    if (finished_)
        state.push_back({"  finished", Tone::good});
    else if (silent > kSilence)
        state.push_back({"  no sign of life for " + readable_duration(silent), Tone::bad});
    else
        state.push_back({"  goes on, last sign of life " + readable_duration(silent) + " ago", Tone::quiet});
    page.title(folder_.string(), state);
    write_figures(page, columns);
    if (!finished_) write_last_sample(page);
    return page.take();
}

}  // namespace craft
