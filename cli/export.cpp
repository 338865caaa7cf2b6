// `export`: an adapter merged into its model, or as PEFT reads it; a GGUF file as a Hugging Face folder.
#include "model/decoder/export.h"

#include <unistd.h>

#include <algorithm>

#include "cli/adapter_option.h"
#include "cli/command.h"
#include "cli/common.h"
#include "core/error.h"
#include "core/files.h"
#include "core/model_files.h"
#include "model/tokenizer/tokenizer.h"
#include "systems/prompts.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

struct ExportOptions {
    fs::path model, adapter, out;
    bool merge = false;
};

int run_export(int argc, const char* const* argv);

const Command kExportCommand = {
    "export", CommandGroup::use_model, "merge an adapter, write it as PEFT reads it, or a GGUF file as a folder",
    "craft-train export --model weights/smollm2-135m-instruct.gguf --adapter runs/sft/adapter --merge --out runs/merged",
    run_export};

void bind(OptionTable& table, ExportOptions& o, CommonOptions& common) {
    bind_own_model(table, o.model,
                   "base model of the adapter; without an adapter, a GGUF file to convert to a folder in --dtype");
    bind_adapter(table, o.adapter);
    table.add("out", o.out, "new folder").flag("--out").managed().required();
    table
        .add("merge", o.merge,
             "write a full model folder with the adapter merged into the weights; otherwise the adapter alone")
        .flag("--merge");
    bind_overwrite(table, common, "replace a model or adapter that is in --out");
}

// The first thing in a folder that no export writes; empty: there is none.
std::string foreign_entry(const fs::path& folder) {
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        const bool is_weights = name.ends_with(".safetensors") || name == "model.safetensors.index.json";
        const bool is_described = is_weights || name == "adapter_config.json" || name == "planner.json" ||
                                  name == "config.json" || name == "generation_config.json";
        if (!is_described && !is_tokenizer_file(name)) return name;
    }
    return "";
}

// True if `path` is `folder` or lies in it.
bool is_within(const fs::path& path, const fs::path& folder) {
    const fs::path inner = fs::weakly_canonical(path), outer = fs::weakly_canonical(folder);
    return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

// A folder that is filled under a temporary name and then takes its place; without publish() it goes.
class NewFolder {
public:
    // Throws Error if there is something that may not be replaced.
    NewFolder(const ExportOptions& options, const fs::path& adapter, bool overwrite)
        : path_(fs::absolute(options.out).lexically_normal()) {
        if (path_.filename().empty()) path_ = path_.parent_path();
        temporary_ = temporary_name(path_);
        for (const fs::path& input : {options.model, located_model(options.model), adapter})
            if (!input.empty() && is_within(input, path_))
                throw Error(path_.string(), "a folder of its own for --out",
                            "one that is or holds the input " + input.string());
        if (!fs::exists(path_)) return;
        if (!fs::is_directory(path_)) throw Error(path_.string(), "a folder", "a file");
        if (fs::is_empty(path_)) return;
        const std::string foreign = foreign_entry(path_);
        if (!foreign.empty())
            throw Error(path_.string(), "a new folder, or one that an export wrote", "one with " + foreign);
        if (!overwrite)
            throw Error(path_.string(), "a new or empty folder", "a model or adapter", "--overwrite replaces it");
    }
    ~NewFolder() {
        std::error_code ignored;
        fs::remove_all(temporary_, ignored);
    }
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

    const fs::path& path() const { return temporary_; }
    void publish() {
        if (path_.has_parent_path()) fs::create_directories(path_.parent_path());
        fs::path former = temporary_;
        former += "-former";
        const bool replaces = fs::exists(path_);
        if (replaces) fs::rename(path_, former);
        try {
            publish_file(temporary_, path_);
        } catch (...) {
            std::error_code failed;
            if (replaces) fs::rename(former, path_, failed);
            if (failed) log_warning("what was in " + path_.string() + " is now in " + former.string());
            throw;
        }
        std::error_code failed;
        if (replaces) fs::remove_all(former, failed);
        if (failed) log_warning(former.string() + " could not be removed: " + failed.message());
    }

private:
    fs::path path_, temporary_;
};

int run_export(int argc, const char* const* argv) {
    CommonOptions common;
    ExportOptions options;
    OptionTable table;
    bind(table, options, common);
    const auto check = [&](OptionTable& t) {
        if (options.adapter.empty() && (options.merge || !is_model_file(options.model)))
            t.add_missing("--adapter is required, unless --model is a GGUF file to convert to a folder");
    };
    if (!parse_command(kExportCommand, table, common, argc, argv, check)) return 0;
    const fs::path& adapter = options.adapter;
    NewFolder folder(options, adapter, common.overwrite);
    ensure_folder(folder.path());
    if (adapter.empty()) {
        export_model(options.model, common.dtype == "bfloat16" ? at::kBFloat16 : at::kFloat, folder.path());
        copy_tokenizer(options.model, folder.path());
    } else if (options.merge) {
        export_merged(options.model, adapter, folder.path());
        copy_tokenizer(options.model, folder.path());
    } else {
        export_adapter(options.model, adapter, folder.path());
    }
    // Which prompt a planner is asked with goes along.
    for (const fs::path& from : {options.merge ? options.model : adapter, adapter})
        if (const std::string prompt = noted_prompt(from); !prompt.empty()) note_prompt(folder.path(), prompt);
    folder.publish();
    log_info(std::string("wrote the ") +
             (adapter.empty() ? "model "
              : options.merge ? "merged model "
                              : "adapter ") +
             options.out.string());
    return 0;
}

}  // namespace

Command export_command() {
    return kExportCommand;
}

}  // namespace craft
