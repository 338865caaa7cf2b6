#include "eval/editeval/datasets.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "core/error.h"
#include "eval/editeval/edit_rows.h"
#include "eval/editeval/fruit.h"
#include "eval/editeval/iterater.h"
#include "eval/editeval/parallel_text.h"
#include "eval/editeval/sts.h"
#include "eval/editeval/wafer.h"
#include "eval/editeval/wnc.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

// The dev split has another name at some sources.
std::vector<std::string> spellings(const std::string& split) {
    if (split == "dev") return {"dev", "valid", "validation", "tune"};
    return {split};
}

std::vector<std::string> file_names(const std::string& before, const std::string& split,
                                    const std::vector<std::string>& endings) {
    std::vector<std::string> names;
    for (const std::string& spelling : spellings(split))
        for (const std::string& ending : endings) names.push_back(before + spelling + ending);
    return names;
}

EditRowSource source_of(const EditDataset& dataset, const std::string& split) {
    return {.dataset = dataset.name, .task = dataset.task, .split = split};
}

// A split's rows: NAME-SPLIT.jsonl, or SPLIT.jsonl in a folder NAME.
std::optional<fs::path> rows_file(const EditDataset& dataset, const DataFolder& folder, const std::string& split) {
    const auto named = folder.find(file_names(dataset.name + "-", split, {".jsonl"}));
    return named ? named : folder.find(file_names("", split, {".json", ".jsonl"}), dataset.name + "/");
}

// Of data sets whose authors publish no JSON Lines: their files, or rows.
bool read_rows_or(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                  const JsonLinesOptions& lines, bool has_files, EditItems& into) {
    const auto rows = rows_file(dataset, folder, split);
    if (rows && has_files)
        throw Error(rows->string(), "one form of " + dataset.name + "'s " + split, "its authors' files, too",
                    "remove one of them from the folder");
    if (rows) read_edit_rows(*rows, source_of(dataset, split), lines, into);
    return rows || has_files;
}

// Sources in one of several spellings; references beside them, named by what stands in the place of the sources' ending.
bool read_lines_of(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                   const std::vector<std::pair<std::string, std::string>>& endings, const std::string& before,
                   EditItems& into) {
    for (const auto& [of_sources, of_references] : endings) {
        const auto sources = folder.find(file_names(before, split, {of_sources}));
        if (!sources) continue;
        const std::string name = sources->filename().string();
        const std::string stem = name.substr(0, name.size() - of_sources.size());
        const auto references = DataFolder::numbered_beside(*sources, stem + of_references);
        if (references.empty())
            throw Error(sources->string(), "references beside it, " + stem + of_references + "0 and so on", "none");
        read_parallel_text(*sources, references, dataset.name + "-" + split, into);
        return true;
    }
    return false;
}

bool read_jfleg(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                const JsonLinesOptions& lines, EditItems& into) {
    const bool found = read_lines_of(dataset, folder, split, {{".src", ".ref"}}, "", into);
    return read_rows_or(dataset, folder, split, lines, found, into);
}

bool read_asset(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                const JsonLinesOptions& lines, EditItems& into) {
    const bool found = read_lines_of(dataset, folder, split, {{".orig", ".simp."}}, "asset.", into);
    return read_rows_or(dataset, folder, split, lines, found, into);
}

bool read_turk(const EditDataset& dataset, const DataFolder& folder, const std::string& split, const JsonLinesOptions& lines,
               EditItems& into) {
    const bool found = read_lines_of(
        dataset, folder, split,
        {{".8turkers.tok.norm", ".8turkers.tok.turk."}, {".truecase.detok.orig", ".truecase.detok.simp."}}, "", into);
    return read_rows_or(dataset, folder, split, lines, found, into);
}

// The benchmark's records of the one label, or rows of all labels.
bool read_iterater_split(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                         const JsonLinesOptions& lines, EditItems& into) {
    auto file = rows_file(dataset, folder, split);
    if (!file)
        file = folder.find(file_names("", split, {".json", ".jsonl"}), "iterater",
                           {"iterater_fluency/", "iterater_clarity/", "iterater_coherence/"});
    if (file) read_iterater(*file, source_of(dataset, split), lines, into);
    return file.has_value();
}

