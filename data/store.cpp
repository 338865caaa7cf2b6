#include "data/store.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/files.h"
#include "core/utf8.h"
#include "data/segment.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kIndexFile = "store.json";
constexpr int64_t kMax = int64_t{1} << 40;  // of any number in the index; sums of them stay far from overflow

std::string segment_name(size_t number) {
    std::array<char, 40> name{};
    std::snprintf(name.data(), name.size(), "segment-%06zu.h5", number);
    return name.data();
}

// Named by its size too: a part that grew does not overwrite the one that the index names.
std::string part_name(size_t number, int64_t trajectories) {
    return fs::path(segment_name(number)).stem().string() + ".part-" + std::to_string(trajectories) + ".h5";
}

bool ends_in_a_part(const StoreIndex& index) {
    return !index.segments.empty() && index.segments.back().file != segment_name(index.segments.size());
}

int64_t count_field(const Json& row, const char* name, const std::string& where) {
    const auto found = row.find(name);
    const bool fits = found != row.end() && found->is_number_unsigned() && found->get<uint64_t>() <= kMax;
    if (!fits)
        throw Error(where + ": field '" + name + "'", "a count", found == row.end() ? "none" : shortened(found->dump(), 40));
    return found->get<int64_t>();
}

StoreSegment segment_from_json(const Json& row, size_t number, bool may_be_part, const std::string& where) {
    if (!row.is_object()) throw Error(where, "an object", row.type_name());
    StoreSegment segment;
    segment.file = string_field(row, "file", where);
    segment.trajectories = count_field(row, "trajectories", where);
    if (segment.file != segment_name(number) && !(may_be_part && segment.file == part_name(number, segment.trajectories)))
        throw Error(where, segment_name(number), "'" + shortened(segment.file, 60) + "'");
    segment.steps = count_field(row, "steps", where);
    segment.bytes = count_field(row, "bytes", where);
    segment.hash = string_field(row, "hash", where);
    return segment;
}

Json to_json(const StoreIndex& index) {
    Json segments = Json::array();
    for (const StoreSegment& segment : index.segments)
        segments.push_back(Json{{"file", segment.file},
                                {"trajectories", segment.trajectories},
                                {"steps", segment.steps},
                                {"bytes", segment.bytes},
                                {"hash", segment.hash}});
    return Json{{"format", kStoreFormat},          {"version", kStoreVersion},
                {"finished", index.finished},      {"trajectories", index.trajectories()},
                {"segments", std::move(segments)}, {"progress", index.progress}};
}

constexpr const char* kDamaged = "restore it from a copy, or rewrite the store with --overwrite";

void check_whole(const fs::path& file, const StoreSegment& segment) {
    std::error_code code;
    const auto bytes = fs::file_size(file, code);
    if (code) throw Error(file.string(), "a segment of the store", code.message(), kDamaged);
    if (bytes != static_cast<uint64_t>(segment.bytes))
        throw Error(file.string(), std::to_string(segment.bytes) + " bytes", std::to_string(bytes), kDamaged);
}

}  // namespace

int64_t StoreIndex::trajectories() const {
    return std::accumulate(segments.begin(), segments.end(), int64_t{0},
                           [](int64_t sum, const StoreSegment& segment) { return sum + segment.trajectories; });
}

int64_t StoreIndex::steps() const {
    return std::accumulate(segments.begin(), segments.end(), int64_t{0},
                           [](int64_t sum, const StoreSegment& segment) { return sum + segment.steps; });
}

bool is_store(const fs::path& path) {
    std::error_code code;
    return fs::is_regular_file(path / kIndexFile, code);
}

StoreIndex read_store_index(const fs::path& folder) {
    const fs::path file = folder / kIndexFile;
    const std::string where = file.string();
    if (!is_store(folder)) throw Error(folder.string(), "a trajectory store", "no " + std::string(kIndexFile) + " there");
    const Json row = read_json_file(file);
    if (!row.is_object()) throw Error(where, "an object", row.type_name());
    if (const std::string format = string_field(row, "format", where); format != kStoreFormat)
        throw Error(where + ": field 'format'", std::string("'") + kStoreFormat + "'", "'" + shortened(format, 60) + "'");
    if (const int64_t version = count_field(row, "version", where); version != kStoreVersion)
        throw Error(where, "store version " + std::to_string(kStoreVersion), std::to_string(version),
                    "export it as JSON Lines with the program that wrote it");
    StoreIndex index;
    const auto finished = row.find("finished"), segments = row.find("segments"), progress = row.find("progress");
    if (finished == row.end() || !finished->is_boolean()) throw Error(where + ": field 'finished'", "true or false");
    if (segments == row.end() || !segments->is_array()) throw Error(where + ": field 'segments'", "a list");
    index.finished = finished->get<bool>();
    for (const Json& segment : *segments) {
        const size_t number = index.segments.size() + 1;
        const bool may_be_part = !index.finished && number == segments->size();
        index.segments.push_back(
            segment_from_json(segment, number, may_be_part, where + ": segment " + std::to_string(number)));
    }
    if (index.trajectories() != count_field(row, "trajectories", where))
        throw Error(where + ": field 'trajectories'", std::to_string(index.trajectories()) + ", the sum of the segments");
    if (progress != row.end() && progress->is_object()) index.progress = *progress;
    return index;
}

