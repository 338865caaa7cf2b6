// Who simplifies in `simplify candidates` and `simplify run`, opened once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/english_options.h"
#include "cli/simplify_texts.h"
#include "simplify/rule_systems.h"

namespace craft {

// Whether a system's specification is "rules:NAME", and which NAME; "": it is not.
std::string rules_name(const std::string& system);

class Simplifiers {
public:
    // `role` is what the systems' costs are counted under; `english` may have no pipeline where no system needs it. Throws
    // Error as AskingRun::open(), make_rule_system() and OpenedFeedback do.
    Simplifiers(const SimplifyOptions& options, const std::string& role, const EnglishModel& english,
                const CommonOptions& common, AskingRun& asking);
    const std::vector<const TextSimplifier*>& all() const { return all_; }
    const Json& versions() const { return prompts_.versions(); }
    const OpenedFeedback* feedback() const { return feedback_ ? &*feedback_ : nullptr; }

private:
    std::unique_ptr<TextSimplifier> of_model(const SimplifyOptions& options, const std::string& name, System& system) const;

    PromptFiles prompts_;
    std::optional<OpenedFeedback> feedback_;
    std::vector<std::unique_ptr<TextSimplifier>> made_;
    std::vector<const TextSimplifier*> all_;
};

}  // namespace craft