bool read_sts_split(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                    const JsonLinesOptions& lines, EditItems& into) {
    const auto file = folder.find(file_names("stsb-en-", split, {".csv"}));
    if (file) read_sts(*file, dataset.name + "-" + split, into);
    return read_rows_or(dataset, folder, split, lines, file.has_value(), into);
}

bool read_wnc_split(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                    const JsonLinesOptions& lines, EditItems& into) {
    const auto file = folder.find({"biased.word." + split});
    if (file) read_wnc(*file, dataset.name + "-" + split, into);
    return read_rows_or(dataset, folder, split, lines, file.has_value(), into);
}

// The gold test set is the benchmark's test, FRUIT's own test set its dev.
bool read_fruit_split(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                      const JsonLinesOptions& lines, EditItems& into) {
    std::vector<std::string> names = {split + ".jsonl", "fruit-" + split + ".jsonl"};
    if (split == "test") names.insert(names.end(), {"gold_test.jsonl", "gold_test_inputlabels.jsonl"});
    if (split == "dev") names.emplace_back("test_inputlabels.jsonl");
    if (const auto file = folder.find(names, "fruit")) {
        read_fruit(*file, source_of(dataset, split), lines, into);
        return true;
    }
    const std::string published = split == "dev" ? "test" : split == "test" ? "gold_test" : split;
    const auto records = folder.find_all(".tfrecords", "fruit");
    std::vector<fs::path> files;
    for (const fs::path& one : records)
        if (one.parent_path().filename() == published) files.push_back(one);
    if (!files.empty()) read_fruit_records(files, dataset.name + "-" + split, into);
    return !files.empty();
}

bool read_wafer_split(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                      const JsonLinesOptions& lines, EditItems& into) {
    auto file =
        folder.find({"wafer-" + split + "-kiltweb.jsonl", "wafer_insert-" + split + ".jsonl", "wafer-" + split + ".jsonl"});
    if (!file) file = folder.find({split + ".jsonl"}, "wafer_insert/");
    if (file) read_wafer(*file, source_of(dataset, split), lines, into);
    return file.has_value();
}

constexpr const char* kIteraterLayout =
    "test.json of wanyu/IteraTeR_human_sent on the Hugging Face Hub, JSON Lines, in a folder whose name holds iterater";

// WAFER's ids are its own, but begin with its name. Files without a row are as good as none.
std::vector<std::string> absent_ids_of(const EditDataset& dataset, const std::vector<std::string>& asked,
                                       const ReadDataset& read) {
    const auto holds = [](const std::vector<std::string>& list, const std::string& name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    const bool has_rows = !read.rows.items.empty() || !read.rows.dropped.empty();
    if (dataset.name == "wafer_insert") return !has_rows ? std::vector<std::string>{"wafer"} : std::vector<std::string>{};
    std::vector<std::string> names = {dataset.name};
    if (dataset.name.starts_with("iterater_")) names.emplace_back("iterater");  // its rows' own ids, of all three labels
    std::vector<std::string> begin;
    for (const std::string& name : names)
        for (const char* split : {"train", "dev", "test"})
            if (!has_rows || !holds(asked, split) || holds(read.missing_splits, split))
                begin.push_back(name + "-" + split + "-");
    return begin;
}

}  // namespace

