// The concepts that errors are found by: for each type of ERRANT a name in words and what holds, in one sentence
// (share/prompts/gec_knowledge.json; GEC-Agent Appendix D, "grammar knowledge").
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace craft {

struct GrammarConcept {
    std::string name;  // "missing article or determiner"
    std::string rule;  // one sentence
};

class GrammarKnowledge {
public:
    // {"TYPE": {"name", "rule"}, ...}. Throws Error naming file and type: another form, an empty text, no "R:OTHER".
    static GrammarKnowledge load(const std::filesystem::path& file);
    // Of a type that the file does not name, that of its operation's OTHER ("U:X": "U:OTHER"), else of "R:OTHER".
    const GrammarConcept& of_type(const std::string& type) const;
    bool has(const std::string& type) const { return concepts_.contains(type); }

private:
    std::map<std::string, GrammarConcept> concepts_;
};

}  // namespace craft
