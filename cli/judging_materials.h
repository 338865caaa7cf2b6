// What judges see beside the texts, and what the rules go by: word alignments and parses, where somebody makes them here.
#pragma once

#include <memory>

#include "cli/rule_judge.h"
#include "cli/word_alignment_options.h"
#include "core/json.h"
#include "judge/verdicts/listwise_prompt.h"

namespace craft {

struct JudgingSettings {
    WordAlignmentSettings aligner;
    bool parses = true;  // by link-grammar, where its English dictionary is
    std::string english = "auto";
    RuleJudgeSettings rules;
};

void bind_judging_settings(OptionTable& table, JudgingSettings& settings);
// All but --english, for commands that have it already.
void bind_judging_materials(OptionTable& table, JudgingSettings& settings);

struct NamedMaterials {
    JudgingMaterials materials;
    Json names = Json::object();  // {"alignment","parses"}: who makes them, null: nobody; for manifests
};

// Opens what judges and rules ask for, each part once and when it is first asked for.
class JudgingSources {
public:
    JudgingSources(const JudgingSettings& settings, const CommonOptions& common) : settings_(settings), common_(common) {}
    // Throws Error as open_word_alignment() and ConstituentParser do.
    NamedMaterials materials();
    // Of the rule judge. Without --aligner the encoder that scripts/setup.sh --encoder gets aligns its words. Throws Error
    // as open_principle_sources() does.
    PrincipleSources principles();

private:
    std::shared_ptr<WordAligner> aligner(const WordAlignmentSettings& settings);

    const JudgingSettings& settings_;
    const CommonOptions& common_;
    std::shared_ptr<WordAligner> aligner_;
};

}  // namespace craft
