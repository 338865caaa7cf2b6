#include "gec/agent_reply.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/ascii.h"
#include "data/reply_text.h"
#include "text/utf8.h"

namespace craft {

namespace {

enum class Label { none, thought, reflection, action, input, observation, answer };

constexpr size_t kLongestLabel = 32;  // bytes

// Longer names stand before those that they begin with.
constexpr std::array<std::pair<std::string_view, Label>, 8> kLabels = {{{"thought", Label::thought},
                                                                        {"thoughts", Label::thought},
                                                                        {"reflection", Label::reflection},
                                                                        {"action input", Label::input},
                                                                        {"action_input", Label::input},
                                                                        {"action", Label::action},
                                                                        {"observation", Label::observation},
                                                                        {"final answer", Label::answer}}};

struct LabelledLine {
    Label label = Label::none;
    std::string_view rest;  // after the colon; without a label the whole line
    bool has_markup = false;
};

LabelledLine labelled_line(std::string_view line) {
    if (const auto found = label_of(line, kLongestLabel))
        for (const auto& [known, label] : kLabels)
            if (found->label == known) return {label, found->rest, found->has_marks};
    return {Label::none, line};
}

constexpr std::string_view kFence = "```";

// Without the language after an opening fence: alone ("json"), or before the JSON that begins on the same line.
std::string_view without_language(std::string_view text) {
    const auto is_sign = [](char c) {
        return is_ascii_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '+' || c == '-';
    };
    const auto end = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_sign) - text.begin());
    const std::string_view rest = trim_view(text.substr(end));
    return rest.empty() || rest.starts_with('{') || rest.starts_with('[') ? rest : text;
}

// The parts of a reply by their labels.
class ReplyReader {
public:
    AgentReply read(std::string_view text) {
        if (trim_view(text).empty()) {
            reply_.problem = "empty";
            return std::move(reply_);
        }
        for (size_t at = 0; at <= text.size() && !ended_;) {
            const size_t end = std::min(text.find('\n', at), text.size());
            add_line(text.substr(at, end - at));
            at = end + 1;
        }
        close();
        return std::move(reply_);
    }

private:
    void let_pass(const char* kind) { note_leniency(reply_.let_pass, kind); }
    void end(const char* kind) {
        let_pass(kind);
        ended_ = true;
    }

    // What a line, or what comes after its label, holds beside the fences of code.
    std::string_view unfenced(std::string_view text) {
        std::string_view inner = trim_view(text);
        const bool opens = inner.starts_with(kFence);
        if (!opens && !(in_fence_ && inner.ends_with(kFence))) return text;
        let_pass("fences");
        if (opens) inner = trim_view(inner.substr(std::min(inner.find_first_not_of('`'), inner.size())));
        const bool closes = inner.ends_with(kFence);
        if (closes) inner = trim_view(inner.substr(0, inner.size() - kFence.size()));
        const bool closes_earlier_one = in_fence_ && inner.empty();
        in_fence_ = opens && !closes && !closes_earlier_one;
        const std::string_view text_alone = without_language(inner);
        return !opens || (closes && text_alone.empty()) ? inner : text_alone;  // one word between two fences is the text
    }

    void add_line(std::string_view line) {
        if (trim_view(line).starts_with(kFence) && trim_view(line = unfenced(line)).empty()) return;
        LabelledLine read = labelled_line(line);
        read.rest = unfenced(read.rest);
        if (read.label == Label::none) {
            append(read.rest, '\n');
            return;
        }
        if (read.label == Label::observation) {
            end("simulated_observation");
            return;
        }
        if (reply_.answer) {
            end("behind_answer");
            return;
        }
        if (has_action_ && (read.label != Label::input || has_input_)) {
            end("several_actions");
            return;
        }
        if (read.has_markup) let_pass("markup");
        if (read.label == Label::input && !has_action_) {
            end("input_without_action");
            return;
        }
        label_ = read.label;
        has_action_ = has_action_ || label_ == Label::action;
        has_input_ = has_input_ || label_ == Label::input;
        if (label_ == Label::answer) reply_.answer = "";
        append(read.rest, ' ');  // where a label stands again, on the same line: nothing else may begin one
    }

    void append(std::string_view text, char joint) {
        if (label_ == Label::none && !trim_view(text).empty()) let_pass("no_label");
        std::string& part = part_of(label_);
        if (!part.empty()) part += joint;
        part += text;
    }
    std::string& part_of(Label label) {
        switch (label) {
            case Label::reflection:
                return reply_.reflection;
            case Label::action:
                return reply_.action;
            case Label::input:
                return reply_.input;
            case Label::answer:
                return *reply_.answer;
            default:
                return reply_.thought;
        }
    }

    void close() {
        for (std::string* part : {&reply_.thought, &reply_.reflection, &reply_.action, &reply_.input}) *part = trim(*part);
        if (reply_.answer) reply_.answer = trim(*reply_.answer);
        if (has_action_) split_action();
        if (reply_.answer) {
            if (reply_.answer->empty()) reply_.problem = "no_answer";
        } else if (!has_action_) {
            reply_.problem = "no_action";
        } else if (reply_.action.empty()) {
            reply_.problem = "no_action_name";
        }
        if (reply_.problem.empty() && !reply_.answer && reply_.thought.empty() && reply_.reflection.empty())
            let_pass("no_thought");
    }

    // "Action: `POS tagging` {...}" is a name and an input.
    void split_action() {
        const std::string written = std::exchange(reply_.action, "");
        const std::string_view all = stripped(written, "*`'\"[]<> \t\r\n.");
        if (all.empty()) return;
        size_t end = std::min({all.find_first_of("{(\n"), all.find(": "), all.size()});
        const std::string_view name = stripped(all.substr(0, end), "*`'\"[]<> \t\r\n.");
        for (const char c : name) reply_.action += c == ' ' || c == '-' ? '_' : ascii_lower(c);
        if (reply_.action != std::string_view(written).substr(0, reply_.action.size())) let_pass("action_name");
        std::string_view rest =
            trim_view(std::string_view(written).substr(static_cast<size_t>(all.data() - written.data()) + end));
        if (rest.starts_with(": ")) rest = trim_view(rest.substr(1));
        cut_around(rest, "(", ")");
        rest = stripped(rest, "`");
        if (!rest.empty() && reply_.input.empty()) {
            reply_.input = std::string(rest);
            let_pass("input_in_action");
        }
        if (reply_.action != "final_answer" && reply_.action != "finish") return;
        let_pass("answer_as_action");
        reply_.answer = std::exchange(reply_.input, "");
        reply_.action.clear();
        has_action_ = false;
    }

    AgentReply reply_;
    Label label_ = Label::none;
    bool has_action_ = false, has_input_ = false, ended_ = false;
    bool in_fence_ = false;  // one of code is open
};

}  // namespace

AgentReply read_agent_reply(std::string_view text) {
    return ReplyReader().read(text);
}

std::string agent_reply_text(const AgentReply& reply) {
    std::string out;
    const auto add = [&](const char* label, const std::string& text) {
        out += (out.empty() ? "" : "\n") + std::string(label) + (text.empty() ? "" : " " + text);
    };
    if (!reply.reflection.empty()) add("Reflection:", reply.reflection);
    if (!reply.thought.empty()) add("Thought:", reply.thought);
    if (reply.answer) {
        add("Final Answer:", *reply.answer);
    } else if (!reply.action.empty()) {
        add("Action:", reply.action);
        add("Action Input:", reply.input.empty() ? "{}" : reply.input);
    }
    return out;
}

}  // namespace craft
