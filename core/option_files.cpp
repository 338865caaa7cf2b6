#include "core/option_files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>

#include "core/error.h"
#include "core/output_place.h"
#include "core/run_manifest.h"
#include "core/utf8.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kStandard = "-";  // stdin, or stdout

// A file that an option names.
struct NamedFile {
    const Option* option = nullptr;  // null: --config
    std::string path;
    std::string name() const { return option == nullptr ? "--config" : option->shown_name(); }
};

bool is_written(const Option& option) {
    return option.file == FileRole::output || option.file == FileRole::output_folder || option.file == FileRole::managed;
}

bool is_kept_as_it_is(const Option& option) {
    return option.file == FileRole::output || option.file == FileRole::output_folder;
}

std::vector<std::string> values_of(const Option& option) {
    const Json value = option.current();
    std::vector<std::string> values;
    for (const Json& one : value.is_array() ? value : Json::array({value}))
        if (one.is_string() && !one.get_ref<const std::string&>().empty()) values.push_back(one.get<std::string>());
    return values;
}

// A value may hold its files after a kind or a name: local:MODEL+ADAPTER, NAME=FILE. Parts that are no files do not matter.
std::vector<std::string> files_within(const std::string& value) {
    std::vector<std::string> files = {value};
    for (const char mark : {':', '='})
        if (const size_t at = value.find(mark); at != std::string::npos) files.push_back(value.substr(at + 1));
    const std::string last = files.back();
    for (size_t at = 0; (at = last.find('+', at)) != std::string::npos; ++at) {
        files.push_back(last.substr(0, at));
        files.push_back(last.substr(at + 1));
    }
    return files;
}

// What the outputs are held against.
std::vector<NamedFile> inputs_of(const OptionTable& table) {
    std::vector<NamedFile> inputs;
    for (const Option& option : table.options()) {
        if (option.file == FileRole::managed)
            for (const std::string& folder : values_of(option)) inputs.push_back({&option, folder});
        if (option.file != FileRole::input) continue;
        for (const std::string& value : values_of(option))
            for (const std::string& file : files_within(value))
                inputs.push_back({&option, file == kStandard ? "/dev/stdin" : file});
    }
    for (const fs::path& file : table.files()) inputs.push_back({nullptr, file.string()});
    return inputs;
}

// Where a path leads, whether or not a file is there yet; empty where that cannot be told.
fs::path whereabouts(const std::string& path) {
    std::error_code code;
    const fs::path place = fs::absolute(link_target(path), code);
    return code ? fs::path() : fs::weakly_canonical(place, code);
}

bool holds_nothing(const std::string& path) {
    std::error_code code;
    return fs::exists(path, code) && !fs::is_regular_file(path, code) && !fs::is_directory(path, code);
}

bool is_same_file(const std::string& a, const std::string& b) {
    if (holds_nothing(a)) return false;
    std::error_code code;
    if (fs::equivalent(a, b, code)) return true;
    const fs::path place = whereabouts(a);
    return !place.empty() && place == whereabouts(b);
}

std::string shown(const std::string& path) {
    return shortened(path, 200);
}

