// A chat template that is a Jinja text. Inside model/chat/ only.
#pragma once

#include <optional>
#include <string>

#include "model/chat/assistant_turns.h"
#include "model/chat/chat_files.h"
#include "model/chat/chat_template.h"
#include "text/jinja/template.h"

namespace craft {

class JinjaChat : public ChatTemplate {
public:
    // Throws Error naming file, line and construct of a template that cannot be read.
    JinjaChat(std::string name, const ChatFiles& files);

    std::string name() const override { return name_; }
    std::string render(const Conversation& conversation, const RenderOptions& how = {}) const override;
    EncodedChat encode(const Tokenizer& tokenizer, const Conversation& conversation,
                       const RenderOptions& how = {}) const override;
    IgnoredFields left_out(const Conversation& conversation, const RenderOptions& how = {}) const override;
    std::string end_of_turn() const override { return closing_; }
    bool takes_parts() const { return takes_parts_; }  // content may be a list of parts

private:
    jinja::Rendered rendered(const Conversation& conversation, const RenderOptions& how) const;
    // Whether the bytes of calls are marked as their message's and those of tools as kOther, or apart from all others.
    enum class Sources { usual, calls_and_tools_apart };
    jinja::Rendered run(const Conversation& conversation, bool generation_prompt, Sources sources = Sources::usual) const;
    std::string opening(const Conversation& conversation) const;
    bool prints_parts() const;
    std::string closing(const std::vector<std::string>& spellings) const;
    bool ends_after(const jinja::Rendered& all, const Conversation& conversation, const Tokenizer& tokenizer) const;

    std::string name_;
    jinja::Template main_;
    std::optional<jinja::Template> tool_use_;
    std::vector<std::pair<std::string, std::string>> special_tokens_;
    std::string closing_;
    bool takes_parts_ = true;
};

}  // namespace craft
