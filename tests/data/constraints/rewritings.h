// Rewritings of instructions with their constraints, as the files in rewritings/ tell them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/files.h"
#include "data/constraints/rewriting.h"
#include "tests/source.h"
#include "text/utf8.h"
#include "tools/craft/craft_tools.h"

namespace craft::test {

inline const ReadingVocabulary& reading_vocabulary() {
    static const ReadingVocabulary vocabulary =
        ReadingVocabulary::load(std::filesystem::path(test_source()) / "share" / "prompts" / "rewriter_reading.json");
    return vocabulary;
}

inline std::string problem_of(const std::string& rewritten, const Instruction& original) {
    return rewriting_problem(rewritten, original, reading_vocabulary());
}

struct Rewriting {
    Instruction original;
    std::string text;
    bool is_faithful = true;
    std::string problem;  // why it is not taken; empty if it is
};

// Of tests/data/constraints/rewritings/NAME.txt, whose head says the form.
inline std::vector<Rewriting> read_rewritings(const std::string& name) {
    std::vector<Rewriting> out;
    Instruction original;
    const std::string text =
        read_file(std::filesystem::path(test_source()) / "tests" / "data" / "constraints" / "rewritings" / (name + ".txt"));
    bool is_head = true;
    for (size_t at = 0; at < text.size();) {
        const size_t end = text.find('\n', at);
        const std::string line = text.substr(at, end - at);
        at = end + 1;
        if (line.empty()) {
            is_head = false;
            continue;
        }
        if (is_head) continue;
        std::string rest = line.substr(2);
        if (line[0] == '@') {
            original = Instruction();
            original.instruction = rest;
        }
        if (line[0] == '#') original.text = rest;
        if (line[0] == '=') {
            original.gold.emplace_back();
            for (size_t from = 0, to = 0; from < rest.size(); from = to + 2) {  // two calls of a range stand side by side
                to = std::min(rest.find(") ", from), rest.size() - 1);
                original.gold.back().push_back(parse_call(rest.substr(from, to + 1 - from)));
            }
        }
        if (line[0] != '+' && line[0] != '-') continue;
        for (size_t mark = rest.find("\\n"); mark != std::string::npos; mark = rest.find("\\n")) rest.replace(mark, 2, "\n");
        out.push_back({original, rest, line[0] == '+', problem_of(rest, original)});
    }
    return out;
}

}  // namespace craft::test
