#include "judge/verdicts/shown_materials.h"

#include "core/error.h"
#include "judge/verdicts/shown_text.h"

namespace craft {

namespace {

// Marks in what was made of a text were counted with the text.
std::string shown(const std::string& text) {
    return shown_text(text).text;
}

// "0_the 1_committee"
std::string numbered(const std::vector<std::string>& words) {
    std::string line;
    for (size_t i = 0; i < words.size(); ++i) line += (i > 0 ? " " : "") + std::to_string(i) + "_" + words[i];
    return line;
}

// "0_the-0_the 3_ascertain-2_find"
std::string linked(const WordAlignment& alignment) {
    std::string line;
    for (const auto& [source, candidate] : alignment.links)
        line += (line.empty() ? "" : " ") + std::to_string(source) + "_" + alignment.source.at(source) + "-" +
                std::to_string(candidate) + "_" + alignment.candidate.at(candidate);
    return line;
}

std::string worded(const WordAlignment& alignment, const WordingTable& wordings, NotedInQuestion& noted) {
    if (!alignment.problem.empty() || alignment.source.empty() || alignment.candidate.empty()) {
        ++noted["without alignment"];
        return "";
    }
    return fill_in(wordings.first("alignment"), {{"source", shown(numbered(alignment.source))},
                                                 {"candidate", shown(numbered(alignment.candidate))},
                                                 {"links", shown(linked(alignment))}});
}

}  // namespace

std::vector<std::string> ShownMaterials::alignments(const std::string& source, const std::vector<std::string>& candidates,
                                                    const WordingTable& wordings, NotedInQuestion& noted) const {
    std::vector<std::string> made(candidates.size());
    if (!sees_alignment_ || !materials_.align) return made;
    std::vector<std::pair<std::string, std::string>> pairs;
    for (const std::string& candidate : candidates) pairs.emplace_back(source, candidate);
    const std::vector<WordAlignment> alignments = materials_.align(pairs);
    if (alignments.size() != pairs.size())
        throw Error("word alignments", std::to_string(pairs.size()), std::to_string(alignments.size()));
    for (size_t i = 0; i < made.size(); ++i) made[i] = worded(alignments[i], wordings, noted);
    return made;
}

std::string ShownMaterials::parse_of(const std::string& text, const WordingTable& wordings, NotedInQuestion& noted) const {
    if (!sees_parses_ || !materials_.parse) return "";
    const std::string parse = materials_.parse(text);
    if (parse.empty()) {
        ++noted["without parse"];
        return "";
    }
    return fill_in(wordings.first("parse"), {{"parse", shown(parse)}});
}

std::vector<std::string> ShownMaterials::lacking() const {
    std::vector<std::string> lacking;
    if (sees_alignment_ && !materials_.align) lacking.emplace_back("alignment");
    if (sees_parses_ && !materials_.parse) lacking.emplace_back("parses");
    return lacking;
}

std::string shown_and_counted(const std::string& text, NotedInQuestion& noted) {
    const ShownText made = shown_text(text);
    for (const std::string& kind : made.noted) ++noted[kind];
    return made.text;
}

}  // namespace craft
