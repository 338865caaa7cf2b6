// What the tests of rules and rollout share: the shipped rules and short texts.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/json.h"
#include "rollout/rules/rules.h"
#include "tests/source.h"
#include "text/wording_table.h"

namespace craft {

inline const std::filesystem::path kShare = std::filesystem::path(test_source()) / "share";

inline std::shared_ptr<const Rules> shipped_rules() {
    static const auto rules = std::make_shared<const Rules>(Rules::load(kShare / "rules"));
    return rules;
}

inline WordingTable teacher_wordings() {
    return WordingTable::load(kShare / "prompts" / "teacher.json");
}

// The texts that ship with the project.
inline const std::vector<std::string>& shipped_texts() {
    static const auto texts = [] {
        std::vector<std::string> out;
        for (const char* name : {"train.jsonl", "dev.jsonl", "select.jsonl"}) {
            JsonLinesReader reader((kShare / "texts" / name).string());
            while (const auto row = reader.next()) out.push_back(string_field(*row, "text", reader.where()));
        }
        return out;
    }();
    return texts;
}

// A planner's response in the paper's form.
inline std::string response_text(const std::string& calls, const std::string& plan = "") {
    return "###THOUGHT:\nA thought.\n###ACTION:\n###TOOLS:\n```\n" + calls + "\n```\n###PLAN:\n" + plan;
}

}  // namespace craft