StoreWriter::StoreWriter(fs::path folder, const StoreOptions& options) : folder_(std::move(folder)), options_(options) {
    if (options_.segment_trajectories < 1 || options_.segment_bytes < 1 || options_.compression < 0 ||
        options_.compression > 9)
        throw Error("trajectory store", "segments of at least 1 trajectory and 1 byte, compression 0 to 9", "other options");
    ensure_folder(folder_);
    if (is_store(folder_)) {
        index_ = read_store_index(folder_);
        for (const StoreSegment& segment : index_.segments) check_whole(folder_ / segment.file, segment);
    }
    appended_progress_ = index_.progress;
    remove_unsealed();
    if (!is_store(folder_)) write_index();
    builder_ = std::make_unique<SegmentBuilder>();
    if (!ends_in_a_part(index_)) return;
    SegmentReader part(folder_ / index_.segments.back().file);
    for (int64_t i = 0; i < part.trajectories(); ++i) builder_->add(part.read(i));
}

StoreWriter::~StoreWriter() = default;

void StoreWriter::remove_unsealed() const {
    for (const auto& entry : fs::directory_iterator(folder_)) {
        const std::string name = entry.path().filename().string();
        const bool named = std::any_of(index_.segments.begin(), index_.segments.end(),
                                       [&](const StoreSegment& segment) { return segment.file == name; });
        const bool segment = name.rfind("segment-", 0) == 0 && name.find(".h5") != std::string::npos;
        const bool index_part = name.rfind(std::string(kIndexFile) + ".tmp-", 0) == 0;
        if (index_part || (segment && !named)) fs::remove(entry.path());
    }
}

void StoreWriter::write_index() const {
    write_json_file(folder_ / kIndexFile, to_json(index_));
}

void StoreWriter::append(const Trajectory& trajectory, const Json& progress) {
    if (index_.finished) throw Error(folder_.string(), "a store that is being written", "a finished one");
    builder_->add(trajectory);
    if (!progress.empty()) appended_progress_ = progress;
    if (builder_->trajectories() >= options_.segment_trajectories ||
        builder_->text_bytes() >= static_cast<uint64_t>(options_.segment_bytes))
        seal();
}

void StoreWriter::seal() {
    if (builder_->trajectories() == 0) return;
    write_segment(segment_name(index_.segments.size() + (ends_in_a_part(index_) ? 0 : 1)));
    *builder_ = SegmentBuilder();
}

void StoreWriter::keep() {
    const bool has_part = ends_in_a_part(index_);
    const int64_t trajectories = builder_->trajectories();
    if (trajectories > (has_part ? index_.segments.back().trajectories : 0))
        write_segment(part_name(index_.segments.size() + (has_part ? 0 : 1), trajectories));
}

// Puts the builder's trajectories into a file, in place of a part that they began as.
void StoreWriter::write_segment(const std::string& name) {
    StoreSegment segment;
    segment.file = name;
    const fs::path file = folder_ / segment.file;
    const std::string image = builder_->image(file.string(), static_cast<unsigned>(options_.compression));
    write_file_atomic(file, image);
    segment.trajectories = builder_->trajectories();
    segment.steps = builder_->steps();
    segment.bytes = static_cast<int64_t>(image.size());
    segment.hash = hash_text(image);
    const StoreIndex before = index_;
    const bool part = ends_in_a_part(index_);
    if (part) index_.segments.pop_back();
    index_.segments.push_back(std::move(segment));
    index_.progress = appended_progress_;
    try {
        write_index();
    } catch (...) {
        index_ = before;  // a later seal() writes the same segment again
        throw;
    }
    if (part) remove_unsealed();
}

void StoreWriter::finish(const Json& progress) {
    if (index_.finished) return;
    seal();
    if (!progress.empty()) index_.progress = appended_progress_ = progress;
    index_.finished = true;
    try {
        write_index();
    } catch (...) {
        index_.finished = false;
        throw;
    }
}

StoreReader::StoreReader(fs::path folder, bool allow_unfinished)
    : folder_(std::move(folder)), index_(read_store_index(folder_)) {
    if (!index_.finished && !allow_unfinished)
        throw Error(folder_.string(), "a finished trajectory store",
                    "one with " + std::to_string(size()) + " trajectories so far",
                    "rerun the command that writes it: it resumes where it stopped");
}

StoreReader::~StoreReader() = default;

void StoreReader::open_segment(size_t number) {
    if (reader_ && opened_ == number) return;
    const StoreSegment& segment = index_.segments[number];
    const fs::path file = folder_ / segment.file;
    reader_.reset();
    check_whole(file, segment);
    if (const std::string hash = file_hash(file); hash != segment.hash)
        throw Error(file.string(), "the bytes that were written (" + shortened(segment.hash, 40) + ")", hash, kDamaged);
    reader_ = std::make_unique<SegmentReader>(file);
    opened_ = number;
    if (reader_->trajectories() != segment.trajectories || reader_->steps() != segment.steps) {
        reader_.reset();
        throw Error(file.string(), "as many trajectories and steps as " + std::string(kIndexFile) + " says",
                    "other numbers");
    }
}

std::optional<Trajectory> StoreReader::next() {
    while (segment_ < index_.segments.size() && in_segment_ >= index_.segments[segment_].trajectories) {
        ++segment_;
        in_segment_ = 0;
    }
    if (segment_ >= index_.segments.size()) return std::nullopt;
    open_segment(segment_);
    return reader_->read(in_segment_++);
}

void StoreReader::seek(int64_t position) {
    if (position < 0 || position > size())
        throw Error(folder_.string(), "a position from 0 to " + std::to_string(size()), std::to_string(position));
    segment_ = 0;
    while (segment_ < index_.segments.size() && position >= index_.segments[segment_].trajectories)
        position -= index_.segments[segment_++].trajectories;
    in_segment_ = position;
}

}  // namespace craft
