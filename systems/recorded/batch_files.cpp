#include "systems/recorded/batch_files.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <map>
#include <optional>

#include "systems/recorded/canonical_json.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRequests = "requests-";
constexpr const char* kAwaited = "awaited-";
constexpr const char* kSuffix = ".jsonl";

std::string part_digits(int number) {
    std::array<char, 16> digits{};
    std::snprintf(digits.data(), digits.size(), "%03d", number);
    return digits.data();
}

std::string part_name(const char* prefix, int number) {
    return prefix + part_digits(number) + kSuffix;
}

// The number of a file of this kind; none of others.
std::optional<int> part_number(const std::string& name, const std::string& prefix) {
    const std::string suffix = kSuffix;
    if (name.size() <= prefix.size() + suffix.size() || name.rfind(prefix, 0) != 0 || !name.ends_with(suffix)) return {};
    int number = 0;
    const char* last = name.data() + name.size() - suffix.size();
    const auto [end, problem] = std::from_chars(name.data() + prefix.size(), last, number);
    if (problem != std::errc() || end != last || number < 1 || part_name(prefix.c_str(), number) != name) return {};
    return number;
}

std::vector<fs::path> files_of(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code))
        if (entry.is_regular_file(code)) files.push_back(entry.path());
    if (code) throw Error(folder.string() + ": cannot read: " + code.message());
    std::sort(files.begin(), files.end());
    return files;
}

std::map<int, fs::path> numbered(const fs::path& folder, const char* prefix) {
    std::map<int, fs::path> parts;
    for (const fs::path& file : files_of(folder))
        if (const auto number = part_number(file.filename().string(), prefix)) parts[*number] = file;
    return parts;
}

}  // namespace

std::string batch_id(const std::string& key, int part) {
    return key + "-" + part_digits(part);
}

std::vector<BatchPart> batch_parts(const fs::path& folder) {
    std::vector<BatchPart> parts;
    const auto awaited = numbered(folder, kAwaited);
    for (const auto& [number, requests] : numbered(folder, kRequests)) {
        if (const auto found = awaited.find(number); found != awaited.end())
            parts.push_back({number, requests, found->second});
        else
            throw Error(requests.string(), part_name(kAwaited, number) + " beside it", "none",
                        "it says what the requests stand for: restore it, or remove the requests");
    }
    return parts;
}

std::vector<fs::path> batch_answer_files(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const fs::path& file : files_of(folder)) {
        const std::string name = file.filename().string();
        if (name.ends_with(kSuffix) && !part_number(name, kRequests) && !part_number(name, kAwaited)) files.push_back(file);
    }
    return files;
}

void read_awaited(const BatchPart& part, const std::function<void(AwaitedRequest)>& each) {
    JsonLinesOptions options;
    options.max_line_bytes = kLongestBatchLine;
    JsonLinesReader rows(part.awaited.string(), options);
    while (const auto row = rows.next()) {
        const std::string where = rows.where();
        const auto sample = row->find("sample");
        if (sample == row->end() || !sample->is_number_unsigned())
            throw Error(where + ": field 'sample'", "a whole number", sample == row->end() ? "none" : sample->dump());
        AwaitedRequest request{recorded_request(string_field(*row, "request", where), sample->get<uint64_t>()),
                               string_field(*row, "role", where), string_field(*row, "stage", where)};
        if (batch_id(request.asked.key, part.number) != string_field(*row, "custom_id", where))
            throw Error(where, "a request that belongs to its custom_id", "another one", "the file was changed");
        each(std::move(request));
    }
}

BatchWriter::BatchWriter(fs::path folder, BatchFileOptions options)
    : folder_(std::move(folder)), options_(std::move(options)) {
    for (const char* prefix : {kRequests, kAwaited})
        for (const auto& [number, file] : numbered(folder_, prefix)) number_ = std::max(number_, number);
}

void BatchWriter::add(const AwaitedRequest& request, const Json& body) {
    const RecordedRequest& asked = request.asked;
    const auto line_of = [&](int part) {
        return dump_line(
                   {{"custom_id", batch_id(asked.key, part)}, {"method", "POST"}, {"url", options_.url}, {"body", body}}) +
               "\n";
    };
    std::string line = line_of(requests_ ? number_ : number_ + 1);
    const auto bytes = static_cast<int64_t>(line.size());
    if (bytes > options_.max_bytes)
        throw Error("batch request " + asked.key, "at most " + std::to_string(options_.max_bytes) + " bytes",
                    std::to_string(bytes));
    if (requests_ && (in_part_ == options_.max_requests || bytes_ + bytes > options_.max_bytes)) {
        close_part();
        line = line_of(number_ + 1);
    }
    if (!requests_) open_part();
    requests_->write(line);
    awaited_->write(dump_line({{"custom_id", batch_id(asked.key, number_)},
                               {"role", request.role},
                               {"stage", request.stage},
                               {"sample", asked.sample},
                               {"request", asked.request}}) +
                    "\n");
    ++in_part_;
    ++all_;
    bytes_ += bytes;
}

void BatchWriter::open_part() {
    ++number_;
    requests_ = std::make_unique<OutputFile>((folder_ / part_name(kRequests, number_)).string());
    awaited_ = std::make_unique<OutputFile>((folder_ / part_name(kAwaited, number_)).string());
    in_part_ = bytes_ = 0;
}

// The requests file last: one that is there can be sent, and its answers will be known.
void BatchWriter::close_part() {
    awaited_->close();
    requests_->close();
    written_.push_back(folder_ / part_name(kRequests, number_));
    awaited_.reset();
    requests_.reset();
}

std::vector<fs::path> BatchWriter::finish() {
    if (requests_) close_part();
    return written_;
}

}  // namespace craft
