// Prompts and feedback wordings: text files with {placeholders}, each with a version for manifests.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/rng.h"
#include "data/instruction.h"

namespace craft {

// `text` with every {name} of `values` replaced; what was put in is not looked at again, other braces stay.
std::string fill_in(const std::string& text, const std::map<std::string, std::string>& values);

// A planner's prompt (CRAFT App. E.1): share/prompts/planner.full.txt or planner.compact.txt.
class PromptTemplate {
public:
    // Throws Error if {instruction} or {text} is missing.
    static PromptTemplate load(const std::filesystem::path& file);
    // share/prompts/planner.NAME.txt. Throws Error naming those that are there.
    static PromptTemplate named(const std::string& name);
    explicit PromptTemplate(std::string text, const std::string& where = "prompt");

    std::string render(const Instruction& instruction) const;
    const std::string& version() const { return version_; }  // hash of the text
    // Whether `message` begins as what render() gives.
    bool begins(const std::string& message) const;

private:
    std::string text_, version_;
};

// The prompts in share/prompts: "compact", "full".
const std::vector<std::string>& prompt_names();
// Which of them a message was rendered with, by its beginning; empty: none.
std::string recognised_prompt(const std::string& message);

// A planner has to be asked with the prompt that it was trained with: planner.json beside its adapter or its model says
// which. noted_prompt() is empty if `folder` has no such file; throws Error if it names no prompt of ours.
void note_prompt(const std::filesystem::path& folder, const std::string& name);
std::string noted_prompt(const std::filesystem::path& folder);

// Lists of wordings by dotted name ("calls.words_less"), one of which is drawn.
class WordingTable {
public:
    static WordingTable load(const std::filesystem::path& file);
    // Throws Error naming the file if there is no such wording.
    const std::string& first(const std::string& name) const { return list(name)[0]; }
    const std::string& draw(const std::string& name, Rng& rng) const { return rng.pick(list(name)); }
    const std::string& version() const { return version_; }

private:
    const std::vector<std::string>& list(const std::string& name) const;
    std::map<std::string, std::vector<std::string>> lists_;
    std::string file_, version_;
};

}  // namespace craft
