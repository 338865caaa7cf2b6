#include "systems/recorded/batch_reader.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/log.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr size_t kSlice = 256;  // answers that are committed together

struct Awaited {
    AwaitedRequest request;
    std::vector<int> parts = {};             // in which it stands
    std::map<int, FileReply> unusable = {};  // by part, of those that had an unusable line for it
    bool answered = false;                   // usably, in the files read so far
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
    void take_unusable(Awaited& awaited, int part, FileReply read, const std::string& unasked);
    int64_t tries_of(const Awaited& awaited, FileReply::Next next) const;
    void warn_once(const std::string& kind, const std::string& text, const Json& details);
    std::pair<Awaited*, int> find(const std::string& custom_id);
    void keep_slice();
    void look_up_rest();
    void conclude(const std::string& key, const Awaited& awaited);
    void warn_of_lines() const;
    void warn_of_unusable() const;
    AnswerCache& cache_;
    const BatchReaderOptions& options_;
    std::unordered_map<std::string, Awaited> awaited_;
    std::unordered_set<int> answered_parts_;
    std::map<std::pair<std::string, std::string>, int64_t> unusable_;  // by key and failure
    std::vector<NewAnswer> slice_;
    std::map<std::string, std::string> first_errors_;  // of unusable lines, by their kind
    int64_t asked_again_ = 0, max_tries_ = 0;          // requests that are written once more, and how often one was
    int64_t given_up_ = 0;                             // requests that had all their tries
    std::set<std::string> warned_;                     // kinds
    std::string first_unknown_, first_twice_;
    BatchReading reading_;
};

