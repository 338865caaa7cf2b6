#include "core/run_manifest.h"

#include <set>

#include "core/error.h"
#include "core/file_hash.h"
#include "core/files.h"
#include "core/input_streams.h"
#include "core/model_files.h"
#include "core/utf8.h"
#include "core/version.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr int kFormat = 1;

Json member(const Json& object, const std::string& name) {
    const auto found = object.find(name);
    return found == object.end() ? Json(nullptr) : *found;
}

Json input_hashes(const std::vector<fs::path>& inputs, const fs::path& folder, FileHashes& known) {
    Json hashes = Json::object();
    for (const auto& input : inputs) {
        make_rereadable(input);
        hashes[input.string()] = known.hash(input == "-" ? "/dev/stdin" : input, folder);
    }
    return hashes;
}

// What an option's value says, with the content of the files that it names in their places: a copy, another spelling of the
// path and stdin are as good.
class Contents {
public:
    Contents(const std::vector<fs::path>& inputs, const fs::path& folder, FileHashes& known)
        : folder_(folder), known_(known) {
        for (const fs::path& input : inputs) inputs_.insert(input.string());
    }
    Json of(const Json& value) {
        if (value.is_string()) return of_text(value.get<std::string>());
        if (!value.is_array()) return value;
        Json all = Json::array();
        for (const Json& one : value) all.push_back(of(one));
        return all;
    }

private:
    // A file may come after a kind or a name: local:MODEL+ADAPTER, NAME=FILE.
    std::string of_text(const std::string& text) {
        if (const auto whole = of_file(text)) return *whole;
        for (const char mark : {':', '='})
            if (const size_t at = text.find(mark); at != std::string::npos)
                if (const auto files = of_files(text.substr(at + 1))) return text.substr(0, at + 1) + *files;
        return text;
    }
    std::optional<std::string> of_files(const std::string& text) {
        if (auto whole = of_file(text)) return whole;
        for (size_t at = 0; (at = text.find('+', at)) != std::string::npos; ++at) {
            const auto model = of_file(text.substr(0, at)), adapter = of_file(text.substr(at + 1));
            if (model && adapter) return *model + "+" + *adapter;
        }
        return std::nullopt;
    }
    // A folder counts where the command reads it, since one may be called as a kind of system is ("rules").
    std::optional<std::string> of_file(const std::string& name) {
        if (name.empty()) return std::nullopt;
        std::error_code code;
        const std::string adapter = adapter_folder(name).string();
        const bool is_input = inputs_.contains(name);
        if (!is_input && !inputs_.contains(adapter) && !fs::is_regular_file(name, code)) return std::nullopt;
        return known_.hash(name == "-" ? "/dev/stdin" : is_input ? name : adapter, folder_);
    }
    std::set<std::string> inputs_;
    const fs::path& folder_;
    FileHashes& known_;
};

std::set<std::string> values_of(const Json& object) {
    std::set<std::string> values;
    for (const auto& [name, value] : object.items()) values.insert(value.get<std::string>());
    return values;
}

// All that two runs have to have in common.
Json compared_parts(const RunIdentity& identity, const Json& hashes, const fs::path& folder, FileHashes& known) {
    Contents contents(identity.inputs, folder, known);
    Json options = Json::object();
    for (const auto& [name, value] : identity.options.items())
        options[name] = value.is_object() && value.contains(kContentOf) ? contents.of(value[kContentOf]) : value;
    return {{"command", identity.command},
            {"options", options},
            {"facts", identity.facts},
            {"inputs", values_of(hashes)},
            {"seed", identity.seed}};
}

// The first key under which `now` holds something else than `before`.
std::optional<RunDifference> first_difference(const Json& before, const Json& now, const std::string& prefix = "") {
    for (const auto& [name, value] : now.items()) {
        const std::string key = prefix.empty() ? name : prefix + "." + name;
        const auto old = before.find(name);
        if (old != before.end() && *old == value) continue;
        if (old != before.end() && old->is_object() && value.is_object()) {
            if (auto inner = first_difference(*old, value, key)) return inner;
        } else {
            return RunDifference{key, old == before.end() ? "nothing" : dump_line(*old), dump_line(value)};
        }
    }
    for (const auto& [name, value] : before.items())
        if (!now.contains(name))
            return RunDifference{prefix.empty() ? name : prefix + "." + name, dump_line(value), "nothing"};
    return std::nullopt;
}

