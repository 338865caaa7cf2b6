// Rows of conversations with what transformers and TRL make of them: tests/parity/make_conversations.py.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <iostream>
#include <map>
#include <set>

#include "core/files.h"
#include "core/json.h"
#include "model/chat/chat_template.h"
#include "tests/core/temporary_folder.h"
#include "tests/source.h"

namespace craft::test {

struct ConversationCase {
    std::string form;  // "chat", "prompt", "sft", "pairs"
    Json row;          // as a user's file has it
    std::shared_ptr<const Tokenizer> tokenizer;
    std::shared_ptr<const ChatTemplate> chat;
};

// Opens the tokenizer and the template that a case names, each pair of them once.
class ConversationModels {
public:
    ConversationCase open(const Json& given) {
        const Json changes = {given["template"], given["special"], given.value("post_processor", Json())};
        ConversationCase& model = opened_[changes.dump()];
        if (!model.chat) {
            const std::filesystem::path folder = folder_.path() / std::to_string(opened_.size());
            std::filesystem::create_directory(folder);
            write_changed("tokenizer_config.json", given["special"], folder);
            write_changed("tokenizer.json", changes[2].is_null() ? Json::object() : Json{{"post_processor", changes[2]}},
                          folder);
            const std::string name = given["template"];
            const std::filesystem::path own = stored() / "templates" / (name + ".jinja");
            model.tokenizer = open_tokenizer(folder);
            model.chat = open_chat_template(folder, std::filesystem::exists(own) ? own.string() : name);
        }
        return {given["form"], given["row"], model.tokenizer, model.chat};
    }
    static std::filesystem::path stored() { return std::filesystem::path(test_source()) / "tests/model/chat/stored"; }

private:
    static void write_changed(const std::string& name, const Json& changes, const std::filesystem::path& folder) {
        Json content = read_json_file(stored() / "tokenizer" / name);
        content.update(changes);
        write_json_file(folder / name, content);
    }
    TemporaryFolder folder_;
    std::map<std::string, ConversationCase> opened_;
};

struct ConversationCounts {
    int64_t equal = 0, refused = 0;
};

// `made` gives for each case of these forms what the reference gave, in the same Json, or throws Error where that refused.
inline ConversationCounts expect_conversations_as_referenced(const std::set<std::string>& forms,
                                                             const std::function<Json(const ConversationCase&)>& made) {
    constexpr int kShown = 3;  // of a form
    JsonLinesReader rows((ConversationModels::stored() / "conversations.jsonl").string());
    ConversationModels models;
    ConversationCounts counts;
    std::map<std::string, int> wrong;
    while (const auto given = rows.next()) {
        const std::string form = (*given)["form"];
        if (!forms.contains(form)) continue;
        const Json& expected = (*given)["expected"];
        const bool refused = expected.contains("error");
        const ConversationCase asked = models.open(*given);
        Json got;
        try {
            got = made(asked);
        } catch (const Error& error) {
            got = {{"error", error.what()}};
        }
        if (refused ? got.contains("error") : got == expected) {
            ++(refused ? counts.refused : counts.equal);
        } else if (++wrong[form] <= kShown) {
            ADD_FAILURE() << rows.where() << ": " << (*given)["case"] << ", " << form << ", template "
                          << (*given)["template"] << "\n  row      " << dump_line(asked.row) << "\n  expected "
                          << dump_line(expected) << "\n  got      " << dump_line(got);
        }
    }
    for (const auto& [form, count] : wrong) std::cout << form << ": " << count << " differences\n";
    return counts;
}

}  // namespace craft::test
