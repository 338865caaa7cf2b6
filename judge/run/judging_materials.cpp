#include "judge/run/judging_materials.h"

#include <mutex>
#include <vector>

#include "core/error.h"
#include "core/files.h"
#include "core/rows.h"
#include "core/weights_folder.h"
#include "data/candidates.h"
#include "english/constituents.h"
#include "english/dictionary/english_dictionary.h"
#include "judge/scorers/perplexity.h"
#include "judge/scorers/transport_aligner.h"
#include "text/sentences.h"

namespace craft {

namespace {

// Each source with each of its candidates.
std::vector<WordPair> candidate_pairs(const std::filesystem::path& file) {
    std::vector<WordPair> pairs;
    for_each_row(file.string(), {}, [&](const Json& row, const std::string& where) {
        const CandidateGroup group = candidate_group_from_json(row, where);
        for (const Candidate& candidate : group.candidates) pairs.emplace_back(group.source, candidate.text);
    });
    return pairs;
}

}  // namespace

std::unique_ptr<WordAligner> open_word_alignment(const WordAlignmentSettings& settings, const PlacementOptions& placing) {
    if (settings.encoder.empty()) return nullptr;
    const Placement place = open_placement(placing);
    auto aligner = open_word_aligner(settings.encoder, settings.options, place.dtype, place.device);
    if (!settings.centre_from.empty()) aligner->set_mean(aligner->mean_of(candidate_pairs(settings.centre_from)));
    return aligner;
}

Json word_alignment_record(const WordAlignmentSettings& settings) {
    if (settings.encoder.empty()) return nullptr;
    const WordAlignerOptions& o = settings.options;
    Json centre = nullptr;
    if (o.centred) centre = settings.centre_from.empty() ? Json("pairs") : Json(file_hash(settings.centre_from));
    return {{"encoder", file_hash(settings.encoder)},
            {"layer", o.layer},
            {"tau", o.tau},
            {"threshold", o.threshold},
            {"epsilon", o.epsilon},
            {"distortion", o.distortion},
            {"centre", centre}};
}

namespace {

// From where on words are hard: words of class 35 and above are no longer those of everyday speech, and below a Zipf value
// of 4 a word is met less than ten times in a million.
constexpr double kHardSize = 0.35, kHardCount = 0.5;

// Models compute for one thread at a time.
std::function<std::vector<double>(const std::vector<std::string>&)> perplexities_by(const std::filesystem::path& model,
                                                                                    const PlacementOptions& placing) {
    const Placement place = open_placement(placing);
    auto scorer = std::make_shared<PerplexityScorer>(Decoder::load(model, place.dtype, place.device), open_tokenizer(model));
    auto mutex = std::make_shared<std::mutex>();
    return [scorer, mutex](const std::vector<std::string>& texts) {
        const std::lock_guard lock(*mutex);
        std::vector<double> values;
        for (const TokenNll& one : scorer->likelihoods(texts)) values.push_back(one.perplexity());
        return values;
    };
}

}  // namespace

Json rule_judge_record(const RuleJudgeSettings& s) {
    return {{"difficulty", s.difficulty == DifficultySource::size ? "size" : "count"},
            {"perplexity_model", s.perplexity_model.empty() ? Json(nullptr) : Json(file_hash(s.perplexity_model))}};
}

PrincipleSources open_principle_sources(const RuleJudgeSettings& settings, const EnglishModel& english,
                                        std::shared_ptr<WordAligner> aligner, const PlacementOptions& placing) {
    if (english.pipeline == nullptr)
        throw Error("judge rules", "an English model", "none", "scripts/setup.sh --english installs one");
    if (aligner == nullptr)
        throw Error("judge rules", "an encoder that aligns words (--aligner)", "none",
                    "scripts/setup.sh --encoder installs weights/minilm");
    PrincipleSources sources;
    sources.english = english.pipeline;
    const auto dictionary = std::make_shared<EnglishDictionary>();
    const bool by_size = settings.difficulty == DifficultySource::size;
    by_size ? dictionary->by_size() : dictionary->by_count();  // what is missing is said before any work
    sources.difficulty = [dictionary, by_size](std::string_view word) {
        return (by_size ? dictionary->by_size() : dictionary->by_count()).of(word);
    };
    sources.hard_from = by_size ? kHardSize : kHardCount;
    sources.align = [aligner = std::move(aligner)](const std::vector<std::pair<std::string, std::string>>& pairs) {
        return aligner->align(pairs);
    };
    if (settings.perplexity_model.empty()) return sources;
    sources.perplexities = perplexities_by(settings.perplexity_model, placing);
    const auto parser = std::make_shared<ConstituentParser>();
    sources.left_out = [parser](const std::string& sentence) { return parser->parse(sentence).left_out; };
    return sources;
}

namespace {

namespace fs = std::filesystem;

// link-grammar reads sentences; a text's parse is theirs, one after the other, and none where a sentence has none.
std::string parse_of_text(ConstituentParser& parser, const std::string& text) {
    std::string parses;
    for (const std::string& sentence : split_sentences(text)) {
        const std::string parse = parser.parse(sentence).bracketed;
        if (parse.empty()) return "";
        parses += (parses.empty() ? "" : " ") + parse;
    }
    return parses;
}

}  // namespace

std::shared_ptr<WordAligner> JudgingSources::aligner(const WordAlignmentSettings& settings) {
    if (!aligner_) aligner_ = open_word_alignment(settings, placing_);
    return aligner_;
}

NamedMaterials JudgingSources::materials() {
    NamedMaterials made{.materials = {},
                        .names = {{"alignment", word_alignment_record(settings_.aligner)}, {"parses", nullptr}}};
    if (!settings_.aligner.encoder.empty())
        made.materials.align =
            [aligner = aligner(settings_.aligner)](const std::vector<std::pair<std::string, std::string>>& pairs) {
                return aligner->align(pairs);
            };
    if (settings_.parses && fs::exists(link_grammar_dictionary_file())) {
        made.names["parses"] = "link-grammar";
        made.materials.parse = [parser = std::make_shared<ConstituentParser>()](const std::string& text) {
            return parse_of_text(*parser, text);
        };
    }
    return made;
}

PrincipleSources JudgingSources::principles() {
    WordAlignmentSettings settings = settings_.aligner;
    if (settings.encoder.empty()) {
        settings.encoder = weights_place("minilm", "config.json");
        if (!fs::exists(settings.encoder)) settings.encoder.clear();  // the error that follows says how to get it
    }
    return open_principle_sources(settings_.rules, find_english(settings_.english), aligner(settings), placing_);
}

}  // namespace craft