// Of files that stand in no option.
std::optional<RunDifference> input_difference(const Json& before, const Json& now) {
    const std::set<std::string> old = values_of(before), given = values_of(now);
    for (const auto& [path, hash] : now.items())
        if (!old.contains(hash.get<std::string>()))
            return RunDifference{"input " + path, before.contains(path) ? dump_line(before[path]) : "nothing",
                                 dump_line(hash) + (before.contains(path) ? " (its content has changed)" : "")};
    for (const auto& [path, hash] : before.items())
        if (!given.contains(hash.get<std::string>())) return RunDifference{"input " + path, dump_line(hash), "nothing"};
    return std::nullopt;
}

// With the names of the files whose hashes stand in the text.
std::string with_names(std::string text, const Json& hashes) {
    std::set<std::string> named;  // of two files with the same content the first is told of
    for (const auto& [path, hash] : hashes.items()) {
        const std::string value = hash.get<std::string>();
        const size_t at = named.insert(value).second ? text.find(value) : std::string::npos;
        if (at != std::string::npos) text.replace(at, value.size(), path + " (" + value + ")");
    }
    return text;
}

Json remembered_records(const fs::path& folder) {
    try {
        if (const auto manifest = read_manifest(folder)) return member(*manifest, "data_files");
    } catch (const Error&) {  // whoever needs the manifest itself says what is wrong with it
    }
    return nullptr;
}

}  // namespace

std::optional<Json> read_manifest(const fs::path& folder) {
    std::error_code code;
    if (!fs::exists(folder / kManifestFile, code)) return std::nullopt;
    Json manifest = read_json_file(folder / kManifestFile);
    if (!manifest.is_object() || member(manifest, "program") != kProgramName) return std::nullopt;
    if (const Json format = member(manifest, "format"); format != kFormat)
        throw Error((folder / kManifestFile).string() + ": format", std::to_string(kFormat), dump_line(format),
                    "written by another version of craft-train");
    return manifest;
}

FileHashes remembered_hashes(const fs::path& folder) {
    return FileHashes(remembered_records(folder));
}

Json new_manifest(const RunIdentity& identity, const fs::path& folder) {
    // A command beside whose output rows and a manifest are kept asks for both, and stages of an experiment read the same
    // model: it is read once.
    static Json of_this_process = Json::object();
    Json records = of_this_process;
    if (const Json remembered = folder.empty() ? Json() : remembered_records(folder); remembered.is_object())
        records.update(remembered);
    FileHashes known(records);
    const Json hashes = input_hashes(identity.inputs, folder, known);
    const Json compared = compared_parts(identity, hashes, folder, known);
    Json manifest = {{"program", kProgramName},
                     {"format", kFormat},
                     {"command", identity.command},
                     {"command_line", identity.command_line},
                     {"configuration", identity.configuration.empty() ? identity.options : identity.configuration},
                     {"identity", hash_text(dump_line(compared))},
                     {"compared", compared},
                     {"seed", identity.seed},
                     {"versions", {{kProgramName, version()}}},
                     {"data_hashes", hashes},
                     {"data_files", known.records()},
                     {"dropped", Json::object()},
                     {"notes", Json::object()},
                     {"resumes", 0},
                     {"wall_seconds", 0.0},
                     {"peak_memory_bytes", 0},
                     {"finished", false}};
    of_this_process.update(known.records());
    if (!identity.facts.empty()) manifest["facts"] = identity.facts;
    return manifest;
}

std::optional<RunDifference> run_difference(const Json& before, const Json& now) {
    if (member(before, "identity") == now["identity"]) return std::nullopt;
    const Json old = member(before, "compared");
    const Json& given = now["compared"];
    if (!old.is_object()) return RunDifference{"version of craft-train", "an older one", version()};
    const Json old_hashes = before.value("data_hashes", Json::object());
    const Json& hashes = now["data_hashes"];
    const auto whole = [&](const char* what) {
        return RunDifference{what, dump_line(member(old, what)), dump_line(given[what])};
    };
    if (member(old, "command") != given["command"]) return whole("command");
    if (auto other = first_difference(member(old, "options"), given["options"])) {
        other->before = with_names(other->before, old_hashes);
        other->now = with_names(other->now, hashes);
        return other;
    }
    if (auto other = first_difference(member(old, "facts"), given["facts"])) return other;
    if (auto other = input_difference(old_hashes, hashes)) return other;
    return whole("seed");
}

void check_same_run(const fs::path& folder, const Json& before, const Json& now) {
    if (const auto other = run_difference(before, now))
        throw Error(folder.string(), "the run that is there: " + other->what + " " + shortened(other->before, 200),
                    shortened(other->now, 200), "use the earlier value or another --out, or --overwrite to start over");
}

}  // namespace craft
