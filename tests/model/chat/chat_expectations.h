// Chat templates held against what transformers rendered: rows of tests/parity/make_chats.py.
#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <map>

#include "core/files.h"
#include "core/json.h"
#include "model/chat/chat_files.h"
#include "model/chat/jinja_chat.h"

namespace craft::test {

inline Conversation conversation_of(const Json& row) {
    Conversation made;
    made.messages = row["messages"];
    made.tools = row["tools"];
    made.variables = row["variables"];
    return made;
}

// Where a template does not take lists, ours join text parts; theirs fail, or print the list as Python would.
inline bool has_parts(const Json& conversation) {
    for (const Json& message : conversation["messages"])
        if (message.contains("content") && message["content"].is_array()) return true;
    return false;
}

// Every row gives the same text, or both refuse it; the number of equal texts. A row without its template has that of its
// name, which ships.
inline int64_t expect_chats_as_transformers(const std::filesystem::path& file) {
    JsonLinesReader rows(file.string());
    std::map<std::string, int> wrong;
    int64_t equal = 0, refused = 0;
    while (const auto row = rows.next()) {
        const std::string name = (*row)["name"];
        ChatFiles files;
        const std::string shipped = "share/";
        const auto template_file = share_folder() / "chat_templates" / name.substr(std::min(shipped.size(), name.size()));
        files.main = {row->contains("template") ? (*row)["template"].get<std::string>() : read_file(template_file), name};
        for (const auto& [key, value] : (*row)["special"].items()) files.special_tokens.emplace_back(key, value);
        const JinjaChat chat(name, files);
        const Json& given = (*row)["conversation"];
        if (!chat.takes_parts() && has_parts(given)) continue;
        const Json expected = row->value("text", Json());
        Json got;
        std::string problem;
        try {
            got = chat.render(conversation_of(given),
                              {.generation_prompt = given["generation_prompt"], .continue_final = given["continue_final"]});
        } catch (const Error& error) {
            problem = error.what();
        }
        if (got == expected) {
            ++(got.is_null() ? refused : equal);
            continue;
        }
        if (++wrong[name] <= 2)
            ADD_FAILURE() << name << "\n  conversation " << dump_line(given) << "\n  theirs " << dump_line(expected) << " "
                          << row->value("error", "") << "\n  ours   " << dump_line(got) << " " << problem;
    }
    for (const auto& [name, count] : wrong) std::cout << name << ": " << count << " differences\n";
    std::cout << equal << " equal texts, " << refused << " refused by both\n";
    return equal;
}

}  // namespace craft::test
