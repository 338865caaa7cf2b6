#include "view/records.h"

#include <algorithm>
#include <array>

#include "view/record_parts.h"
#include "view/tree_page.h"

namespace craft {

namespace {

std::string step_text(const Json& step, const char* name) {
    RecordFields fields(step);
    return fields.text(name).value_or("");
}

StyledText scores_line(const Json& scores) {
    const std::string numbers = shown_numbers(scores);
    return numbers.empty() ? StyledText{} : StyledText{{numbers, Tone::plain}};
}

void write_scores(PageWriter& page, const Json& scores) {
    if (const StyledText line = scores_line(scores); !line.empty()) page.field("scores", line);
}

// What an instruction asks for, and of which text.
void write_instruction(PageWriter& page, RecordFields& fields, std::optional<std::string>& text) {
    if (const auto instruction = fields.text("instruction")) page.field("instruction", *instruction);
    text = fields.text("text");
}

// The assistant's messages hold the responses as they were written; the steps what was read of them.
void write_trajectory(PageWriter& page, RecordFields& fields) {
    std::optional<std::string> text;
    write_instruction(page, fields, text);
    if (text) page.field("text", *text);
    std::vector<std::string> responses;
    for (const Json& message : fields.list("messages"))
        if (step_text(message, "role") == "assistant") responses.push_back(step_text(message, "content"));
    const Json& steps = fields.list("steps");
    for (size_t i = 0; i < steps.size(); ++i) {
        RecordFields step(steps[i]);
        page.blank();
        page.title("step " + std::to_string(i + 1));
        page.shift(2);
        const std::string revision = step.text("revision").value_or("");
        if (i < responses.size())
            write_response(page, responses[i], text, revision);
        else if (const auto thought = step.text("thought"))
            page.field("thought", *thought);
        write_revision(page, text, revision);
        if (const auto feedback = step.text("feedback"); feedback && !feedback->empty())
            page.field("feedback", StyledText{{*feedback, Tone::quiet}});
        write_scores(page, step.object("scores"));
        page.shift(-2);
        text = revision;
    }
    if (steps.empty()) write_messages(page, fields.list("messages"));
}

void write_pair(PageWriter& page, RecordFields& fields) {
    const Json &prompt = fields.any("prompt"), &provenance = fields.object("provenance");
    if (!prompt.is_null()) page.field("prompt", messages_text(prompt));
    page.blank();
    RecordFields from(provenance);
    // S_a of our own pairs; a judge's number where there is one.
    const auto score = [&](const char* scores, const char* number) {
        RecordFields of(from.object(scores));
        const auto s_a = of.number("s_a"), own = from.number(number);
        if (!s_a && !own) return std::string();
        return (s_a ? "  s_a " : "  ") + shown_number(s_a ? *s_a : *own);
    };
    page.beside({{"chosen" + score("chosen_scores", "chosen_score"), Tone::good},
                 {"\n" + messages_text(fields.any("chosen")), Tone::plain}},
                {{"rejected" + score("rejected_scores", "rejected_score"), Tone::bad},
                 {"\n" + messages_text(fields.any("rejected")), Tone::plain}});
    if (!provenance.empty()) {
        page.blank();
        page.field("provenance", StyledText{{dump_line(provenance), Tone::quiet}});
    }
}

void write_group(PageWriter& page, RecordFields& fields) {
    if (const Json& prompt = fields.any("prompt"); !prompt.is_null()) page.field("prompt", messages_text(prompt));
    const Json &responses = fields.list("responses"), &rewards = fields.list("rewards");
    for (size_t i = 0; i < responses.size(); ++i) {
        page.blank();
        const std::string reward = i < rewards.size() ? " reward " + shown_value(rewards[i]) : "";
        page.title("response " + std::to_string(i + 1), {{reward, Tone::plain}});
        page.line({{messages_text(responses[i]), Tone::plain}});
    }
    fields.skip("provenance");
}

// A round's samples after a history.
void write_samples(PageWriter& page, RecordFields& fields) {
    const Json& responses = fields.list("responses");
    RecordFields verdict(fields.object("verdict"));
    const auto best = verdict.number("best"), worst = verdict.number("worst");
    for (size_t i = 0; i < responses.size(); ++i) {
        RecordFields one(responses[i]);
        page.blank();
        StyledText behind;
        if (const auto s_a = one.number("s_a")) behind.push_back({"  s_a " + shown_number(*s_a), Tone::plain});
        const auto number = static_cast<double>(i);
        if (best && *best == number) behind.push_back({"  best", Tone::good});
        if (worst && *worst == number) behind.push_back({"  worst", Tone::bad});
        if (const auto why = one.text("unusable")) behind.push_back({"  unusable: " + *why, Tone::bad});
        if (const Json& finished = one.any("finished"); finished.is_boolean() && !finished.get<bool>())
            behind.push_back({"  cut", Tone::bad});
        page.title("response " + std::to_string(i + 1), behind);
        page.shift(2);
        write_response(page, one.text("response").value_or(""), std::nullopt, std::nullopt);
        if (const auto revision = one.text("revision")) page.field("revision", *revision);
        page.shift(-2);
    }
    if (const auto reason = verdict.text("reason")) page.field("no verdict", *reason);
}

void write_judgement(PageWriter& page, RecordFields& fields) {
    if (const auto judge = fields.text("judge")) page.field("judge", *judge);
    const Json &systems = fields.list("systems"), &verdicts = fields.object("verdict");
    const auto named = [&](const Json& verdict, const char* which) -> std::string {
        RecordFields one(verdict);
        const auto number = one.number(which);
        if (!number) return "?";
        const auto place = static_cast<size_t>(std::max(0.0, *number));
        const std::string digits = shown_number(*number);
        return place < systems.size() ? digits + " (" + shown_value(systems[place]) + ")" : digits;
    };
    for (const auto& [aspect, verdict] : verdicts.items())
        page.line({{aspect + ": ", Tone::label},
                   {"best " + named(verdict, "best"), Tone::good},
                   {"  worst " + named(verdict, "worst"), Tone::bad}});
    if (verdicts.empty())
        page.field("verdict", StyledText{{"none: " + fields.text("reason").value_or("no reason given"), Tone::bad}});
    if (const Json& order = fields.list("order"); !order.empty()) page.field("shown in the order", dump_line(order));
    for (const char* name : {"scores", "marks", "duels"})
        if (const Json& value = fields.any(name); !value.is_null()) page.field(name, dump_line(value));
    if (const auto thinking = fields.text("thinking")) page.field("thinking", StyledText{{*thinking, Tone::quiet}});
    if (const auto reply = fields.text("reply")) page.field("reply", *reply);
    fields.skip("let_pass");
}

void write_answer(PageWriter& page, RecordFields& fields) {
    RecordFields request(fields.object("request"));
    if (const auto model = fields.text("model")) page.field("model", *model);
    if (const Json& messages = request.list("messages"); !messages.empty()) {
        page.line({{"request:", Tone::label}});
        page.shift(2);
        write_messages(page, messages);
        page.shift(-2);
    }
    page.blank();
    if (const auto reasoning = fields.text("reasoning"); reasoning && !reasoning->empty())
        page.field("reasoning", StyledText{{*reasoning, Tone::quiet}});
    if (const auto text = fields.text("text")) page.field("answer", *text);
    if (const auto status = fields.text("status"); status && *status != "finished")
        page.field("status", StyledText{{*status, Tone::bad}});
}

void write_revised(PageWriter& page, RecordFields& fields) {
    if (const auto status = fields.text("status"))
        page.field("status", StyledText{{*status, *status == "revised" ? Tone::good : Tone::bad}});
    if (const auto instruction = fields.text("instruction")) page.field("instruction", *instruction);
    const auto text = fields.text("text");
    RecordFields trace(fields.object("trace"));
    const Json& rounds = trace.list("rounds");
    for (size_t i = 0; i < rounds.size(); ++i) {
        RecordFields round(rounds[i]);
        page.blank();
        page.title("round " + std::to_string(i + 1));
        page.shift(2);
        if (const auto response = round.text("response")) write_response(page, *response, std::nullopt, std::nullopt);
        write_conditions(page, round.list("conditions"));
        if (const auto revision = round.text("text"))
            if (i + 1 < rounds.size()) page.field("revision", *revision);
        if (const auto why = round.text("unusable")) page.field("unusable", StyledText{{*why, Tone::bad}});
        write_scores(page, round.object("scores"));
        page.shift(-2);
    }
    page.blank();
    if (text) page.field("revision", *text);
    if (const StyledText line = scores_line(fields.object("cost")); !line.empty()) page.field("cost", line);
    for (const char* name : {"calls", "conditions", "scores"}) fields.skip(name);
}

void write_candidates(PageWriter& page, RecordFields& fields) {
    if (const auto policy = fields.text("policy")) page.field("policy", *policy);
    if (const auto instruction = fields.text("instruction")) page.field("instruction", *instruction);
    const std::optional<std::string> source = fields.text("source");
    if (source) page.field("source", *source);
    for (const Json& candidate : fields.list("candidates")) {
        RecordFields one(candidate);
        page.blank();
        page.title(one.text("system").value_or("?"), {{"  " + shown_numbers(one.object("scores")), Tone::quiet}});
        page.shift(2);
        write_revision(page, source, one.text("text").value_or(""));
        if (const auto response = one.text("response")) write_response(page, *response, std::nullopt, std::nullopt);
        page.shift(-2);
    }
}

void write_instruction_alone(PageWriter& page, RecordFields& fields) {
    std::optional<std::string> text;
    write_instruction(page, fields, text);
    if (const Json& tools = fields.list("tools"); !tools.empty()) {
        page.line({{"calls that check it:", Tone::label}});
        page.shift(2);
        for (const Json& call : tools) page.line({{shown_value(call), Tone::plain}}, 2);
        page.shift(-2);
    }
    if (text) page.field("text", *text);
    fields.skip("constraints");
}

void write_completion(PageWriter& page, RecordFields& fields) {
    if (const Json& prompt = fields.any("prompt"); !prompt.is_null()) page.field("prompt", messages_text(prompt));
    if (const Json& completion = fields.any("completion"); !completion.is_null())
        page.field("completion", messages_text(completion));
}

void write_conversation(PageWriter& page, RecordFields& fields) {
    write_messages(page, fields.list("messages"));
}

void write_nothing_special(PageWriter&, RecordFields&) {}

struct KindRow {
    RecordKind kind;
    const char* name;
    std::vector<const char*> keys;  // that tell it; the first kind whose keys a row has is its kind
    void (*write)(PageWriter& page, RecordFields& fields);
};

const std::vector<KindRow>& kinds() {
    static const std::vector<KindRow> all = {
        {RecordKind::trajectory, "trajectory", {"messages", "steps"}, write_trajectory},
        {RecordKind::pair, "pair", {"chosen", "rejected"}, write_pair},
        {RecordKind::group, "group", {"responses", "rewards"}, write_group},
        {RecordKind::tree, "tree", {"nodes", "iterations"}, write_tree},
        {RecordKind::judgement, "judgement", {"judge", "verdict"}, write_judgement},
        {RecordKind::samples, "samples", {"step", "responses"}, write_samples},
        {RecordKind::answer, "answer", {"request", "status"}, write_answer},
        {RecordKind::revision, "revision", {"text", "trace"}, write_revised},
        {RecordKind::candidates, "candidates", {"source", "candidates"}, write_candidates},
        {RecordKind::instruction, "instruction", {"instruction", "text"}, write_instruction_alone},
        {RecordKind::conversation, "conversation", {"messages"}, write_conversation},
        {RecordKind::completion, "completion", {"prompt"}, write_completion},
        {RecordKind::row, "row", {}, write_nothing_special},
    };
    return all;
}

const KindRow& row_of(RecordKind kind) {
    return *std::find_if(kinds().begin(), kinds().end(), [&](const KindRow& one) { return one.kind == kind; });
}

}  // namespace

std::string record_kind_name(RecordKind kind) {
    return row_of(kind).name;
}

std::vector<std::string> record_kind_names() {
    std::vector<std::string> names;
    for (const KindRow& one : kinds()) names.emplace_back(one.name);
    return names;
}

std::optional<RecordKind> record_kind_from_name(const std::string& name) {
    for (const KindRow& one : kinds())
        if (name == one.name) return one.kind;
    return std::nullopt;
}

RecordKind record_kind(const Json& row) {
    for (const KindRow& one : kinds())
        if (std::all_of(one.keys.begin(), one.keys.end(), [&](const char* key) { return has_value(row, key); }))
            return one.kind;
    return RecordKind::row;
}

DisplayPage record_page(const Json& row, RecordKind kind) {
    PageWriter page;
    RecordFields fields(row);
    write_heading(page, record_kind_name(kind), fields);
    page.shift(2);
    row_of(kind).write(page, fields);
    fields.write_rest(page);
    page.shift(-2);
    return page.take();
}

}  // namespace craft
