#include "eval/editeval/datasets.h"

#include <algorithm>
#include <unordered_set>

#include "core/error.h"
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

bool read_jfleg(const EditDataset& dataset, const DataFolder& folder, const std::string& split, const JsonLinesOptions&,
                EditItems& into) {
    return read_lines_of(dataset, folder, split, {{".src", ".ref"}}, "", into);
}

bool read_asset(const EditDataset& dataset, const DataFolder& folder, const std::string& split, const JsonLinesOptions&,
                EditItems& into) {
    return read_lines_of(dataset, folder, split, {{".orig", ".simp."}}, "asset.", into);
}

bool read_turk(const EditDataset& dataset, const DataFolder& folder, const std::string& split, const JsonLinesOptions&,
               EditItems& into) {
    return read_lines_of(dataset, folder, split,
                         {{".8turkers.tok.norm", ".8turkers.tok.turk."}, {".truecase.detok.orig", ".truecase.detok.simp."}},
                         "", into);
}

bool read_iterater_split(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                         const JsonLinesOptions& lines, EditItems& into) {
    const auto file = folder.find(file_names("", split, {".json", ".jsonl"}), "iterater");
    if (file) read_iterater(*file, task_name(dataset.task), "iterater-" + split, lines, into);
    return file.has_value();
}

bool read_sts_split(const EditDataset& dataset, const DataFolder& folder, const std::string& split, const JsonLinesOptions&,
                    EditItems& into) {
    const auto file = folder.find(file_names("stsb-en-", split, {".csv"}));
    if (file) read_sts(*file, dataset.name + "-" + split, into);
    return file.has_value();
}

bool read_wnc_split(const EditDataset& dataset, const DataFolder& folder, const std::string& split, const JsonLinesOptions&,
                    EditItems& into) {
    const auto file = folder.find({"biased.word." + split});
    if (file) read_wnc(*file, dataset.name + "-" + split, into);
    return file.has_value();
}

