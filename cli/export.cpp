// `export`: an adapter merged into its model, or as PEFT reads it.
#include "model/export.h"

#include <unistd.h>

#include "cli/commands.h"
#include "cli/common.h"
#include "core/error.h"
#include "core/files.h"
#include "tokenizer/tokenizer.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

struct ExportOptions {
    fs::path model, adapter, out;
    bool merge = false, overwrite = false;
};

int run(int argc, const char* const* argv);

const Command kCommand = {"export", CommandGroup::use_model, "an adapter merged into its model, or as PEFT reads it",
                          "craft-train export --model share/base-model --adapter runs/sft/adapter --merge --out runs/merged",
                          run};

void bind(OptionTable& table, ExportOptions& o) {
    table.add("model", o.model, "model folder that the adapter was trained on").flag("--model").required();
    table.add("adapter", o.adapter, "adapter folder, or the run folder that holds one").flag("--adapter").required();
    table.add("out", o.out, "new folder").flag("--out").required();
    table.add("merge", o.merge, "a whole model folder with the adapter added to the weights; else the adapter by itself")
        .flag("--merge");
    table.add("overwrite", o.overwrite, "replace a model or adapter that is in --out").flag("--overwrite");
}

// A run keeps its adapter in adapter/.
fs::path adapter_folder(const fs::path& given) {
    const fs::path inside = given / "adapter";
    return !fs::exists(given / "adapter_config.json") && fs::exists(inside / "adapter_config.json") ? inside : given;
}

// A folder that is filled under a temporary name and then takes its place; without publish() it goes.
class NewFolder {
public:
    // Throws Error if there is something that may not be replaced.
    NewFolder(const ExportOptions& options) : path_(fs::absolute(options.out).lexically_normal()) {
        if (path_.filename().empty()) path_ = path_.parent_path();
        temporary_ = temporary_name(path_);
        std::error_code code;
        for (const fs::path& input : {options.model, options.adapter})
            if (fs::equivalent(input, path_, code)) throw Error(path_.string(), "a folder of its own for --out", "an input");
        if (!fs::exists(path_)) return;
        if (!fs::is_directory(path_)) throw Error(path_.string(), "a folder", "a file");
        if (fs::is_empty(path_)) return;
        const bool is_ours = fs::exists(path_ / "config.json") || fs::exists(path_ / "adapter_config.json");
        if (!is_ours || !options.overwrite)
            throw Error(path_.string(), "a new or empty folder", "one with other things in it",
                        is_ours ? "--overwrite replaces it" : "");
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
            std::error_code ignored;
            if (replaces) fs::rename(former, path_, ignored);
            throw;
        }
        if (replaces) fs::remove_all(former);
    }

private:
    fs::path path_, temporary_;
};

int run(int argc, const char* const* argv) {
    CommonOptions common;
    ExportOptions options;
    OptionTable table;
    bind(table, options);
    if (!parse_command(kCommand, table, common, argc, argv)) return 0;
    const fs::path adapter = adapter_folder(options.adapter);
    NewFolder folder(options);
    ensure_folder(folder.path());
    if (options.merge) {
        export_merged(options.model, adapter, folder.path());
        copy_tokenizer(options.model, folder.path());
    } else {
        export_adapter(options.model, adapter, folder.path());
    }
    // Which prompt a planner is asked with goes along.
    for (const fs::path& from : {options.merge ? options.model : adapter, adapter})
        if (fs::exists(from / "planner.json"))
            fs::copy_file(from / "planner.json", folder.path() / "planner.json", fs::copy_options::overwrite_existing);
    folder.publish();
    log_info(std::string("wrote the ") + (options.merge ? "merged model " : "adapter ") + options.out.string());
    return 0;
}

}  // namespace

Command export_command() {
    return kCommand;
}

}  // namespace craft
