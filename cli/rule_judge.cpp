#include "cli/rule_judge.h"

#include <mutex>

#include "cli/placement.h"
#include "core/error.h"
#include "english/constituents.h"
#include "english/dictionary/english_dictionary.h"
#include "judge/scorers/perplexity.h"

namespace craft {

namespace {

// From where on words are hard: words of class 35 and above are no longer those of everyday speech, and below a Zipf value
// of 4 a word is met less than ten times in a million.
constexpr double kHardSize = 0.35, kHardCount = 0.5;

// Models compute for one thread at a time.
std::function<std::vector<double>(const std::vector<std::string>&)> perplexities_by(const std::filesystem::path& model,
                                                                                    const CommonOptions& common) {
    const Placement place = open_placement(common);
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

void bind_rule_judge(OptionTable& table, RuleJudgeSettings& s) {
    table.add_enum("rules.difficulty", s.difficulty, {{"size", DifficultySource::size}, {"count", DifficultySource::count}},
                   "of words, as the rule judge has it: by SCOWL's size classes, or by counts in texts");
    bind_model(table, "rules.perplexity_model", s.perplexity_model,
               "a language model by which the rule judge finds ill-formed candidates; none: it does not look for them");
}

Json rule_judge_record(const RuleJudgeSettings& s) {
    return {{"difficulty", s.difficulty == DifficultySource::size ? "size" : "count"},
            {"perplexity_model", s.perplexity_model.empty() ? Json(nullptr) : Json(file_hash(s.perplexity_model))}};
}

PrincipleSources open_principle_sources(const RuleJudgeSettings& settings, const EnglishModel& english,
                                        std::shared_ptr<WordAligner> aligner, const CommonOptions& common) {
    if (english.pipeline == nullptr)
        throw Error("judge rules", "a model of English", "none", "scripts/setup.sh --english gets one");
    if (aligner == nullptr)
        throw Error("judge rules", "an encoder that aligns words (--aligner)", "none",
                    "scripts/setup.sh --encoder gets weights/minilm");
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
    sources.perplexities = perplexities_by(settings.perplexity_model, common);
    const auto parser = std::make_shared<ConstituentParser>();
    sources.left_out = [parser](const std::string& sentence) { return parser->parse(sentence).left_out; };
    return sources;
}

}  // namespace craft