// The gold test set is the benchmark's test, FRUIT's own test set its dev.
bool read_fruit_split(const EditDataset& dataset, const DataFolder& folder, const std::string& split,
                      const JsonLinesOptions& lines, EditItems& into) {
    std::vector<std::string> names = {split + ".jsonl"};
    if (split == "test") names = {"gold_test.jsonl", "gold_test_inputlabels.jsonl", "test.jsonl"};
    if (split == "dev") names = {"dev.jsonl", "test_inputlabels.jsonl"};
    if (const auto file = folder.find(names, "fruit")) {
        read_fruit(*file, dataset.name + "-" + split, lines, into);
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

bool read_wafer_split(const EditDataset&, const DataFolder& folder, const std::string& split, const JsonLinesOptions& lines,
                      EditItems& into) {
    const auto file =
        folder.find({"wafer-" + split + "-kiltweb.jsonl", "wafer_insert-" + split + ".jsonl", "wafer-" + split + ".jsonl"});
    if (file) read_wafer(*file, lines, into);
    return file.has_value();
}

constexpr const char* kIteraterLayout =
    "train.json, dev.json and test.json of wanyu/IteraTeR_human_sent on the Hugging Face Hub, JSON Lines, in a folder whose "
    "name holds iterater";

// WAFER's ids are its own, but begin with its name. Files without a row are as good as none.
std::vector<std::string> absent_ids_of(const EditDataset& dataset, const std::vector<std::string>& asked,
                                       const ReadDataset& read) {
    const auto holds = [](const std::vector<std::string>& list, const std::string& name) {
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    const bool has_rows = !read.rows.items.empty() || !read.rows.dropped.empty();
    if (dataset.name == "wafer_insert") return !has_rows ? std::vector<std::string>{"wafer"} : std::vector<std::string>{};
    const std::string name = dataset.name.starts_with("iterater") ? "iterater" : dataset.name;
    std::vector<std::string> begin;
    for (const char* split : {"train", "dev", "test"})
        if (!has_rows || !holds(asked, split) || holds(read.missing_splits, split))
            begin.push_back(name + "-" + split + "-");
    return begin;
}

}  // namespace

const std::vector<EditDataset>& edit_datasets() {
    using Task = EditTask;
    using Rule = EditTextRule;
    static const std::vector<std::string> kAll = {"train", "dev", "test"}, kBoth = {"dev", "test"}, kTest = {"test"};
    static const std::vector<EditDataset> kDatasets = {
        {"jfleg", "JFL", Task::fluency, 1503, 4, Rule::detokenised, kBoth,
         "dev.src, dev.ref0 to dev.ref3, test.src, test.ref0 to test.ref3 of github.com/keisks/jfleg, one sentence per line",
         read_jfleg},
        {"iterater_fluency", "ITR-F", Task::fluency, 942, 1, Rule::detokenised, kAll, kIteraterLayout, read_iterater_split},
        {"iterater_clarity", "ITR-L", Task::clarity, 1595, 1, Rule::detokenised, kAll, kIteraterLayout, read_iterater_split},
        {"iterater_coherence", "ITR-O", Task::coherence, 351, 1, Rule::detokenised, kAll, kIteraterLayout,
         read_iterater_split},
        {"stsb_multi_mt", "STS", Task::paraphrasing, 419, 1, Rule::as_given, kAll,
         "stsb-en-train.csv, stsb-en-dev.csv and stsb-en-test.csv of github.com/PhilipMay/stsb-multi-mt, CSV",
         read_sts_split},
        {"turk", "TRK", Task::simplification, 2359, 8, Rule::detokenised, kBoth,
         "tune.8turkers.tok.norm, tune.8turkers.tok.turk.0 to 7 and the same of test, of github.com/cocoxu/simplification, "
         "or tune.truecase.detok.orig and .simp.0 to 7 of EASSE, one sentence per line",
         read_turk},
        {"asset", "AST", Task::simplification, 2359, 10, Rule::as_given, kBoth,
         "asset.valid.orig, asset.valid.simp.0 to 9 and the same of test, of github.com/facebookresearch/asset, one "
         "sentence per line",
         read_asset},
        {"wnc", "WNC", Task::neutralization, 1000, 1, Rule::as_given, kTest,
         "biased.word.test of the Wiki Neutrality Corpus (github.com/rpryzant/neutralizing-bias), seven fields between tabs",
         read_wnc_split},
        {"fruit", "FRU", Task::updating, 914, 1, Rule::fruit, kTest,
         "the .tfrecords files of gs://gresearch/FRUIT/dataset/gold_test in a folder of that name, or gold_test.jsonl, made "
         "of "
         "them by FRUIT's convert_task_to_jsonl.py; below a folder whose name holds fruit",
         read_fruit_split},
        {"wafer_insert", "WFI", Task::updating, 4565, 1, Rule::wafer, kTest,
         "wafer-test-kiltweb.jsonl of dl.fbaipublicfiles.com/wafer_insert, KILT's JSON Lines", read_wafer_split},
    };
    return kDatasets;
}

ReadDataset read_edit_dataset(const EditDataset& dataset, const DataFolder& folder, const std::vector<std::string>& splits,
                              const JsonLinesOptions& lines) {
    ReadDataset result;
    JsonLinesOptions counted = lines;
    counted.bad_lines = &result.bad_lines;
    const std::vector<std::string>& asked = splits.empty() ? dataset.splits : splits;
    for (const std::string& split : asked)
        if (!dataset.read(dataset, folder, split, counted, result.rows)) result.missing_splits.push_back(split);
    result.absent_ids = absent_ids_of(dataset, asked, result);
    std::unordered_set<std::string> ids;
    for (const EditItem& item : result.rows.items)
        if (!ids.insert(item.id).second) throw Error(dataset.name + ": id '" + item.id + "'", "in one split only", "in two");
    return result;
}

int64_t references_of(const EditItems& rows) {
    return rows.reference_files > 0 ? rows.reference_files : rows.items.empty() ? 0 : 1;
}

}  // namespace craft