// A file that is there, somewhere within a folder that is read: a model's config, an adapter's weights.
bool is_file_of(const std::string& path, const std::string& folder) {
    std::error_code code;
    if (!fs::is_regular_file(path, code) || !fs::is_directory(folder, code)) return false;
    const fs::path inner = whereabouts(path), outer = whereabouts(folder);
    return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

// What is written beside an output.
std::vector<fs::path> companions(const std::string& output) {
    return {manifest_path(output), unfinished_manifest_path(output), partial_path(output)};
}

// Each of these returns a problem with an output, or "".
std::string input_problem(const NamedFile& output, const std::vector<NamedFile>& inputs) {
    const std::string path = output.path == kStandard ? "/dev/stdout" : output.path;
    for (const NamedFile& input : inputs) {
        if (input.option == output.option) continue;
        if (is_same_file(path, input.path))
            return "expected another file than " + input.name() + ", which it would overwrite, got " + shown(output.path);
        if (is_kept_as_it_is(*output.option) && is_file_of(path, input.path))
            return "expected a file that is none of those in " + input.name() + ", got " + shown(output.path);
        for (const fs::path& companion : companions(path))
            if (is_kept_as_it_is(*output.option) && is_same_file(companion.string(), input.path))
                return "what is written beside it would overwrite " + input.name() + ", got " + shown(output.path);
    }
    return "";
}

std::string output_problem(const NamedFile& output, const NamedFile& earlier) {
    const std::string &one = earlier.path, &other = output.path;
    if (one == kStandard || other == kStandard) {
        if (one == other) return "expected another file than " + earlier.name() + ", got " + other;
        return "";
    }
    if (is_same_file(one, other)) return "expected another file than " + earlier.name() + ", got " + shown(other);
    for (const fs::path& companion : companions(one))
        if (is_same_file(companion.string(), other))
            return "expected another file than what is written beside " + earlier.name() + ", got " + shown(other);
    return "";
}

bool is_own_manifest(const fs::path& file) {
    try {
        const Json manifest = read_json_file(file);
        return manifest.is_object() && manifest.value("program", "") == kProgramName;
    } catch (const std::exception&) {
        return false;
    }
}

std::string companion_problem(const NamedFile& output) {
    if (is_written_directly(output.path)) return "";
    std::error_code code;
    const std::string hint = " (move that file, or name another output)";
    if (output.option->has_manifest)
        for (const fs::path& file : {manifest_path(output.path), unfinished_manifest_path(output.path)})
            if (fs::exists(file, code) && !is_own_manifest(file))
                return "its manifest would replace " + shown(file.string()) + ", which craft-train did not write" + hint;
    const bool keeps_rows = output.option->is_resumed && output.option->file == FileRole::output;
    if (const fs::path file = partial_path(output.path); keeps_rows && fs::exists(file, code) && !are_own_rows(file))
        return "its rows would be kept in " + shown(file.string()) + ", which craft-train did not write" + hint;
    return "";
}

// The folder that would have to be written to: that of the file, or the nearest one above it that is there.
fs::path existing_folder_of(const fs::path& path) {
    std::error_code code;
    fs::path folder = fs::absolute(path, code).lexically_normal();
    if (folder.filename().empty()) folder = folder.parent_path();
    do folder = folder.parent_path();
    while (!fs::exists(folder, code) && folder != folder.root_path());
    return folder;
}

std::string writing_problem(const NamedFile& output, bool may_exist) {
    const std::string& path = output.path;
    if (!is_kept_as_it_is(*output.option) || is_written_directly(path)) return "";
    std::error_code code;
    const bool is_folder = output.option->file == FileRole::output_folder;
    const fs::path place = link_target(path);
    if (!fs::exists(path, code)) {
        const bool is_ring = fs::is_symlink(place, code);
        const bool has_folder = fs::is_directory(place.has_parent_path() ? place.parent_path() : ".", code);
        if (fs::is_symlink(path, code) && (is_folder || is_ring || !has_folder))
            return std::string("expected ") + (is_folder ? "a folder" : "a file") + ", got the link " + shown(path) +
                   ", which leads nowhere: " + shown(place.string());
    } else {
        if (fs::is_directory(path, code) != is_folder)
            return std::string("expected ") + (is_folder ? "a folder, got a file: " : "a file, got a folder: ") +
                   shown(path);
        const bool is_used = !is_folder || !fs::is_empty(path, code);
        if (is_used && !may_exist)
            return std::string("expected ") + (is_folder ? "a new or empty folder" : "a new file") + ", got " + shown(path) +
                   ", which exists (--overwrite replaces " + (is_folder ? "files in it)" : "it)");
    }
    const fs::path folder = existing_folder_of(place);
    if (!fs::is_directory(folder, code))
        return "expected a folder to write " + shown(path) + " to, got a file: " + folder.string();
    if (::access(folder.c_str(), W_OK | X_OK) != 0)
        return "expected a folder that can be written to, got " + folder.string() + ": " + std::strerror(errno);
    return "";
}

void check_stdin(OptionTable& table) {
    std::vector<std::string> readers;
    int64_t times = 0;
    for (const Option& option : table.options()) {
        if (option.file != FileRole::input) continue;
        const std::vector<std::string> values = values_of(option);
        const auto here = std::count(values.begin(), values.end(), kStandard);
        if (here > 0) readers.push_back(option.shown_name());
        times += here;
    }
    if (times < 2) return;
    std::string named;
    for (size_t i = 0; i < readers.size(); ++i)
        named += (i == 0 ? "" : i + 1 == readers.size() ? " and " : ", ") + readers[i];
    table.add_problem(named + ": only one of them can be stdin");
}

bool is_rehearsal(const OptionTable& table) {
    return std::any_of(table.options().begin(), table.options().end(),
                       [](const Option& option) { return !option.writes_outputs && option.current() == true; });
}

// Whether rows are there that a stopped command left.
bool is_continued(const OptionTable& table) {
    for (const Option& option : table.options())
        if (option.is_resumed && option.file == FileRole::output)
            for (const std::string& path : values_of(option))
                if (std::error_code code; !is_written_directly(path) && fs::exists(partial_path(path), code)) return true;
    return false;
}

}  // namespace

