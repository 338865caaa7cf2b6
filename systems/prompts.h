// Planners' prompts: text files with {placeholders}, each with a version for manifests.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/instruction.h"
#include "text/sentences.h"

namespace craft {

// A planner's prompt (CRAFT App. E.1, E.4): share/prompts/planner.full.txt, planner.compact.txt or planner.plan.txt. The
// text stands in it as it is, {text}, or with the number of each sentence before it, {numbered_text}: "[1] One. [2] Two."
class PromptTemplate {
public:
    // Throws Error if {instruction} is missing, or both forms of the text. `sentences` says what is numbered.
    static PromptTemplate load(const std::filesystem::path& file, SentenceRule sentences = SentenceRule::paper);
    // share/prompts/planner.NAME.txt. Throws Error naming those that are there.
    static PromptTemplate named(const std::string& name, SentenceRule sentences = SentenceRule::paper);
    explicit PromptTemplate(std::string text, SentenceRule sentences = SentenceRule::paper,
                            const std::string& where = "prompt");

    std::string render(const Instruction& instruction) const;
    const std::string& version() const { return version_; }  // hash of the text
    // Whether `message` begins as what render() gives.
    bool begins(const std::string& message) const;

private:
    std::string text_, version_;
    SentenceRule sentences_;
};

// The prompts in share/prompts that planners are trained with: "compact", "full". Beside them "plan" asks for a plan alone,
// and no calls: it is for models that were not trained to plan.
const std::vector<std::string>& prompt_names();
// Which of them a message was rendered with, by its beginning; empty: none.
std::string recognised_prompt(const std::string& message);

// A planner has to be asked with the prompt that it was trained with: planner.json beside its adapter or its model says
// which. noted_prompt() is empty if `folder` has no such file; throws Error if it names no prompt of ours, and warns if that
// one has another text since.
void note_prompt(const std::filesystem::path& folder, const std::string& name);
std::string noted_prompt(const std::filesystem::path& folder);
// The one for a planner of these folders (the adapter's may be empty): `choice`, or with "auto" the adapter's, the model's,
// else `untrained`.
std::string planner_prompt(const std::string& choice, const std::filesystem::path& model,
                           const std::filesystem::path& adapter, const std::string& untrained = "full");

}  // namespace craft
