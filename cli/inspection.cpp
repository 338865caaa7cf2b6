#include "cli/inspection.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/model_cache.h"
#include "core/run_manifest.h"
#include "data/store.h"
#include "model/chat/chat_template.h"
#include "model/decoder/describe.h"
#include "model/files/model_documents.h"
#include "systems/recorded/answer_cache.h"
#include "systems/recorded/cache_folder.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTokenizerFiles[] = {"tokenizer.json", "tokenizer.model", "spiece.model", "vocab.txt", "vocab.json"};

bool has_tokenizer(const ModelDocuments& model) {
    return std::any_of(std::begin(kTokenizerFiles), std::end(kTokenizerFiles),
                       [&](const char* name) { return model.has(name); });
}

// The shipped template that makes the same of two conversations; empty: none of them.
std::string family_of(const fs::path& folder, const ChatTemplate& own) {
    const std::vector<Message> asked = {{Role::user, "How late is it?"}, {Role::assistant, "Ten."}, {Role::user, "Thanks."}};
    const RenderOptions opened = {.generation_prompt = true};
    std::vector<Message> guided = {{Role::system, "Be brief."}};
    guided.insert(guided.end(), asked.begin(), asked.end());
    for (const std::string& name : known_chat_templates()) {
        try {
            const auto other = open_chat_template(folder, name);
            if (own.render(asked, opened) == other->render(asked, opened) && own.render(guided) == other->render(guided))
                return name;
        } catch (const Error&) {  // one of them refuses a system message, say
            continue;
        }
    }
    return "";
}

bool has_template(const fs::path& folder) {
    const ModelDocuments model(folder);
    if (fs::exists(folder / "chat_template.jinja")) return true;
    for (const char* name : {"chat_template.jinja", "chat_template.json"})
        if (model.has(name)) return true;
    const std::string name = "tokenizer_config.json";
    if (!model.has(name)) return false;
    const Json config = parse_json(model.text(name), model.where(name));
    return config.is_object() && config.contains("chat_template") && !config["chat_template"].is_null();
}

}  // namespace

Json inspect_model(const fs::path& folder) {
    const ModelDocuments documents(folder);
    const Json config = parse_json(documents.text("config.json"), documents.where("config.json"));
    Json model = {{"kind", documents.is_gguf() ? "GGUF model" : "model"}};
    if (documents.path() != folder) model["lies_in"] = documents.path().string();
    if (config.is_object() && config.contains("architectures") && config["architectures"].is_array() &&
        !config["architectures"].empty())
        model["architecture"] = config["architectures"][0];
    else if (config.is_object() && config.contains("model_type"))
        model["architecture"] = config["model_type"];
    if (is_decoder(folder)) model["decoder"] = describe_decoder(folder);
    model["weights"] = describe_weights(folder);
    if (has_tokenizer(documents)) model["tokenizer"] = inspect_tokenizer(folder);
    return model;
}

namespace {

int64_t lines_of(const fs::path& file, Json& last) {
    JsonLinesReader reader(file.string(), {.number_rows = false});  // what stands there
    int64_t count = 0;
    for (; const auto row = reader.next(); ++count) last = *row;
    return count;
}

}  // namespace

Json inspect_tokenizer(const fs::path& folder) {
    Json described = Json::object();
    const ModelDocuments model(folder);
    for (const char* name : kTokenizerFiles)
        if (!described.contains("file") && model.has(name)) described["file"] = model.is_gguf() ? "metadata" : name;
    const auto tokenizer = open_tokenizer(folder);
    described["vocabulary"] = tokenizer->vocabulary_size();
    const auto spelled = [&](const std::vector<int64_t>& ids) {
        Json all = Json::array();
        for (const int64_t id : ids) all.push_back(tokenizer->decode({id}, true) + " (" + std::to_string(id) + ")");
        return all;
    };
    described["begins_with"] = spelled(tokenizer->leading_tokens());
    described["ends_with"] = spelled(tokenizer->trailing_tokens());
    if (const int64_t end = tokenizer->end_token(); end >= 0) described["end_token"] = spelled({end})[0];
    if (!has_template(folder)) return described;
    const auto chat = open_chat_template(folder);
    const std::string family = family_of(folder, *chat);
    described["chat_template"] = family.empty() ? "its own" : family;
    if (const std::string end = chat->end_of_turn(); !end.empty()) described["end_of_turn"] = end;
    return described;
}