fs::path partial_path(const fs::path& output) {
    return output.string() + ".partial";
}

fs::path manifest_path(const fs::path& output) {
    return output.string() + ".manifest.json";
}

fs::path unfinished_manifest_path(const fs::path& output) {
    return manifest_path(partial_path(output));
}

// As PartialRows begins the file; a process that was killed may have written less than that.
bool are_own_rows(const fs::path& file) {
    constexpr std::string_view kBeginnings[] = {R"({"run":{"identity":)",
                                                R"({"of":")"};  // of today's rows, and of older ones
    std::string bytes(kBeginnings[0].size(), '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<size_t>(in.gcount()));
    const auto begins = [&](std::string_view beginning) {
        return beginning.starts_with(bytes) || bytes.starts_with(beginning);
    };
    return !in.bad() && fs::is_regular_file(file) && std::any_of(std::begin(kBeginnings), std::end(kBeginnings), begins);
}

bool has_outputs(const OptionTable& table) {
    return std::any_of(table.options().begin(), table.options().end(), is_kept_as_it_is);
}

std::vector<fs::path> input_files(const OptionTable& table) {
    std::vector<fs::path> files;
    for (const Option& option : table.options()) {
        if (option.file != FileRole::input || !option.is_identity) continue;
        const std::vector<std::string> values = values_of(option);
        for (const fs::path& file : option.files.value_or(std::vector<fs::path>(values.begin(), values.end())))
            if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
    return files;
}

void check_files(OptionTable& table, bool overwrite) {
    const std::vector<NamedFile> inputs = inputs_of(table);
    std::vector<NamedFile> outputs;
    for (const Option& option : table.options())
        if (is_written(option))
            for (const std::string& path : values_of(option)) outputs.push_back({&option, path});
    const bool rehearses = is_rehearsal(table), continues = is_continued(table);
    for (size_t i = 0; i < outputs.size(); ++i) {
        std::string problem = input_problem(outputs[i], inputs);
        for (size_t k = 0; k < i && problem.empty(); ++k) problem = output_problem(outputs[i], outputs[k]);
        if (problem.empty() && !rehearses)
            problem = writing_problem(outputs[i], overwrite || (outputs[i].option->is_resumed && continues));
        if (problem.empty() && !rehearses) problem = companion_problem(outputs[i]);
        if (!problem.empty()) table.add_problem(outputs[i].name() + ": " + problem);
    }
    check_stdin(table);
}

void make_output_folders(const OptionTable& table, std::vector<fs::path>& made) {
    if (is_rehearsal(table)) return;
    for (const Option& option : table.options()) {
        if (!is_kept_as_it_is(option)) continue;
        for (const std::string& path : values_of(option)) {
            if (is_written_directly(path)) continue;
            const fs::path folder = option.file == FileRole::output_folder ? fs::path(path) : fs::path(path).parent_path();
            std::error_code code;
            for (fs::path at = folder; !at.empty() && !fs::exists(at, code); at = at.parent_path()) made.push_back(at);
            code.clear();
            if (!folder.empty()) fs::create_directories(folder, code);
            if (code)
                throw UsageError(option.shown_name() + ": cannot create the folder " + folder.string() + ": " +
                                 code.message());
        }
    }
}

void remove_empty_folders(std::vector<fs::path> made) {
    std::sort(made.begin(), made.end(), [](const fs::path& a, const fs::path& b) {
        return a.native().size() > b.native().size();
    });                                                           // inner ones first
    for (const fs::path& folder : made) ::rmdir(folder.c_str());  // fails where something is in it
}

}  // namespace craft
