#include "model/tokenizer/post_processors.h"

#include "core/error.h"
#include "model/tokenizer/vocabulary.h"

namespace craft {

namespace {

int64_t id_in(const TokenizerDocument& value, const std::string& where) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > static_cast<uint64_t>(kLargestTokenId))
        throw Error(where, "token ids", value.dump(-1, ' ', false, TokenizerDocument::error_handler_t::replace));
    return value.get<int64_t>();
}

// ["[CLS]", 101]
int64_t named_token(const Component& component, const std::string& field) {
    const TokenizerDocument& pair = component.list(field);
    if (pair.size() != 2) component.fail(field, "a token and its id", std::to_string(pair.size()) + " values");
    return id_in(pair[1], component.where() + "." + field);
}

std::vector<int64_t> special_tokens(const Component& component, const std::string& name) {
    const std::string where = component.where() + ".special_tokens";
    const TokenizerDocument& known = component.object("special_tokens");
    const auto found = known.find(name);
    if (found == known.end()) throw Error(where, "the tokens of the template", "none for '" + name + "'");
    std::vector<int64_t> ids;
    for (const TokenizerDocument& id : Component(*found, where + "." + name).list("ids")) ids.push_back(id_in(id, where));
    return ids;
}

TokensAround read_template(const Component& component) {
    TokensAround around;
    bool text_seen = false;
    for (const Component& piece : component.components("single")) {
        if (piece.has("SpecialToken")) {
            const Component token(piece.object("SpecialToken"), piece.where() + ".SpecialToken");
            auto& side = text_seen ? around.trailing : around.leading;
            const auto ids = special_tokens(component, token.text("id"));
            side.insert(side.end(), ids.begin(), ids.end());
            continue;
        }
        const Component sequence(piece.object("Sequence"), piece.where() + ".Sequence");
        if (sequence.text("id") != "A" || text_seen)
            sequence.fail("id", "the text A, once", "'" + sequence.text("id") + "'");
        text_seen = true;
    }
    if (!text_seen) component.fail("single", "a template with the text A", "none");
    return around;
}

TokensAround read_sequence(const Component& component) {
    TokensAround around;
    for (const Component& part : component.components("processors")) {
        const TokensAround next = read_post_processor(part);
        around.leading.insert(around.leading.begin(), next.leading.begin(), next.leading.end());
        around.trailing.insert(around.trailing.end(), next.trailing.begin(), next.trailing.end());
    }
    return around;
}

}  // namespace

TokensAround read_post_processor(const Component& component) {
    const std::string type = component.type();
    if (type == "ByteLevel") return {};  // it changes offsets only
    if (type == "BertProcessing" || type == "RobertaProcessing")
        return {{named_token(component, "cls")}, {named_token(component, "sep")}};
    if (type == "TemplateProcessing") return read_template(component);
    if (type == "Sequence") return read_sequence(component);
    component.fail_unknown("post-processor",
                           {"BertProcessing", "ByteLevel", "RobertaProcessing", "Sequence", "TemplateProcessing"});
}

}  // namespace craft
