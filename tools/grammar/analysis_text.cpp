#include "tools/grammar/analysis_text.h"

namespace craft {

namespace {

// Places in the list of words, in which white space is none.
std::vector<size_t> word_places(const EnglishDocument& tokens) {
    std::vector<size_t> places;
    size_t next = 0;
    for (const EnglishToken& token : tokens) places.push_back(token.is_space ? next : next++);
    return places;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

std::string why_no_parse(const std::string& problem) {
    if (problem == "time" || problem == "worker") return "the parser took too long";
    if (problem == "too long") return "the sentence is too long for the parser";
    if (problem == "empty") return "there is no sentence";
    return "the parser found none";
}

constexpr const char* kEmpty = "The sentence is empty.";
constexpr const char* kNotEnglish = "This does not look like English; nothing was checked.";

}  // namespace

std::string tagging_text(const EnglishDocument& tokens) {
    std::string text;
    for (const EnglishToken& token : tokens)
        if (!token.is_space) text += (text.empty() ? "" : " ") + token.text + "/" + token.tag;
    return text.empty() ? kEmpty : text;
}

Json tagging_json(const EnglishDocument& tokens) {
    Json words = Json::array();
    for (const EnglishToken& token : tokens)
        if (!token.is_space)
            words.push_back({{"text", token.text},
                             {"start", token.code_point},
                             {"tag", token.tag},
                             {"pos", token.pos},
                             {"lemma", token.lemma},
                             {"features", token.morph}});
    return words;
}

std::string dependency_text(const EnglishDocument& tokens, const ConstituentParse& parse) {
    const std::vector<size_t> places = word_places(tokens);
    std::string text;
    for (size_t i = 0; i < tokens.size(); ++i) {
        const EnglishToken& token = tokens[i];
        if (token.is_space) continue;
        text += std::to_string(places[i] + 1) + " " + token.text + ": " + token.dep;
        if (token.head != i) text += " of " + tokens[token.head].text + " (" + std::to_string(places[token.head] + 1) + ")";
        text += "\n";
    }
    if (text.empty()) return kEmpty;
    if (!parse.problem.empty()) return text + "constituents: none, " + why_no_parse(parse.problem);
    return text + "constituents: " + parse.bracketed;
}

Json dependency_json(const EnglishDocument& tokens, const ConstituentParse& parse) {
    const std::vector<size_t> places = word_places(tokens);
    Json words = Json::array();
    for (const EnglishToken& token : tokens)
        if (!token.is_space)
            words.push_back(
                {{"text", token.text}, {"start", token.code_point}, {"head", places[token.head]}, {"relation", token.dep}});
    return {{"words", words}, {"constituents", parse.bracketed}, {"parse_problem", parse.problem}};
}

std::string error_text(const ErrorReport& report, const EnglishDocument& tokens) {
    if (!report.is_english) return kNotEnglish;
    std::string text;
    for (const ErrorMark& mark : report.marks) text += (text.empty() ? "" : "\n") + to_text(mark, tokens);
    if (tokens.empty()) return kEmpty;
    if (text.empty()) text = "No error found.";
    if (!report.left_out.empty()) text += "\nThe parse leaves out: " + joined(report.left_out);
    if (!report.parse_problem.empty() && report.parse_problem != "empty")
        text += "\nThere is no parse: " + why_no_parse(report.parse_problem) +
                ". What is said here comes from rules and spelling alone.";
    return text;
}

Json error_json(const ErrorReport& report, const EnglishDocument& tokens) {
    Json marks = Json::array();
    for (const ErrorMark& mark : report.marks) marks.push_back(to_json(mark, tokens));
    return {{"marks", marks},
            {"left_out", report.left_out},
            {"cost", report.cost},
            {"parse_problem", report.parse_problem},
            {"is_english", report.is_english}};
}

std::string spelling_text(const SpellingReport& report, const EnglishDocument& tokens) {
    if (!report.is_english) return kNotEnglish;
    std::string text;
    for (const SpellingError& error : report.errors) {
        text += (text.empty() ? "\"" : "\n\"") + tokens[error.token].text + "\" is in no dictionary; ";
        text += error.suggestions.empty() ? "no suggestion" : "suggestions: " + joined(error.suggestions);
    }
    if (!text.empty()) return text;
    return tokens.empty() ? kEmpty : "No spelling error found.";
}

Json spelling_json(const SpellingReport& report, const EnglishDocument& tokens) {
    Json errors = Json::array();
    for (const SpellingError& error : report.errors)
        errors.push_back({{"word", tokens[error.token].text},
                          {"start", tokens[error.token].code_point},
                          {"suggestions", error.suggestions}});
    return {{"errors", errors}, {"words", report.words}, {"is_english", report.is_english}};
}

}  // namespace craft