void Reader::read_parts(const fs::path& folder) {
    for (const BatchPart& part : batch_parts(folder))
        read_awaited(part, [&](AwaitedRequest request) {
            const std::string key = request.asked.key;
            awaited_.try_emplace(key, Awaited{std::move(request)}).first->second.parts.push_back(part.number);
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
        throw Error(std::string(error.what()) + " (fetch the file again; or remove the line to repeat its request)");
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
    answered_parts_.insert(part);
    FileReply read = options_.read(answer, found->request.asked);
    if (!read.warning.empty()) warn_once("warning", read.warning, {{"first", where}});
    if (!is_kept(read.reply, read.limit)) return take_unusable(*found, part, std::move(read), answer.unasked);
    if (found->answered) {
        if (++reading_.counts.twice == 1) first_twice_ = where;
        return;
    }
    found->answered = true;
    slice_.push_back({found->request.asked, std::move(read.reply), options_.model});
    if (slice_.size() == kSlice) keep_slice();
}

void Reader::take_unusable(Awaited& awaited, int part, FileReply read, const std::string& unasked) {
    const bool is_failed = read.reply.status == Reply::Status::failed;
    const std::string kind = !unasked.empty() ? unasked : is_failed ? failure_name(read.reply.failure) : "cut";
    ++reading_.counts.unusable[kind];
    if (unasked.empty()) ++unusable_[{awaited.request.asked.key, kind}];  // no sample was drawn otherwise
    if (is_failed) first_errors_.try_emplace(kind, read.reply.error);
    if (read.next == FileReply::Next::learn) {
        warn_once("learnt",
                  options_.model + ": the server takes no max_tokens; requests use max_completion_tokens from now on",
                  Json::object());
        reading_.learnt = true;
    }
    read.reply.recorded = true;
    awaited.unusable.insert_or_assign(part, std::move(read));
}

void Reader::warn_once(const std::string& kind, const std::string& text, const Json& details) {
    if (warned_.insert(kind).second) log_warning(text, details);
}

void Reader::keep_slice() {
    const std::vector<NewAnswer> slice = std::exchange(slice_, {});
    if (slice.empty()) return;
    const std::vector<RecordedReply> kept = cache_.keep(slice);
    for (size_t i = 0; i < slice.size(); ++i) {
        ++(kept[i].first ? reading_.counts.kept : reading_.counts.known);
        if (kept[i].first && options_.on_recorded)
            options_.on_recorded(awaited_.at(slice[i].asked.key).request, slice[i].reply);
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

// How many parts have asked for it and brought a line that leads to `next`, or none, which is a failure like any that may be
// asked again.
int64_t Reader::tries_of(const Awaited& awaited, FileReply::Next next) const {
    return std::count_if(awaited.parts.begin(), awaited.parts.end(), [&](int part) {
        if (answered_parts_.count(part) == 0) return false;
        const auto found = awaited.unusable.find(part);
        return (found == awaited.unusable.end() ? FileReply::Next::again : found->second.next) == next;
    });
}

// What becomes of a request without an answer that is kept: it is awaited, rewritten, or has an outcome.
void Reader::conclude(const std::string& key, const Awaited& awaited) {
    BatchCounts& counts = reading_.counts;
    const int last = awaited.parts.back();
    if (answered_parts_.count(last) == 0) {
        reading_.open.insert(key);
        ++counts.open;
        return;
    }
    using Next = FileReply::Next;
    FileReply outcome;
    if (const auto found = awaited.unusable.find(last); found != awaited.unusable.end()) {
        outcome = found->second;
    } else {
        ++counts.missing;
        outcome.reply = Reply::failed(Failure::dropped, "the batch's files have no line for it");
        outcome.reply.recorded = true;
        outcome.next = Next::again;
    }
    const int64_t tries = tries_of(awaited, outcome.next);
    if (outcome.next == Next::learn) {
        if (tries == 1) return;
        outcome.next = Next::end_run;  // it has been asked by both names
    } else if (outcome.next == Next::again) {
        if (tries <= options_.max_retries) {
            ++asked_again_;
            max_tries_ = std::max(max_tries_, tries);
            return;
        }
        ++given_up_;
        outcome.next = Next::end;
    }
    if (outcome.next == Next::end) ++counts.ended;
    reading_.outcomes.emplace(key, std::move(outcome));
}

void Reader::warn_of_lines() const {
    const BatchCounts& counts = reading_.counts;
    if (counts.unknown > 0)
        log_warning("answers to requests that no batch file here has",
                    {{"lines", counts.unknown}, {"first", first_unknown_}});
    if (counts.twice > 0)
        log_warning("second answers to requests; the first ones count", {{"lines", counts.twice}, {"first", first_twice_}});
    if (counts.missing > 0)
        log_warning("requests that a batch left unanswered: are its output and its error file both here?",
                    {{"requests", counts.missing}});
}

// The first of each kind says why, since counts have the name of the kind alone. Who gives the same command again and again
// sees how often the same was asked, and when that ends.
void Reader::warn_of_unusable() const {
    for (const auto& [kind, error] : first_errors_) {
        const char* const hint = kind == "expired"     ? "; smaller files, or a longer window, leave time for all"
                                 : kind == "cancelled" ? "; let a batch run to its end"
                                                       : "";
        log_warning(options_.model + ": no answer to requests" + hint,
                    {{"class", kind}, {"lines", reading_.counts.unusable.at(kind)}, {"error", error}});
    }
    if (asked_again_ > 0)
        log_warning(options_.model + ": failed requests of these files will be repeated",
                    {{"requests", asked_again_}, {"asked", max_tries_}, {"at_most", options_.max_retries + 1}});
    if (given_up_ > 0)
        log_warning(options_.model + ": requests are out of retries: a larger retries.max_retries repeats them",
                    {{"requests", given_up_}, {"at_most", options_.max_retries + 1}});
}

BatchReading Reader::finish() {
    std::vector<UnusableAnswers> unusable;
    for (const auto& [what, times] : unusable_) unusable.push_back({what.first, what.second, times});
    cache_.note_unusable(unusable);
    look_up_rest();
    for (const auto& [key, awaited] : awaited_)
        if (!awaited.answered && !awaited.in_cache) conclude(key, awaited);
    warn_of_lines();
    warn_of_unusable();
    return std::move(reading_);
}

}  // namespace

Json BatchCounts::to_json() const {
    return {{"requests", requests}, {"kept", kept},   {"known", known}, {"twice", twice},      {"unknown", unknown},
            {"missing", missing},   {"ended", ended}, {"open", open},   {"unusable", unusable}};
}

BatchReading read_batch(const fs::path& folder, AnswerCache& cache, const BatchReaderOptions& options) {
    Reader reader(cache, options);
    reader.read_parts(folder);
    for (const fs::path& file : batch_answer_files(folder)) reader.read_answers(file);
    return reader.finish();
}

}  // namespace craft
