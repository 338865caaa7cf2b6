#include "model/chat/jinja_chat.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/error.h"
#include "text/jinja/characters.h"

namespace craft {

namespace {

// Roles that templates write into their own tokens ('<|' + role + '|>'). Any other counts as the conversation's text, so
// that no role can spell a special token.
constexpr std::array<std::string_view, 10> kRoles = {"system",  "developer", "user",        "assistant", "tool",
                                                     "ipython", "function",  "observation", "model",     "environment"};

// Sources of their own for what a template may leave out, where it is to be found in what was rendered.
constexpr int kToolList = jinja::kTemplate - 1;
int source_of_calls(int number) {
    return kToolList - 1 - number;
}

jinja::Value message_value(const Json& message, int number, int calls) {
    std::vector<std::pair<jinja::Value, jinja::Value>> entries;
    const auto add = [&](const std::string& key, const Json& value) {
        const bool role = key == "role" && value.is_string() &&
                          std::find(kRoles.begin(), kRoles.end(), value.get<std::string>()) != kRoles.end();
        const int source = key == "tool_calls" ? calls : number;
        entries.emplace_back(jinja::make_text(jinja::MarkedText(key, number)),
                             jinja::from_json(value, role ? jinja::kTemplate : source));
    };
    // As transformers: keys without a value are dropped, reasoning is known by its older names too.
    const Json* reasoning = nullptr;
    for (const char* key : {"reasoning_content", "thinking", "reasoning"})
        if (reasoning == nullptr && message.contains(key) && !message[key].is_null()) reasoning = &message[key];
    if (reasoning != nullptr) add("thinking", *reasoning);
    for (const auto& [key, value] : message.items())
        if (!value.is_null() && key != "weight") add(key, value);  // a weight is the trainer's
    if (reasoning != nullptr) add("reasoning_content", *reasoning);
    return jinja::make_map(std::move(entries), number);
}

jinja::Value messages_value(const Json& messages, bool calls_apart) {
    if (!messages.is_array()) throw Error("messages", "a list of messages", messages.type_name());
    std::vector<jinja::Value> values;
    for (const Json& message : messages) {
        const std::string where = "messages[" + std::to_string(values.size()) + "]";
        if (!message.is_object()) throw Error(where, "a message {\"role\", \"content\"}", message.type_name());
        try {
            const int number = static_cast<int>(values.size());
            values.push_back(message_value(message, number, calls_apart ? source_of_calls(number) : number));
        } catch (const jinja::Failure& failure) {
            throw Error(where + ": " + failure.what());
        }
    }
    return jinja::make_list(std::move(values));
}

// As transformers continues a message: a mark is written after its content and what is rendered is cut there.
constexpr std::string_view kOpenEnd = "CONTINUE_FINAL_MESSAGE_TAG ";

std::string& text_to_continue(Json& messages) {
    Json* content = messages.empty() || !messages.back().is_object() ? nullptr : &messages.back()["content"];
    if (content != nullptr && content->is_array())
        for (size_t i = content->size(); i-- > 0;)
            if ((*content)[i].is_object() && (*content)[i].contains("text"))
                return (*content)[i]["text"].get_ref<std::string&>();
    if (content == nullptr || !content->is_string())
        throw Error("messages", "a last message with a content to continue", "none");
    return content->get_ref<std::string&>();
}

std::string_view without_blanks(std::string_view text) {
    const auto [begin, end] = jinja::stripped(text, jinja::Strip::both);
    return text.substr(begin, end - begin);
}

// `last` is the content that is continued.
jinja::Rendered cut_open(jinja::Rendered rendered, const std::string& last) {
    const std::string& text = rendered.text.bytes;
    const size_t at = text.rfind(without_blanks(kOpenEnd));
    if (at == std::string::npos || text.find(without_blanks(last)) == std::string::npos)
        throw Error("messages", "a chat template that renders the last message's content whole", "one that does not");
    const bool kept =
        text.compare(at, kOpenEnd.size(), kOpenEnd) == 0;  // else the template trims, and so is what is continued
    const size_t end = kept ? at : jinja::stripped(std::string_view(text).substr(0, at), jinja::Strip::right).second;
    rendered.text = jinja::slice(rendered.text, 0, end);
    std::erase_if(rendered.turns, [&](const jinja::Turn& turn) { return turn.begin >= end; });
    for (jinja::Turn& turn : rendered.turns) turn.end = std::min(turn.end, end);
    for (auto& [begin, behind] : rendered.generated) begin = std::min(begin, end), behind = std::min(behind, end);
    return rendered;
}

std::vector<ByteRange> literal_ranges(const jinja::MarkedText& text) {
    std::vector<ByteRange> ranges;
    for (const jinja::Mark& mark : text.marks) {
        if (!ranges.empty() && ranges.back().end == mark.begin)
            ranges.back().end = mark.end;
        else
            ranges.push_back({mark.begin, mark.end});
    }
    return ranges;
}

// Encodes parts of one text with the ranges that fall into them.
class PartEncoder {
public:
    PartEncoder(const Tokenizer& tokenizer, std::string_view text, std::vector<ByteRange> literal)
        : tokenizer_(tokenizer), text_(text), literal_(std::move(literal)) {}

