// A hosted model that revises, plans and plays the roles beside them sensibly: it takes "very" out, wherever that stands.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "core/files.h"
#include "core/json.h"
#include "tests/cli/run_command.h"
#include "tests/core/temporary_folder.h"
#include "tests/systems/hosted/chat_server.h"

namespace craft::test {

inline std::string without_very(const std::string& text) {
    return std::regex_replace(text, std::regex(" very"), "");
}

// What comes after the last line `heading` of a prompt.
inline std::string behind(const std::string& prompt, const std::string& heading) {
    const size_t at = prompt.rfind(heading);
    return at == std::string::npos ? "" : prompt.substr(at + heading.size());
}

inline std::vector<std::string> matches_of(const std::string& text, const std::string& pattern) {
    const std::regex expression(pattern);
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), expression); at != std::sregex_iterator(); ++at)
        found.push_back((*at)[1]);
    return found;
}

inline std::string planned(const std::string& text) {
    std::string lines;
    for (const std::string& sentence : matches_of(text, "([^ .][^.]*\\.)"))
        lines += "\nSentence: \"" + sentence + "\"; Improvement Plan: \"Tighten it.\"";
    return "###THOUGHT:\nIt is too long.\n###ACTION:\n###TOOLS:\n```\ntext_eval()\nword_count_check(10, \"less "
           "than\")\n```\n###PLAN:" +
           lines;
}

inline std::string first_sentence(const std::string& text) {
    return text.substr(0, text.find(". ") == std::string::npos ? text.size() : text.find(". ") + 1);
}

// A revision that nobody asked for anything: without its last sentence, and with an opener.
inline std::string edited(const std::string& text) {
    const size_t last = text.rfind(". ");
    return "In short, " + (last == std::string::npos ? text : text.substr(0, last + 1));
}

// Of the roles beside planner and reviser; empty: it is none of their prompts.
inline std::string other_answer(const std::string& asked) {
    if (asked.find("as a careful editor would") != std::string::npos) return edited(behind(asked, "### Text:\n"));
    if (asked.rfind("Put the request below", 0) == 0) return "Kindly do this for me. " + behind(asked, "### Request:\n");
    if (asked.find("mistakes of grammar") != std::string::npos) {
        const std::string first = first_sentence(behind(asked, "### Text:\n"));
        return "Original: " + first + "; Suggestion: So it is: " + first;
    }
    if (asked.rfind("The text below will be revised.", 0) == 0) return "The text reads like a notice for visitors.";
    return "";
}

inline std::string revising_answer(const Json& body, int64_t /*choice*/) {
    const std::string asked = body.at("messages").back().at("content"), first = body.at("messages").at(0).at("content");
    if (const std::string other = other_answer(asked); !other.empty()) return other;
    if (asked.rfind("### INSTRUCTIONS:", 0) == 0) {
        std::string text;
        for (const std::string& sentence : matches_of(behind(asked, "### INPUT:\n"), "Sentence: \"([^\"]*)\""))
            text += (text.empty() ? "" : " ") + without_very(sentence);
        return text;
    }
    if (asked.rfind("Revise the text below", 0) == 0) {
        const std::string text = without_very(behind(asked, "### Text:\n"));
        return asked.find("Think first") == std::string::npos ? text : "It is too long.\n### Revised text:\n" + text;
    }
    if (const std::string text = behind(asked, "### Present text:\n"); !text.empty()) return without_very(text);
    return planned(behind(first, "### The text\n"));
}

inline chat_server::ChatServerOptions revising_server() {
    chat_server::ChatServerOptions options;
    options.answer = revising_answer;
    return options;
}

// A folder with texts, a configuration and a cache of answers.
class ReviseCase : public testing::Test {
protected:
    std::string at(const std::string& name) const { return (folder_.path() / name).string(); }
    // Text i has nine words of which two are "very", and `more` bytes of another sentence; the instruction is free.
    std::string texts(int count, size_t more = 0) const {
        std::string rows, further;
        while (further.size() < more) further += further.empty() ? " And" : " so on and on";
        if (more > 0) further += ".";
        for (int i = 0; i < count; ++i)
            rows += Json({{"id", i},
                          {"instruction", "Use less than 9 words:"},
                          {"text", "Road " + std::to_string(i) + " is very long. It was very late." + further}})
                        .dump() +
                    "\n";
        return folder_.file("texts-" + std::to_string(count) + ".jsonl", rows);
    }
    // The profile "own"; `more` goes over what it has.
    std::string config(const std::string& base_url, const Json& more = Json::object()) const {
        Json profile = {{"base_url", base_url},
                        {"model", "test-model"},
                        {"retries", {{"initial_backoff", .005}, {"max_backoff", .02}}},
                        {"timeouts", {{"connect", 10}, {"first_byte", 20}, {"total", 30}}},
                        {"grace", .5},
                        {"prices", {{"input", 1}, {"output", 2}}}};
        profile.merge_patch(more);
        return folder_.file("hosted.json", Json({{"openai", {{"own", profile}}}}).dump());
    }
    // `revise` with the configuration, the cache and no scorers.
    Arguments revise(const Arguments& more) const {
        Arguments all = {"revise", "--config", at("hosted.json"), "--answers", at("answers"), "--scorers", "none"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    Json rows(const std::string& name) const {
        Json all = Json::array();
        JsonLinesReader reader(at(name));
        while (const auto row = reader.next()) all.push_back(*row);
        return all;
    }
    // The rows of NAME.partial, which begins with what run they are of.
    Json kept_rows(const std::string& name) const {
        Json all = Json::array();
        for (const Json& line : rows(name + ".partial"))
            if (line.contains("row")) all.push_back(line["row"]);
        return all;
    }
    // Of rows, without the one value that another run measures again.
    Json timeless(const std::string& name) const {
        Json all = rows(name);
        for (Json& row : all) row["cost"].erase("seconds");
        return all;
    }
    const TemporaryFolder folder_;
};

}  // namespace craft::test
