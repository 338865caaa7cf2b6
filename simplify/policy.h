// What a simplification may change (policy simplification §1, §2.1): words alone, or whatever makes a text easier; and whole
// texts (App. A.5). Each policy is a system prompt, three worked examples, and the guideline, with its aspect, by which its
// candidates are judged.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "data/conversation.h"
#include "systems/prompt_files.h"

namespace craft {

enum class SimplificationPolicy {
    lexical,    // hard words give way to easier ones, and the structure stays
    rewriting,  // words and structure, and what does not matter may go
    document    // the same of texts of several sentences and paragraphs, which must hang together
};

// {"lexical", lexical}, {"rewriting", rewriting}, {"document", document}: for options, files and results.
const std::vector<std::pair<std::string, SimplificationPolicy>>& simplification_policies();
// Those of single sentences, without the last one.
const std::vector<std::pair<std::string, SimplificationPolicy>>& sentence_policies();
std::string policy_name(SimplificationPolicy policy);
// The file of share/guidelines that candidates are judged by, "sentence.txt" or "document.txt", and its aspect whose verdict
// makes the policy's pairs (§2.2): "Lexical", "Overall", or none where the guideline has a single verdict.
std::string policy_guideline(SimplificationPolicy policy);
std::string policy_aspect(SimplificationPolicy policy);

class PolicyPrompt {
public:
    static constexpr size_t kMaxShots = 3;

    // simplify.NAME.txt and simplify.NAME.json. Throws Error naming the file where the prompt is empty or there are not
    // three examples {"source","text"}, none of them empty.
    PolicyPrompt(const PromptFiles& files, SimplificationPolicy policy);

    SimplificationPolicy policy() const { return policy_; }
    // The system prompt, the first `shots` examples as turns of user and assistant, the text as the last turn. Candidates
    // are collected with three examples; models are trained and evaluated with none (policy simplification App. A.2.2).
    // Throws Error on more than kMaxShots.
    Conversation ask(const std::string& text, size_t shots = 0) const;

private:
    struct Example {
        std::string source, text;
    };
    SimplificationPolicy policy_;
    std::string system_;
    std::vector<Example> examples_;
};

}  // namespace craft