    std::vector<int64_t> encode(size_t begin, size_t end) const {
        std::vector<ByteRange> inside;
        for (const ByteRange& range : literal_)
            if (range.begin < end && range.end > begin)
                inside.push_back({std::max(range.begin, begin) - begin, std::min(range.end, end) - begin});
        return tokenizer_.encode_around(text_.substr(begin, end - begin), inside);
    }

    // For each cut (ascending) the number of tokens in front of it. If the parts between the cuts have together the tokens
    // of the whole, as where special tokens stand at the cuts, that says it; else a cut stands where the tokens of all in
    // front of it part from the whole's, and a token across it belongs to what follows.
    std::vector<size_t> positions(const std::vector<size_t>& cuts, const std::vector<int64_t>& whole) const {
        std::vector<size_t> found;
        std::vector<int64_t> joined;
        size_t begin = 0;
        for (const size_t cut : cuts) {
            const std::vector<int64_t> part = encode(begin, cut);
            joined.insert(joined.end(), part.begin(), part.end());
            found.push_back(joined.size());
            begin = cut;
        }
        const std::vector<int64_t> rest = encode(begin, text_.size());
        joined.insert(joined.end(), rest.begin(), rest.end());
        if (joined == whole) return found;
        for (size_t i = 0; i < cuts.size(); ++i) {
            const std::vector<int64_t> front = encode(0, cuts[i]);
            const auto shared = static_cast<std::ptrdiff_t>(std::min(front.size(), whole.size()));
            found[i] = static_cast<size_t>(std::mismatch(front.begin(), front.begin() + shared, whole.begin()).first -
                                           front.begin());
        }
        return found;
    }

private:
    const Tokenizer& tokenizer_;
    std::string_view text_;
    std::vector<ByteRange> literal_;
};

// As transformers: null, or a list of objects.
void check_objects(const char* name, const Json& list) {
    if (list.is_null()) return;
    if (!list.is_array()) throw Error(name, "a list of objects", list.type_name());
    for (const Json& each : list)
        if (!each.is_object()) throw Error(name, "a list of objects", std::string("one of ") + each.type_name());
}

bool is_text_part(const Json& part) {
    return part.is_object() && part.value("type", Json()) == "text" && part.contains("text") && part["text"].is_string();
}

bool has_lists(const Json& messages) {
    return std::any_of(messages.begin(), messages.end(), [](const Json& message) {
        return message.is_object() && message.contains("content") && message["content"].is_array();
    });
}

// Content that is a list of text parts, as what a template that takes lists prints of it: one text after the other, of
// none the empty text.
Json joined_parts(Json messages) {
    for (Json& message : messages) {
        if (!message.is_object() || !message.contains("content")) continue;
        Json& content = message["content"];
        if (!content.is_array() || !std::all_of(content.begin(), content.end(), is_text_part)) continue;
        std::string text;
        for (const Json& part : content) text += part["text"].get_ref<const std::string&>();
        content = text;
    }
    return messages;
}

// Bytes of the texts, and some for each value: by this a conversation's share of steps and memory grows.
size_t extent(const Json& value) {
    constexpr size_t kValue = 8;
    if (value.is_string()) return kValue + value.get_ref<const std::string&>().size();
    size_t sum = kValue;
    if (value.is_object())
        for (const auto& [key, inner] : value.items()) sum += key.size() + extent(inner);
    if (value.is_array())
        for (const Json& inner : value) sum += extent(inner);
    return sum;
}

const TemplateText& required_main(const ChatFiles& files) {
    if (!files.main) throw std::logic_error("JinjaChat: no template");
    return *files.main;
}

}  // namespace

JinjaChat::JinjaChat(std::string name, const ChatFiles& files)
    : name_(std::move(name)),
      main_(required_main(files).source, required_main(files).where),
      special_tokens_(files.special_tokens) {
    if (files.tool_use) tool_use_.emplace(files.tool_use->source, files.tool_use->where);
    takes_parts_ = prints_parts();
    closing_ = closing(files.spellings);
}

// The token that ends an assistant's turn, by what the template prints of one; some templates take lists of parts alone.
std::string JinjaChat::closing(const std::vector<std::string>& spellings) const {
    Conversation talk = {{Role::user, "x"}, {Role::assistant, "y"}};
    try {
        jinja::Rendered answered = run(talk, false);
        const auto is_said = [](const jinja::Mark& mark) { return mark.source == 1; };
        if (takes_parts_ && std::none_of(answered.text.marks.begin(), answered.text.marks.end(), is_said)) {
            for (Json& message : talk.messages) message["content"] = {{{"type", "text"}, {"text", message["content"]}}};
            answered = run(talk, false);
        }
        return closing_of(answered, 1, spellings);
    } catch (const Error&) {
        // A template that refuses even this has no known end of a turn; what it is given for real is still refused or not.
        for (const auto& [key, text] : special_tokens_)
            if (key == "eos_token") return text;
        return "";
    }
}

// Whether a list of parts comes out as its text; other templates fail, or print the list as Python would.
bool JinjaChat::prints_parts() const {
    constexpr const char* text = "plain words";
    Conversation probe;
    probe.messages = {{{"role", "user"}, {"content", {{{"type", "text"}, {"text", text}}}}}};
    try {
        const std::string printed = run(probe, false).text.bytes;
        return printed.find(text) != std::string::npos && printed.find("'text': '") == std::string::npos &&
               printed.find("\"text\": \"") == std::string::npos;
    } catch (const Error&) {
        return false;
    }
}

jinja::Rendered JinjaChat::run(const Conversation& conversation, bool generation_prompt, Sources sources) const {
    const bool apart = sources == Sources::calls_and_tools_apart;
    std::vector<std::pair<std::string, jinja::Value>> variables;
    const bool joins = !takes_parts_ && has_lists(conversation.messages);
    const Json joined = joins ? joined_parts(conversation.messages) : Json();
    variables.emplace_back("messages", messages_value(joins ? joined : conversation.messages, apart));
    const auto outside = [&](const std::string& name, const Json& value) {
        try {
            return jinja::from_json(value, apart && name == "tools" ? kToolList : jinja::kOther);
        } catch (const jinja::Failure& failure) {
            throw Error(name + ": " + failure.what());
        }
    };
    for (const auto& [name, list] : {std::pair{"tools", &conversation.tools}, {"documents", &conversation.documents}}) {
        check_objects(name, *list);
        variables.emplace_back(name, outside(name, *list));
    }
    variables.emplace_back("add_generation_prompt", generation_prompt);
    if (!conversation.variables.is_object() && !conversation.variables.is_null())
        throw Error("template variables", "an object", conversation.variables.type_name());
    for (const auto& [key, text] : special_tokens_)
        if (!conversation.variables.contains(key)) variables.emplace_back(key, jinja::make_text(text));
    for (const auto& [key, value] : conversation.variables.items()) {
        for (const auto& known : variables)
            if (known.first == key) throw Error("template variables", "names of the template's own", "'" + key + "'");
        variables.emplace_back(key, outside(key, value));
    }
    const bool with_tools = tool_use_ && !conversation.tools.is_null();
    const size_t given = extent(conversation.messages) + extent(conversation.tools) + extent(conversation.documents) +
                         extent(conversation.variables);
    return (with_tools ? *tool_use_ : main_).render(variables, jinja::Limits::for_conversation(given));
}

jinja::Rendered JinjaChat::rendered(const Conversation& conversation, const RenderOptions& how) const {
    if (!how.continue_final) return run(conversation, how.generation_prompt);
    if (how.generation_prompt) throw Error("messages", "a generation prompt or a last message to continue", "both");
    Conversation open = conversation;
    std::string& content = text_to_continue(open.messages);
    const std::string last = content;
    content += kOpenEnd;
    return cut_open(run(open, false), last);
}

std::string JinjaChat::render(const Conversation& conversation, const RenderOptions& how) const {
    return rendered(conversation, how).text.bytes;
}

// What left no mark in the text and without which the text is the same: one whole rendering without calls would not tell
// apart those that a template shows and those that it does not (DeepSeek V3: of messages with content), and a template may
// go by what it does not print.
IgnoredFields JinjaChat::left_out(const Conversation& conversation, const RenderOptions& how) const {
    const auto is_there = [](const Json& list) { return list.is_array() && !list.empty(); };
    IgnoredFields left = {{}, is_there(conversation.tools)};
    for (size_t i = 0; i < conversation.messages.size(); ++i)
        if (is_there(conversation.messages[i].value("tool_calls", Json()))) left.calls.push_back(i);
    if (left.calls.empty() && !left.tools) return left;
    const jinja::MarkedText text = run(conversation, how.generation_prompt, Sources::calls_and_tools_apart).text;
    std::set<int> shown;
    for (const jinja::Mark& mark : text.marks) shown.insert(mark.source);
    std::erase_if(left.calls, [&](size_t i) { return shown.contains(source_of_calls(static_cast<int>(i))); });
    left.tools = left.tools && !shown.contains(kToolList);
    const auto is_same = [&](const Conversation& without) {
        try {
            return run(without, how.generation_prompt).text.bytes == text.bytes;
        } catch (const Error&) {
            return false;
        }
    };
    Conversation fewer = conversation;
    for (const size_t i : left.calls) fewer.messages[i].erase("tool_calls");
    if (!left.calls.empty() && !is_same(fewer)) left.calls.clear();
    fewer = conversation;
    fewer.tools = nullptr;
    left.tools = left.tools && is_same(fewer);
    return left;
}

// What opens an assistant's turn under this conversation's variables; empty if the template has nothing of the kind.
std::string JinjaChat::opening(const Conversation& conversation) const {
    Conversation probe(std::vector<Message>{{Role::user, "x"}});
    probe.variables = conversation.variables;
    try {
        const jinja::Rendered without = run(probe, false);
        return opening_of(run(probe, true), without);
    } catch (const Error&) {
        return "";  // a template that refuses a lone question: turns then begin with what they print
    }
}

// Whether the template writes an end token after what the last message says.
bool JinjaChat::ends_after(const jinja::Rendered& all, const Conversation& conversation, const Tokenizer& tokenizer) const {
    const int last = static_cast<int>(conversation.messages.size()) - 1;
    size_t said = 0;
    for (const jinja::Mark& mark : all.text.marks)
        if (mark.source == last) said = std::max(said, mark.end);
    const std::string_view rest = std::string_view(all.text.bytes).substr(said);
    if (!closing_.empty()) return rest.find(closing_) != std::string_view::npos;
    // The folder's files do not say which tokens are special; the tokenizer knows.
    return tokenizer.encode(rest, true) != tokenizer.encode(rest, false);
}

EncodedChat JinjaChat::encode(const Tokenizer& tokenizer, const Conversation& conversation, const RenderOptions& how) const {
    const jinja::Rendered all = rendered(conversation, how);
    const PartEncoder encoder(tokenizer, all.text.bytes,
                              how.allow_special ? std::vector<ByteRange>{} : literal_ranges(all.text));
    EncodedChat chat;
    chat.tokens = encoder.encode(0, all.text.size());
    chat.assistant.assign(chat.tokens.size(), 0);
    std::vector<TurnKind> kinds;
    for (const Json& message : conversation.messages) {
        kinds.push_back(!is_assistants(message)   ? TurnKind::other
                        : counts_in_loss(message) ? TurnKind::counted
                                                  : TurnKind::left_out);
    }
    if (std::find(kinds.begin(), kinds.end(), TurnKind::counted) == kinds.end()) return chat;
    std::vector<ByteRange> ranges = assistant_ranges(all, kinds, {opening(conversation), closing_});
    chat.is_unended = kinds.back() == TurnKind::counted && says_something(Json::array({conversation.messages.back()})) &&
                      !how.generation_prompt && !how.continue_final && !ranges.empty() &&
                      !ends_after(all, conversation, tokenizer);
    if (chat.is_unended) ranges.back().end = all.text.size();
    std::vector<size_t> cuts;
    for (const ByteRange& range : ranges) {
        cuts.push_back(range.begin);
        cuts.push_back(range.end);
    }
    const std::vector<size_t> positions = encoder.positions(cuts, chat.tokens);
    for (size_t i = 0; i + 1 < positions.size(); i += 2)
        for (size_t at = positions[i]; at < positions[i + 1]; ++at) chat.assistant[at] = 1;
    return chat;
}

}  // namespace craft
