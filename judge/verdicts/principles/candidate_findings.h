// Candidates held against the principles.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "data/word_alignment.h"
#include "english/lazy_pipeline.h"
#include "judge/verdicts/principles/lexical_findings.h"
#include "judge/verdicts/principles/structural_findings.h"

namespace craft {

// What the rules ask of others. All of it may be called by several threads at once.
struct PrincipleSources {
    std::shared_ptr<const LazyEnglishPipeline> english;
    std::function<double(std::string_view)> difficulty;  // of a word, 0-1
    double hard_from = 0.5;                              // words from this difficulty on are hard
    std::function<std::vector<WordAlignment>(const std::vector<std::pair<std::string, std::string>>&)> align;
    // Of each text, by a language model; null: not measured.
    std::function<std::vector<double>(const std::vector<std::string>&)> perplexities = nullptr;
    // Words that no parse can take in, by link-grammar; null: not measured.
    std::function<int64_t(const std::string&)> left_out = nullptr;
};

struct PrincipleLimits {
    LexicalLimits lexical;
    StructuralLimits structural;
    // A candidate is ill-formed whose perplexity is this many times its source's, and of which parses leave out more words
    // than of its source: one of the two alone is met by good sentences too.
    double max_perplexity = 2.5;
    std::set<Principle> ignored = {};  // what these say counts for nothing
};

struct CandidateFindings {
    PrincipleFindings lexical, structural;
    double difficulty_drop = 0, hardness_drop = 0;
    bool has_same_structure = false;
    bool is_same_text = false;
    bool is_empty = false;
    bool is_ill_formed = false;
};

// In the candidates' order. Throws Error as the pipeline does.
std::vector<CandidateFindings> candidate_findings(const std::string& source, const std::vector<std::string>& candidates,
                                                  const PrincipleSources& sources, const PrincipleLimits& limits = {});

// Whether a single revision does what its policy asks for (policy simplification §1, Table 1): lexical paraphrasing makes a
// word easier and keeps the structure; overall rewriting makes the structure easier. Neither may lose or change what is
// said, or be ill-formed. The former makes no word harder, the latter nothing at all.
bool follows_lexical_paraphrasing(const CandidateFindings& findings);
bool follows_overall_rewriting(const CandidateFindings& findings);

}  // namespace craft
