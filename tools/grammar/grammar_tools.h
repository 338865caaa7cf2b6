// The grammar tools of the agent (GEC-Agent §3.2): tags, heads, errors and spelling of a sentence, as a text that a model
// reads and as JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "tools/grammar/error_parsing.h"
#include "tools/tool_set.h"

namespace craft {

struct GrammarToolOptions {
    std::filesystem::path english;  // folder of spaCy's small English package
    std::string parse_worker;       // a command that answers parse requests (parse_workers.h); empty: parsed in this process
    int64_t workers = 1;            // parsers side by side, where they are processes
    double parse_timeout_seconds = 8;  // without an answer of a worker
    bool repairs = true;               // of error_parsing, by the parse alone (error_parsing.h)
};

// How often which tool was asked, and what failed.
struct GrammarToolCounts {
    std::map<std::string, int64_t> calls;
    int64_t sentences = 0;      // analysed again; others were remembered
    int64_t without_parse = 0;  // of these, where link-grammar has none
    int64_t lost_parses = 0;    // requests that a hung or dead parser left unanswered
    int64_t not_english = 0;
    Json to_json() const;
};

// Everything is read when it is first needed. May be used by several threads at once.
class GrammarTools {
public:
    // Throws Error naming what is not installed, and the command that gets it.
    explicit GrammarTools(GrammarToolOptions options);
    ~GrammarTools();
    GrammarTools(const GrammarTools&) = delete;
    GrammarTools& operator=(const GrammarTools&) = delete;

    static const std::vector<std::string>& names();  // pos_tagging, dependency_parsing, error_parsing, spell_check

    // What a tool says of a sentence. Control characters count as blanks; places are code points of the sentence as it is
    // given. Throws Error on a name that is none and on a sentence that is not UTF-8.
    std::string text(const std::string& tool, const std::string& sentence);
    Json json(const std::string& tool, const std::string& sentence);

    EnglishDocument tokens(const std::string& sentence);
    ErrorReport errors(const std::string& sentence);
    SpellingReport spelling(const std::string& sentence);
    ConstituentParse parse(const std::string& sentence);
    GrammarToolCounts counts() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

// The tools, each with one parameter, the sentence; they answer for the sentence of the call and keep `tools` alive.
std::vector<Tool> grammar_tools(const std::shared_ptr<GrammarTools>& tools);

struct GrammarToolSettings {
    std::string english = "auto";  // folder of spaCy's small English package; "auto": english_model_folder()
    int64_t workers = 2;           // parsers side by side, each a process
    bool no_repairs = false;       // of error_parsing, by the parse alone
};

// Throws Error as GrammarTools does where something is not installed.
std::shared_ptr<GrammarTools> open_grammar_tools(const GrammarToolSettings& settings);

}  // namespace craft
