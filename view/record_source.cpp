#include "view/record_source.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "core/log.h"
#include "core/run_manifest.h"
#include "core/utf8.h"
#include "data/pair_file.h"
#include "data/segment.h"
#include "data/store.h"
#include "systems/recorded/answer_cache.h"
#include "systems/recorded/cache_folder.h"
#include "systems/recorded/export_answers.h"
#include "view/natural_key.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// Rows of figures, which `inspect` and `watch` show, and lists of ids.
const std::set<std::string> kFigures = {"metrics.jsonl", "eval.jsonl", "usage.jsonl"};

bool is_answer_cache(const fs::path& path) {
    return fs::exists(path / kAnswersFile);
}

bool is_tree_file(const fs::path& file) {
    if (file.extension() != ".json") return false;
    // Trees begin with their format; whatever else is JSON, such as a tokenizer, is not read whole to learn that.
    std::string beginning(64, '\0');
    std::ifstream(file, std::ios::binary).read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    if (beginning.find("\"format\"") == std::string::npos) return false;
    try {
        return record_kind(read_json_file(file)) == RecordKind::tree;
    } catch (const Error&) {
        return false;
    }
}

void find_places(const fs::path& folder, const fs::path& top, std::vector<RecordPlace>& places) {
    std::vector<fs::path> entries;
    for (const auto& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
    std::sort(entries.begin(), entries.end(),
              [](const fs::path& a, const fs::path& b) { return natural_key(a.filename()) < natural_key(b.filename()); });
    for (const fs::path& entry : entries) {
        const std::string name = entry.filename();
        const auto add = [&] { places.push_back({entry, entry.lexically_relative(top).string()}); };
        if (name.starts_with(".") || fs::is_symlink(entry)) continue;
        if (fs::is_directory(entry)) {
            if (is_store(entry) || is_answer_cache(entry))
                add();
            else
                find_places(entry, top, places);
        } else if (fs::is_regular_file(entry)) {
            const bool is_rows = entry.extension() == ".jsonl" && !kFigures.contains(name);
            const bool is_pairs = entry.extension() == ".h5" && hdf5_format(entry.string()) == kPairFormat;
            if (is_rows || is_pairs || (name != kManifestFile && is_tree_file(entry))) add();
        }
    }
}

void each_of_pairs(const fs::path& file, const TakeRecord& take) {
    PairFileReader reader(file);
    for (int64_t i = 0; i < reader.pairs(); ++i)
        if (!take(to_json(reader.read(i)), reader.where(i))) return;
}

void each_of_segment(const fs::path& file, const TakeRecord& take) {
    SegmentReader reader(file);
    for (int64_t i = 0; i < reader.trajectories(); ++i)
        if (!take(to_json(reader.read(i)), file.string() + ": trajectory " + std::to_string(i + 1))) return;
}

void each_of_store(const fs::path& folder, const TakeRecord& take) {
    StoreReader reader(folder, /*allow_unfinished=*/true);
    if (!reader.index().finished)
        log_warning(folder.string() + ": still being written, or stopped: what is sealed is shown");
    for (int64_t i = 1; auto trajectory = reader.next(); ++i)
        if (!take(to_json(*trajectory), folder.string() + ": trajectory " + std::to_string(i))) return;
}

void each_of_answers(const fs::path& folder, const TakeRecord& take) {
    AnswerCache(folder).for_each(
        [&](const StoredAnswer& answer) {
            return take(parse_json(answer_line(answer), "answer " + answer.key), folder.string() + ": answer " + answer.key);
        },
        [&](const std::string& key) {
            log_warning("a damaged answer is skipped", {{"key", key}});
        });
}

void each_of_rows(const fs::path& file, const JsonLinesOptions& lines, const TakeRecord& take) {
    JsonLinesReader reader(file.string(), lines);
    while (const auto row = reader.next())
        if (!take(*row, reader.where())) return;
}

// A tree is one record, a list one for each of its elements.
void each_of_document(const fs::path& file, const TakeRecord& take) {
    const Json document = read_json_file(file);
    if (!document.is_array()) {
        take(document, file.string());
        return;
    }
    for (size_t i = 0; i < document.size(); ++i)
        if (!take(document[i], file.string() + ": element " + std::to_string(i + 1))) return;
}

}  // namespace

std::vector<RecordPlace> record_places(const fs::path& path) {
    if (path != "-" && !fs::exists(path)) throw Error(path.string(), "a file or folder", "nothing there");
    if (path == "-" || !fs::is_directory(path) || is_store(path) || is_answer_cache(path)) return {{path, path.string()}};
    std::vector<RecordPlace> places;
    find_places(path, path, places);
    if (places.empty())
        throw Error(path.string(), "a folder with trajectories, pairs, trees, judgements or other records", "none of them",
                    "inspect tells what a folder is");
    return places;
}

void for_each_record(const fs::path& place, const JsonLinesOptions& lines, const TakeRecord& take) {
    if (is_store(place)) return each_of_store(place, take);
    if (is_answer_cache(place)) return each_of_answers(place, take);
    if (const auto format = hdf5_format(place.string())) {
        if (*format == kPairFormat) return each_of_pairs(place, take);
        if (*format == kStoreFormat) return each_of_segment(place, take);
        throw Error(place.string(), "HDF5 of preference pairs or a segment of a trajectory store",
                    format->empty() ? "HDF5 of another program" : "'" + shortened(*format, 60) + "'");
    }
    if (place.extension() == ".json") return each_of_document(place, take);
    each_of_rows(place, lines, take);
}

}  // namespace craft
