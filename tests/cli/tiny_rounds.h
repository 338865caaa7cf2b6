// Rounds of a planner that babbles, beside a hosted model that carries its plans out.
#pragma once

#include <string>
#include <vector>

#include "tests/align/tiny_planner.h"
#include "tests/cli/revising_server.h"

namespace craft::test {

class TinyRounds : public ReviseCase {
protected:
    TinyRounds() {
        std::vector<std::string> responses;
        for (const std::string& call : babble())
            responses.push_back(call + "\n###PLAN:\nSentence: \"It was so.\"; Improvement Plan: \"Cut very.\"");
        make_tiny_planner(folder_.path() / "model", responses);
        std::string texts;
        for (const SourceText& text : some_texts("train", 40))
            texts += dump_line({{"id", text.id}, {"text", text.text}}) + "\n";
        folder_.file("texts.jsonl", texts);
        write_json_file(folder_.path() / "rounds.json",
                        {{"prompt", "compact"},
                         {"dev_count", 3},
                         {"selection_count", 3},
                         {"data", {{"test", 0}}},
                         {"perplexity_model", at("model")},
                         {"sampling", {{"max_new_tokens", 6}, {"temperature", 1}}},
                         {"rounds", {{"instructions", 8}, {"samples", 3}, {"history_steps", 2}, {"min_gap", 1}}}});
    }
    Arguments align(const std::string& out, const Arguments& more = {}) const {
        Arguments all = {"align",
                         "--iter",
                         "1",
                         "--config",
                         at("rounds.json"),
                         "--config",
                         at("hosted.json"),
                         "--model",
                         at("model"),
                         "--texts",
                         at("texts.jsonl"),
                         "--out",
                         at(out),
                         "--reviser",
                         "openai:own",
                         "--answers",
                         at("answers"),
                         "--lora-rank",
                         "2",
                         "--batch-size",
                         "4"};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    // The same on these instructions in place of texts.
    Arguments on_instructions(const std::string& out, const std::string& file, const Arguments& more = {}) const {
        Arguments all = align(out, more);
        for (size_t i = 0; i + 1 < all.size(); ++i)
            if (all[i] == "--texts") all[i] = "--instructions", all[i + 1] = at(file);
        return all;
    }
    Json summary(const std::string& out) const { return read_json_file(folder_.path() / out / "summary.json"); }
};

}  // namespace craft::test