Json inspect_store(const fs::path& folder) {
    const StoreIndex index = read_store_index(folder);
    int64_t bytes = 0;
    for (const StoreSegment& segment : index.segments) {
        const fs::path file = folder / segment.file;
        if (!fs::exists(file)) throw Error(file.string(), "the segment that store.json names", "no such file");
        if (const std::string hash = file_hash(file); hash != segment.hash)
            throw Error(file.string(), "the file that store.json describes, " + segment.hash, hash,
                        "it was changed or damaged");
        bytes += segment.bytes;
    }
    return {{"kind", "trajectory store"},
            {"finished", index.finished},
            {"trajectories", index.trajectories()},
            {"steps", index.steps()},
            {"sealed_segments", index.segments.size()},
            {"text_bytes", bytes}};
}

namespace {

// What people do with a run of a command when it is finished; empty: many things, none of them first.
std::string next_command(const Json& manifest, const std::string& folder) {
    const auto said = [&](const char* key) {
        const Json& configuration = manifest.contains("configuration") ? manifest["configuration"] : manifest;
        return configuration.is_object() && configuration.contains(key) && configuration[key].is_string()
                   ? configuration[key].get<std::string>()
                   : std::string("MODEL");
    };
    const std::string command = manifest.value("command", ""), model = said("model");
    if (command == "trajectories" || command == "trajectories import")
        return "craft-train sft --model MODEL --data " + folder + " --out DIR";
    if (command == "sft" || command == "align" || command == "quickstart" || command == "simplify train") {
        const std::string planner =
            fs::exists(fs::path(folder) / "adapter") ? model + "+" + folder + "/adapter" : folder + "/model";
        if (command == "simplify train")
            return "craft-train simplify run --policy POLICY --model local:" + planner + " --input TEXTS --output FILE";
        return "craft-train revise --method search --planner local:" + planner + " --input INSTRUCTIONS --output FILE";
    }
    return "";
}

}  // namespace

Json inspect_run(const fs::path& folder) {
    const auto manifest = read_manifest(folder);
    if (!manifest) throw Error((folder / kManifestFile).string(), "a manifest of craft-train", "something else");
    Json run = {{"kind", "run"}};
    const auto copy = [&](const char* key) {
        if (manifest->contains(key)) run[key] = (*manifest)[key];
    };
    for (const char* key : {"command", "finished", "seed", "resumes", "wall_seconds", "peak_memory_bytes", "versions"})
        copy(key);
    if (manifest->contains("dropped") && !(*manifest)["dropped"].empty()) copy("dropped");
    for (const char* name : {"metrics.jsonl", "eval.jsonl"}) {
        if (!fs::exists(folder / name)) continue;
        Json last;
        const int64_t lines = lines_of(folder / name, last);
        run[name] = {{"lines", lines}};
        if (lines > 0) run[name]["last"] = last;
    }
    if (run.value("finished", false))
        if (const std::string next = next_command(*manifest, folder.string()); !next.empty()) run["next"] = next;
    Json holds = Json::array();
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        if (const std::string name = entry.path().filename(); name != kManifestFile && !name.starts_with("."))
            names.push_back(name);
    std::sort(names.begin(), names.end());
    run["holds"] = names;
    return run;
}

Json inspect_answers(const fs::path& folder) {
    const CacheCounts counts = AnswerCache(folder).counts();
    return {{"kind", "recorded answers"},
            {"answers", counts.answers},
            {"requests", counts.requests},
            {"asked_again", counts.asked_again},
            {"unusable", counts.unusable},
            {"of_old_form", counts.of_old_form},
            {"bytes", fs::file_size(folder / kAnswersFile)}};
}

Json inspect_path(const fs::path& path) {
    if (!fs::exists(path)) throw Error(path.string(), "a file or folder", "nothing there", download_hint(path));
    Json described = {{"path", path.string()}};
    Json found;
    if (!fs::is_directory(path))
        found = inspect_file(path);
    else if (is_store(path))
        found = inspect_store(path);
    else if (fs::exists(path / kAnswersFile))
        found = inspect_answers(path);
    else if (fs::exists(path / "adapter_config.json")) {
        found = {{"kind", "adapter"}};
        found.update(describe_adapter(path));
    } else if (ModelDocuments(path).has("config.json"))
        found = inspect_model(path);
    else if (fs::exists(path / kManifestFile))
        found = inspect_run(path);
    else if (has_tokenizer(ModelDocuments(path))) {
        found = {{"kind", "tokenizer"}};
        found.update(inspect_tokenizer(path));
    } else
        throw Error(path.string(), "a model, an adapter, a trajectory store, a run, a tokenizer or recorded answers",
                    "a folder with none of them");
    described.update(found);
    if (found["kind"] == "trajectory store" && fs::exists(path / kManifestFile)) {
        described["run"] = inspect_run(path);
        described["run"].erase("kind");
    }
    return described;
}

}  // namespace craft
