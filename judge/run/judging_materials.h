// What judges see beside the texts, and what the rules go by: word alignments and parses, where somebody makes them here.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/json.h"
#include "english/lazy_pipeline.h"
#include "judge/scorers/word_aligner.h"
#include "judge/verdicts/listwise_prompt.h"
#include "judge/verdicts/principles/principles_judge.h"
#include "model/kernels/placement.h"

namespace craft {

struct WordAlignmentSettings {
    std::filesystem::path encoder;  // empty: nothing is aligned
    WordAlignerOptions options;
    std::filesystem::path centre_from;  // judge's input (data/candidates.h), over whose pairs the mean is taken; empty: over
                                        // those that are aligned together
};

// Null without --aligner. Throws Error as open_word_aligner() does, and on a
// bad line of centre_from; UsageError as open_placement() does.
std::unique_ptr<WordAligner> open_word_alignment(const WordAlignmentSettings& settings, const PlacementOptions& placing);
// What a manifest says: {"encoder","layer","tau","threshold",...} with the encoder's hash; null without --aligner.
Json word_alignment_record(const WordAlignmentSettings& settings);

enum class DifficultySource { size, count };

struct RuleJudgeSettings {
    DifficultySource difficulty = DifficultySource::size;
    std::filesystem::path perplexity_model;  // empty: well-formedness is not looked at
};

// What a manifest says.
Json rule_judge_record(const RuleJudgeSettings& settings);

// The sources of the rules; they may be used by several threads. Throws Error naming what is missing and the command that
// gets it.
PrincipleSources open_principle_sources(const RuleJudgeSettings& settings, const EnglishModel& english,
                                        std::shared_ptr<WordAligner> aligner, const PlacementOptions& placing);

struct JudgingSettings {
    WordAlignmentSettings aligner;
    bool parses = true;  // by link-grammar, where its English dictionary is
    std::string english = "auto";
    RuleJudgeSettings rules;
};

struct NamedMaterials {
    JudgingMaterials materials;
    Json names = Json::object();  // {"alignment","parses"}: who makes them, null: nobody; for manifests
};

// Opens what judges and rules ask for, each part once and when it is first asked for.
class JudgingSources {
public:
    JudgingSources(const JudgingSettings& settings, const PlacementOptions& placing)
        : settings_(settings), placing_(placing) {}
    // Throws Error as open_word_alignment() and ConstituentParser do.
    NamedMaterials materials();
    // Of the rule judge. Without --aligner the encoder that scripts/setup.sh --encoder gets aligns its words. Throws Error
    // as open_principle_sources() does.
    PrincipleSources principles();

private:
    std::shared_ptr<WordAligner> aligner(const WordAlignmentSettings& settings);

    const JudgingSettings& settings_;
    const PlacementOptions& placing_;
    std::shared_ptr<WordAligner> aligner_;
};

}  // namespace craft
