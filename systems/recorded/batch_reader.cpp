#include "systems/recorded/batch_reader.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/log.h"
#include "systems/recorded/batch_answer.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr size_t kSlice = 256;  // answers that are committed together

struct Awaited {
    AwaitedRequest request;
    std::vector<int> parts;  // in which it stands
    int unusable_part = 0;   // the last one of these that had an unusable line for it; 0: none
    bool answered = false;   // usably, in the files read so far
    bool in_cache = false;
};

class Reader {
public:
    Reader(AnswerCache& cache, const BatchReaderOptions& options) : cache_(cache), options_(options) {}
    void read_parts(const fs::path& folder);
    void read_answers(const fs::path& file);
    BatchReading finish();

private:
    void take(const BatchAnswer& answer, const std::string& where);
    void take_unusable(Awaited& awaited, int part, const std::string& failure, bool was_asked);
    std::pair<Awaited*, int> find(const std::string& custom_id);
    void keep_slice();
    void look_up_rest();
    AnswerCache& cache_;
    const BatchReaderOptions& options_;
    std::unordered_map<std::string, Awaited> awaited_;
    std::unordered_set<int> answered_parts_;
    std::map<std::pair<std::string, std::string>, int64_t> unusable_;  // by key and failure
    std::vector<NewAnswer> slice_;
    std::string first_unknown_, first_twice_;
    BatchReading reading_;
};

void Reader::read_parts(const fs::path& folder) {
    for (const BatchPart& part : batch_parts(folder))
        read_awaited(part, [&](AwaitedRequest request) {
            const std::string key = request.asked.key;
            awaited_.try_emplace(key, Awaited{std::move(request), {}}).first->second.parts.push_back(part.number);
        });
    reading_.counts.requests = static_cast<int64_t>(awaited_.size());
}

void Reader::read_answers(const fs::path& file) {
    JsonLinesOptions options;
    options.max_line_bytes = kLongestBatchLine;
    JsonLinesReader rows(file.string(), options);
    try {
        while (const auto row = rows.next()) take(batch_answer(*row, rows.where()), rows.where());
    } catch (const Error& error) {
        keep_slice();
        throw Error(std::string(error.what()) +
                    " (get the file again; or remove the line, and its request will be asked for again)");
    }
    keep_slice();
}

// The request and the part of an id; null if there is none.
std::pair<Awaited*, int> Reader::find(const std::string& custom_id) {
    const auto found = awaited_.find(custom_id.substr(0, custom_id.find('-')));
    if (found == awaited_.end()) return {nullptr, 0};
    for (const int part : found->second.parts)
        if (batch_id(found->first, part) == custom_id) return {&found->second, part};
    return {nullptr, 0};
}

void Reader::take(const BatchAnswer& answer, const std::string& where) {
    const auto [found, part] = find(answer.custom_id);
    if (found == nullptr) {
        if (++reading_.counts.unknown == 1) first_unknown_ = where;
        return;
    }
    Awaited& awaited = *found;
    answered_parts_.insert(part);
    if (answer.kind != BatchAnswer::Kind::answered)
        return take_unusable(awaited, part, answer.failure, answer.kind == BatchAnswer::Kind::failed);
    Reply reply = options_.parse(answer.body);
    if (reply.status == Reply::Status::failed) return take_unusable(awaited, part, failure_name(reply.failure), true);
    if (awaited.answered) {
        if (++reading_.counts.twice == 1) first_twice_ = where;
        return;
    }
    awaited.answered = true;
    slice_.push_back({awaited.request.asked, std::move(reply), options_.model});
    if (slice_.size() == kSlice) keep_slice();
}

void Reader::take_unusable(Awaited& awaited, int part, const std::string& failure, bool was_asked) {
    ++reading_.counts.unusable[failure];
    awaited.unusable_part = std::max(awaited.unusable_part, part);
    if (was_asked) ++unusable_[{awaited.request.asked.key, failure}];
}

void Reader::keep_slice() {
    const std::vector<NewAnswer> slice = std::exchange(slice_, {});
    if (slice.empty()) return;
    const std::vector<KeptReply> kept = cache_.keep(slice);
    for (size_t i = 0; i < slice.size(); ++i) {
        ++(kept[i].first ? reading_.counts.kept : reading_.counts.known);
        if (kept[i].first && options_.on_kept) options_.on_kept(awaited_.at(slice[i].asked.key).request, slice[i].reply);
    }
}

// Requests without a usable line may have been answered otherwise.
void Reader::look_up_rest() {
    std::vector<RecordedRequest> asked;
    for (const auto& [key, awaited] : awaited_)
        if (!awaited.answered) asked.push_back(awaited.request.asked);
    const std::vector<Found> found = cache_.look_up(asked);
    for (size_t i = 0; i < asked.size(); ++i) awaited_.at(asked[i].key).in_cache = found[i].reply.has_value();
}

BatchReading Reader::finish() {
    std::vector<UnusableAnswers> unusable;
    for (const auto& [what, times] : unusable_) unusable.push_back({what.first, what.second, times});
    cache_.note_unusable(unusable);
    look_up_rest();
    BatchCounts& counts = reading_.counts;
    for (const auto& [key, awaited] : awaited_) {
        if (awaited.answered || awaited.in_cache) continue;
        if (answered_parts_.count(awaited.parts.back()) == 0) {
            reading_.open.insert(key);
            ++counts.open;
        } else if (awaited.unusable_part != awaited.parts.back()) {
            ++counts.missing;
        }
    }
    if (counts.unknown > 0)
        log_warning("answers to requests that no batch file here has",
                    {{"lines", counts.unknown}, {"first", first_unknown_}});
    if (counts.twice > 0)
        log_warning("second answers to requests; the first ones count", {{"lines", counts.twice}, {"first", first_twice_}});
    if (counts.missing > 0) log_warning("requests that a batch left unanswered", {{"requests", counts.missing}});
    return std::move(reading_);
}

}  // namespace

Json BatchCounts::to_json() const {
    return {{"requests", requests}, {"kept", kept},       {"known", known}, {"twice", twice},
            {"unknown", unknown},   {"missing", missing}, {"open", open},   {"unusable", unusable}};
}

BatchReading read_batch(const fs::path& folder, AnswerCache& cache, const BatchReaderOptions& options) {
    Reader reader(cache, options);
    reader.read_parts(folder);
    for (const fs::path& file : batch_answer_files(folder)) reader.read_answers(file);
    return reader.finish();
}

}  // namespace craft