// The counts are those of the files as their authors publish them, without empty rows, of which JFLEG has one a split on the
// Hub: the 1,503 of Table 1. How many rows of IteraTeR's labels, and of STS-B's score, are in which split is not published.
const std::vector<EditDataset>& edit_datasets() {
    using Task = EditTask;
    using Rule = EditTextRule;
    using Counts = std::map<std::string, int64_t>;
    static const std::vector<std::string> kAll = {"train", "dev", "test"}, kBoth = {"dev", "test"}, kTest = {"test"};
    static const Counts kSimplification = {{"dev", 2000}, {"test", 359}};
    static const std::vector<EditDataset> kDatasets = {
        {"jfleg", "JFL", Task::fluency, 1503, 4, Rule::detokenised, kBoth, Counts{{"dev", 754}, {"test", 747}},
         "test.src, test.ref0 to test.ref3 of github.com/keisks/jfleg, one sentence per line, or rows "
         "{\"sentence\",\"corrections\"} in jfleg/test.jsonl",
         read_jfleg},
        {"iterater_fluency", "ITR-F", Task::fluency, 942, 1, Rule::detokenised, kAll, Counts{}, kIteraterLayout,
         read_iterater_split},
        {"iterater_clarity", "ITR-L", Task::clarity, 1595, 1, Rule::detokenised, kAll, Counts{}, kIteraterLayout,
         read_iterater_split},
        {"iterater_coherence", "ITR-O", Task::coherence, 351, 1, Rule::detokenised, kAll, Counts{}, kIteraterLayout,
         read_iterater_split},
        {"stsb_multi_mt", "STS", Task::paraphrasing, 419, 1, Rule::as_given, kAll, Counts{},
         "stsb-en-test.csv of github.com/PhilipMay/stsb-multi-mt, CSV, or rows "
         "{\"sentence1\",\"sentence2\",\"similarity_score\"} in stsb_multi_mt/test.jsonl",
         read_sts_split},
        {"turk", "TRK", Task::simplification, 2359, 8, Rule::detokenised, kBoth, kSimplification,
         "test.8turkers.tok.norm and test.8turkers.tok.turk.0 to 7 of github.com/cocoxu/simplification, or "
         "test.truecase.detok.orig and .simp.0 to 7 of EASSE, one sentence per line, or rows "
         "{\"original\",\"simplifications\"} in turk/test.jsonl",
         read_turk},
        {"asset", "AST", Task::simplification, 2359, 10, Rule::as_given, kBoth, kSimplification,
         "asset.test.orig and asset.test.simp.0 to 9 of github.com/facebookresearch/asset, one sentence per line, or rows "
         "{\"original\",\"simplifications\"} in asset/test.jsonl",
         read_asset},
        {"wnc", "WNC", Task::neutralization, 1000, 1, Rule::as_given, kTest,
         Counts{{"train", 53803}, {"dev", 700}, {"test", 1000}},
         "biased.word.test of the Wiki Neutrality Corpus (github.com/rpryzant/neutralizing-bias), seven fields between tabs",
         read_wnc_split},
        {"fruit", "FRU", Task::updating, 914, 1, Rule::fruit, kTest, Counts{{"test", 914}},
         "the .tfrecords files of gs://gresearch/FRUIT/dataset/gold_test in a folder of that name, or gold_test.jsonl, made "
         "of them by FRUIT's convert_task_to_jsonl.py; below a folder whose name holds fruit",
         read_fruit_split},
        {"wafer_insert", "WFI", Task::updating, 4565, 1, Rule::wafer, kTest, Counts{{"test", 4565}},
         "wafer-test-kiltweb.jsonl of dl.fbaipublicfiles.com/wafer_insert, KILT's JSON Lines", read_wafer_split},
    };
    return kDatasets;
}

std::optional<int64_t> EditDataset::expected_count(const std::vector<std::string>& splits) const {
    const std::set<std::string> asked(splits.begin(), splits.end());
    int64_t sum = 0;
    bool is_known = !asked.empty();
    for (const std::string& split : asked) {
        const auto count = split_counts.find(split);
        is_known = is_known && count != split_counts.end();
        if (is_known) sum += count->second;
    }
    if (is_known) return sum;
    if (asked == std::set<std::string>(table_splits.begin(), table_splits.end())) return table_count;
    return std::nullopt;
}

ReadDataset read_edit_dataset(const EditDataset& dataset, const DataFolder& folder, const std::vector<std::string>& splits,
                              const JsonLinesOptions& lines) {
    ReadDataset result;
    JsonLinesOptions counted = lines;
    counted.bad_lines = &result.bad_lines;
    for (const std::string& split : splits) {
        const size_t before = result.rows.items.size();
        if (dataset.read(dataset, folder, split, counted, result.rows))
            result.split_counts[split] = static_cast<int64_t>(result.rows.items.size() - before);
        else
            result.missing_splits.push_back(split);
    }
    result.absent_ids = absent_ids_of(dataset, splits, result);
    std::unordered_set<std::string> ids;
    for (const EditItem& item : result.rows.items)
        if (!ids.insert(item.id).second) throw Error(dataset.name + ": id '" + item.id + "'", "in one split only", "in two");
    return result;
}

int64_t references_of(const EditItems& rows) {
    return rows.references > 0 ? rows.references : rows.items.empty() ? 0 : 1;
}

}  // namespace craft
