#include "core/run_manifest.h"

#include "core/error.h"
#include "core/file_hash.h"
#include "core/files.h"
#include "core/input_streams.h"
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

struct Difference {
    std::string key, before, now;
};

// The first key under which `now` holds something else than `before`.
std::optional<Difference> first_difference(const Json& before, const Json& now, const std::string& prefix) {
    for (const auto& [name, value] : now.items()) {
        const std::string key = prefix.empty() ? name : prefix + "." + name;
        const auto old = before.find(name);
        if (old != before.end() && *old == value) continue;
        if (old != before.end() && old->is_object() && value.is_object()) {
            if (auto inner = first_difference(*old, value, key)) return inner;
        } else {
            return Difference{key, old == before.end() ? "nothing" : dump_line(*old), dump_line(value)};
        }
    }
    return std::nullopt;
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
    try {
        if (const auto manifest = read_manifest(folder)) return FileHashes(member(*manifest, "data_files"));
    } catch (const Error&) {  // whoever needs the manifest itself says what is wrong with it
    }
    return {};
}

Json new_manifest(const RunIdentity& identity, const fs::path& folder) {
    FileHashes known = remembered_hashes(folder);
    const Json hashes = input_hashes(identity.inputs, folder, known);
    Json compared = {identity.command, identity.options, identity.seed, hashes};
    if (!identity.facts.empty()) compared.push_back(identity.facts);
    Json manifest = {{"program", kProgramName},
                     {"format", kFormat},
                     {"command", identity.command},
                     {"command_line", identity.command_line},
                     {"configuration", identity.configuration.empty() ? identity.options : identity.configuration},
                     {"identity", hash_text(dump_line(compared))},
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
    if (!identity.facts.empty()) manifest["facts"] = identity.facts;
    return manifest;
}

void check_same_run(const fs::path& folder, const Json& before, const Json& now, const RunIdentity& identity) {
    if (member(before, "identity") == now["identity"]) return;
    const auto differs = [&](const std::string& what, const std::string& old, const std::string& given) {
        throw Error(folder.string(), "the run that is there: " + what + " " + shortened(old, 200), shortened(given, 200),
                    "give another --out, or --overwrite to start anew");
    };
    for (const char* what : {"command", "seed"})
        if (const Json old = member(before, what); old != now[what]) differs(what, dump_line(old), dump_line(now[what]));
    if (const auto other = first_difference(member(before, "configuration"), identity.options, ""))
        differs(other->key, other->before, other->now);
    if (const auto other = first_difference(member(before, "facts"), identity.facts, ""))
        differs(other->key, other->before, other->now);
    if (const auto other = first_difference(member(before, "data_hashes"), now["data_hashes"], ""))
        differs("input " + other->key, other->before, other->now + " (its content has changed)");
    differs("identity", dump_line(member(before, "identity")), dump_line(now["identity"]));
}

}  // namespace craft
