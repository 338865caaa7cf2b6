#include "model/chat/chat_template.h"

#include <algorithm>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/rows.h"
#include "model/chat/chat_files.h"
#include "model/chat/jinja_chat.h"
#include "model/files/model_documents.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

fs::path shipped_folder() {
    return share_folder() / "chat_templates";
}

std::string known_list() {
    std::string list;
    for (const std::string& name : known_chat_templates()) list += (list.empty() ? "" : ", ") + name;
    return list;
}

// The file of --chat-template; throws UsageError for an unknown name.
fs::path chosen_file(const std::string& choice) {
    const std::vector<std::string> known = known_chat_templates();
    if (std::find(known.begin(), known.end(), choice) != known.end()) return shipped_folder() / (choice + ".jinja");
    if (!fs::is_regular_file(choice)) throw_unknown("chat template", choice, known);
    return choice;
}

constexpr const char* kWholeTexts = "t5";  // what fits any model that reads a text as a whole

bool is_encoder_decoder(const fs::path& folder) {
    const ModelDocuments model(folder);
    if (!model.has("config.json")) return false;
    const Json config = parse_json(model.text("config.json"), model.where("config.json"));
    return config.is_object() && has_value(config, "is_encoder_decoder") && config["is_encoder_decoder"] == true;
}

// Encodes with special tokens in messages, whoever asks.
class AllowingChat final : public ChatTemplate {
public:
    explicit AllowingChat(std::shared_ptr<ChatTemplate> chat) : chat_(std::move(chat)) {}
    std::string name() const override { return chat_->name(); }
    std::string render(const Conversation& conversation, const RenderOptions& how) const override {
        return chat_->render(conversation, how);
    }
    EncodedChat encode(const Tokenizer& tokenizer, const Conversation& conversation,
                       const RenderOptions& how) const override {
        RenderOptions allowing = how;
        allowing.allow_special = true;
        return chat_->encode(tokenizer, conversation, allowing);
    }
    IgnoredFields left_out(const Conversation& conversation, const RenderOptions& how) const override {
        return chat_->left_out(conversation, how);
    }
    std::string end_of_turn() const override { return chat_->end_of_turn(); }

private:
    std::shared_ptr<ChatTemplate> chat_;
};

class ChatOnDemand final : public ChatTemplate {
public:
    ChatOnDemand(fs::path folder, ChatOptions options) : folder_(std::move(folder)), options_(std::move(options)) {}
    std::string name() const override { return opened().name(); }
    std::string render(const Conversation& conversation, const RenderOptions& how) const override {
        return opened().render(conversation, how);
    }
    EncodedChat encode(const Tokenizer& tokenizer, const Conversation& conversation,
                       const RenderOptions& how) const override {
        return opened().encode(tokenizer, conversation, how);
    }
    IgnoredFields left_out(const Conversation& conversation, const RenderOptions& how) const override {
        return opened().left_out(conversation, how);
    }
    std::string end_of_turn() const override { return opened().end_of_turn(); }

private:
    const ChatTemplate& opened() const {
        try {
            if (!chat_) chat_ = open_chat_template(folder_, options_);
        } catch (const Error& error) {
            throw SetupError(error);
        }
        return *chat_;
    }
    fs::path folder_;
    ChatOptions options_;
    mutable std::shared_ptr<ChatTemplate> chat_;
};

}  // namespace

void count_left_out(const ChatTemplate& chat, const Conversation& conversation, const RenderOptions& how,
                    UnknownKeys& unknown, size_t first) {
    count_left_out(chat.left_out(conversation, how), unknown, first);
}

void count_left_out(const IgnoredFields& left, UnknownKeys& unknown, size_t first) {
    for (const size_t i : left.calls)
        if (i >= first) unknown.see({{"tool_calls (the template leaves them out: --chat-template)", true}}, {}, "message: ");
    if (left.tools && first == 0) unknown.see({{"tools (the template leaves them out: --chat-template)", true}}, {});
}

std::vector<std::string> known_chat_templates() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(shipped_folder()))
        if (entry.path().extension() == ".jinja") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::shared_ptr<ChatTemplate> open_chat_template(const fs::path& folder, const std::string& choice) {
    ChatFiles files = read_chat_files(folder);
    std::string name = "the folder's own";
    if (!choice.empty()) {
        const fs::path file = chosen_file(choice);
        files.main = {read_file(file), file.string()};
        files.tool_use.reset();
        name = choice;
    }
    if (!files.main && is_encoder_decoder(folder)) {
        name = kWholeTexts;
        const fs::path file = shipped_folder() / (name + ".jinja");
        files.main = {read_file(file), file.string()};
    }
    if (!files.main)
        throw Error(folder.string(),
                    "chat_template.jinja, or a chat_template in tokenizer_config.json or chat_template.json", "none of them",
                    "known templates, for --chat-template NAME: " + known_list());
    if (files.main->source.find_first_not_of(" \t\r\n") == std::string::npos)
        throw Error(files.main->where, "a chat template", "an empty one",
                    "known templates, for --chat-template NAME: " + known_list());
    return std::make_shared<JinjaChat>(name, files);
}

std::shared_ptr<ChatTemplate> open_chat_template(const fs::path& folder, const ChatOptions& options) {
    auto chat = open_chat_template(folder, options.chat_template);
    if (options.allow_special) return std::make_shared<AllowingChat>(std::move(chat));
    return chat;
}

void put_chat_template(const fs::path& folder, const std::string& choice) {
    if (choice.empty()) return;
    write_file_atomic(folder / "chat_template.jinja", read_file(chosen_file(choice)));
    fs::remove_all(folder / "additional_chat_templates");  // the one with tools would go before it
}

std::shared_ptr<ChatTemplate> chat_template_on_demand(const fs::path& folder, const ChatOptions& options) {
    if (!options.chat_template.empty()) chosen_file(options.chat_template);
    return std::make_shared<ChatOnDemand>(folder, options);
}

}  // namespace craft
