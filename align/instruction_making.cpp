#include "align/instruction_making.h"

#include <algorithm>

#include "align/asked_in_flow.h"
#include "core/rng.h"

namespace craft {

namespace {

// Texts without a revision, as many as instructions need; those with one come with them, as they are.
std::vector<SourceText> drawn_texts(std::vector<SourceText> texts, const GeneratorOptions& options) {
    const int64_t per_text = std::max<int64_t>(1, options.per_text);
    const auto wanted = static_cast<size_t>((options.count + per_text - 1) / per_text);
    if (options.every_text || texts.size() <= wanted) return texts;
    Rng(options.seed, options.stage + ".revised").shuffle(texts);
    texts.resize(wanted);
    return texts;
}

Revised free_revision_by(Reviser& reviser, const SourceText& text) {
    if (!text.revision.empty()) return {text.revision};
    Revised revised = revise_all(reviser, {{text.text, text.text, nullptr, stable_hash(text.text)}}).at(0);
    if (revised.noted.erase("unchanged") > 0) revised.unusable = "unchanged";  // no value can be read from it
    return revised;
}

// With the reviser's revisions, without those of which it made none.
std::vector<SourceText> revised_texts(std::vector<SourceText> texts, const GeneratorOptions& options,
                                      const InstructionAuthors& authors, FreeRevisionReport& report) {
    texts = drawn_texts(std::move(texts), options);
    const std::vector<Revised> made =
        asked_in_flow<SourceText, Revised>(*authors.flow, {"revising", "texts"}, texts,
                                           [&](const SourceText& text) { return free_revision_by(*authors.reviser, text); });
    std::vector<SourceText> revised;
    for (size_t i = 0; i < texts.size(); ++i) {
        report.add(made[i]);
        if (!made[i].is_usable()) continue;
        revised.push_back(std::move(texts[i]));
        revised.back().revision = made[i].text;
    }
    report.answers().require_any("free revisions of " + authors.reviser->name(),
                                 "docs/constraints.md says what the reasons mean");
    return revised;
}

// An instruction and the revision that it was proven on.
struct MadeInstruction {
    Instruction instruction;
    std::string revision;
    uint64_t number = 0;  // in the order of making
};

}  // namespace

void FreeRevisionReport::add(const Revised& one) {
    if (one.is_usable())
        ++revised;
    else
        ++unusable[one.unusable];
    add_leniency(noted, one.noted);
}

UsableAnswers FreeRevisionReport::answers() const {
    UsableAnswers answers;
    if (revised > 0) answers.add("", revised);
    for (const auto& [reason, count] : unusable) answers.add(reason, count);
    return answers;
}

Json to_json(const FreeRevisionReport& report) {
    return {{"revised", report.revised}, {"unusable", report.unusable}, {"noted", report.noted}};
}

std::map<std::string, int64_t> InstructionMakingReport::counted() const {
    std::map<std::string, int64_t> counts;
    if (revisions) {
        counts["free revision: revised"] = revisions->revised;
        for (const auto& [reason, count] : revisions->unusable) counts["free revision: " + reason] += count;
    }
    if (rewriting) {
        counts["rewriting: taken"] = rewriting->taken;
        for (const auto& [reason, count] : rewriting->refused) counts["rewriting: " + reason] += count;
    }
    return counts;
}

InstructionMakingReport make_instructions(const std::vector<SourceText>& texts, const FreeReviser& rules,
                                          const Wordings& wordings, const GeneratorOptions& options,
                                          const InstructionAuthors& authors, const EmitInstruction& emit) {
    InstructionMakingReport report;
    std::vector<SourceText> revised;
    if (authors.reviser != nullptr) {
        report.revisions.emplace();
        revised = revised_texts(texts, options, authors, *report.revisions);
    }
    const std::vector<SourceText>& sources = authors.reviser != nullptr ? revised : texts;
    if (authors.rewriter == nullptr) {
        report.generated = generate_instructions(sources, rules, wordings, options, emit);
        return report;
    }
    std::vector<MadeInstruction> made;
    report.generated = generate_instructions(sources, rules, wordings, options,
                                             [&](Instruction&& instruction, const std::string& revision) {
                                                 made.push_back({std::move(instruction), revision, made.size()});
                                             });
    report.rewriting.emplace();
    const auto rewritten = asked_in_flow<MadeInstruction, RewrittenInstruction>(
        *authors.flow, {"rewriting", "instructions"}, made,
        [&](const MadeInstruction& one) { return authors.rewriter->rewrite(one.instruction, one.number); });
    for (size_t i = 0; i < made.size(); ++i) {
        report.rewriting->add(rewritten[i]);
        emit(with_wording(std::move(made[i].instruction), rewritten[i]), made[i].revision);
    }
    return report;
}

}  // namespace craft
