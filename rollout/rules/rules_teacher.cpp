#include "rollout/rules/rules_teacher.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "rollout/rules/revision_search.h"
#include "text/lists.h"
#include "text/numbers.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

std::string relation_key(Relation relation) {
    return relation == Relation::less_than ? "less" : relation == Relation::more_than ? "more" : "equal";
}

std::string sorted_ids(std::vector<int64_t> ids) {
    std::sort(ids.begin(), ids.end());
    std::vector<std::string> items;
    for (const int64_t id : ids) items.push_back(std::to_string(id));
    return join(items, ", ");
}

std::string plan_key(PlanAction::Kind kind) {
    using Kind = PlanAction::Kind;
    switch (kind) {
        case Kind::keep:
            return "keep";
        case Kind::tighten:
        case Kind::simplify:
            return "tighten";
        case Kind::rephrase:
            return "rephrase";
        case Kind::lengthen:
            return "lengthen";
        case Kind::split:
            return "split";
        case Kind::join:
            return "join";
        case Kind::joined:
            return "joined";
        case Kind::omit:
            return "omit";
        case Kind::replace:
            return "replace";
        case Kind::mention:
            return "mention";
    }
    return "tighten";
}

std::string quoted(const std::string& sentence, int64_t words) {
    if (words <= 0) return sentence;
    const auto all = whitespace_words(sentence);
    if (static_cast<int64_t>(all.size()) <= words) return sentence;
    std::string out;
    for (int64_t i = 0; i < words; ++i) {
        if (i > 0) out += ' ';
        out += all[static_cast<size_t>(i)];
    }
    return out + "...";
}

// Where `value` stands in lower-case text by itself, in digits or in words; npos: nowhere.
size_t place_of(const std::string& text, int64_t value) {
    const auto is_part = [&](size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '-');
    };
    size_t first = std::string::npos;
    std::vector<std::string> forms = {std::to_string(value)};
    if (value >= 0 && value < 1'000'000) forms.push_back(number_words(value));
    if (value >= 1 && value <= 3) forms.push_back(std::array{"once", "twice", "thrice"}[static_cast<size_t>(value - 1)]);
    for (const std::string& form : forms)
        for (size_t at = text.find(form); at != std::string::npos; at = text.find(form, at + 1))
            if (!is_part(at + form.size()) && (at == 0 || !is_part(at - 1))) first = std::min(first, at);
    return first;
}

// The bound that lower-case text names where it is not the call's own: "at most 9" is less than 10. Empty: the call's.
std::optional<int64_t> said_bound(const std::string& text, Relation relation, int64_t bound) {
    if (relation == Relation::equal || place_of(text, bound) != std::string::npos) return std::nullopt;
    const int64_t said = relation == Relation::less_than ? bound - 1 : bound + 1;
    return place_of(text, said) == std::string::npos ? std::nullopt : std::optional(said);
}

}  // namespace

std::string describe_call(const ToolCall& call, const std::string& phrase, const WordingTable& wordings, Rng& rng) {
    std::string key;
    std::map<std::string, std::string> values;
    const auto bound = [&](const std::string& what, Relation relation, int64_t n) {
        const auto said = said_bound(lowercase(phrase), relation, n);
        key = what + (said ? relation == Relation::less_than ? "most" : "least" : relation_key(relation));
        values["N"] = std::to_string(n);
        if (said) values["M"] = std::to_string(*said);
    };
    if (const auto* words = std::get_if<WordCountCheck>(&call)) {
        bound("words_", words->relation, words->count);
    } else if (const auto* sentences = std::get_if<SentenceCountCheck>(&call)) {
        bound("sentences_", sentences->relation, sentences->count);
    } else if (const auto* length = std::get_if<SentenceLengthCheck>(&call)) {
        bound("length_", length->relation, length->length);
    } else if (const auto* keyword = std::get_if<KeywordKeepRemovalCheck>(&call)) {
        key = keyword->keep ? "keyword_keep" : "keyword_remove";
        values["A"] = keyword->keyword;
    } else if (const auto* frequency = std::get_if<KeywordFrequencyCheck>(&call)) {
        bound("frequency_", frequency->relation, frequency->frequency);
        values["A"] = frequency->keyword;
    } else if (const auto* modification = std::get_if<SentenceModificationCheck>(&call)) {
        key = modification->change ? "change" : "unchange";
        values["ids"] = sorted_ids(modification->sentence_ids);
    } else {
        return "";
    }
    return fill_in(wordings.draw("calls." + key, rng), values);
}

namespace {

// The part of the request that says constraint i; empty where the instruction records none.
std::string phrase_of(const Instruction& instruction, size_t i) {
    return i < instruction.phrases.size() ? instruction.phrases[i] : "";
}

// The calls of a range in the order in which `phrase` says its bounds, which may be shifted ones ("at least 11": more than
// 10): what is read off in order is copied more easily. Other calls stay as they are.
std::vector<ToolCall> in_order_of(std::vector<ToolCall> calls, const std::string& phrase) {
    if (calls.size() != 2) return calls;
    const auto *below = std::get_if<WordCountCheck>(&calls[0]), *above = std::get_if<WordCountCheck>(&calls[1]);
    if (below == nullptr || above == nullptr) return calls;
    const std::string text = lowercase(phrase);
    const size_t most = std::min(place_of(text, below->count), place_of(text, below->count - 1)),
                 least = std::min(place_of(text, above->count), place_of(text, above->count + 1));
    // "over one hundred and under one hundred and ten": the lower bound is also how the upper one begins.
    if (least < most) std::swap(calls[0], calls[1]);
    return calls;
}

// What a constraint's calls check: "words: less than 30, words: more than 20"; empty if nothing.
std::string goal_of(const std::vector<ToolCall>& calls, const std::string& phrase, const WordingTable& wordings, Rng& rng) {
    std::string goal;
    for (const ToolCall& call : calls)
        if (const std::string words = describe_call(call, phrase, wordings, rng); !words.empty())
            goal += (goal.empty() ? "" : ", ") + words;
    return goal;
}

bool is_met(const std::vector<ToolCall>& calls, const std::string& original, const std::string& text, SentenceRule rule) {
    const Goals goals(calls, original, rule);
    Counts totals = goals.zero();
    for (const auto& sentence : split_sentences(text, rule)) {
        const Counts one = goals.measure(sentence);
        for (size_t c = 0; c < totals.size(); ++c) totals[c] += one[c];
    }
    return goals.unmet(totals) == 0;
}

}  // namespace

// Each phrase of the request with the goal that it sets: read off right after the words that say it, a goal is easier to
// learn, and to check, than from afar.
std::string RulesTeacher::thought(const Trajectory& trajectory, const std::string& text, Rng& rng) const {
    const Instruction& instruction = trajectory.instruction;
    std::vector<std::string> listed, open;
    for (size_t i = 0; i < instruction.gold.size(); ++i) {
        const std::string phrase = phrase_of(instruction, i);
        const std::string goal = goal_of(in_order_of(instruction.gold[i], phrase), phrase, wordings_, rng);
        if (goal.empty()) continue;
        listed.push_back(phrase.empty() ? goal : phrase + " -> " + goal);
        if (!is_met(instruction.gold[i], instruction.text, text, options_.sentences)) open.push_back(goal);
    }
    if (listed.empty()) return wordings_.draw("no_goals", rng);
    std::string out = fill_in(wordings_.draw("goals", rng), {{"", join(listed, "; ")}});
    if (!trajectory.steps.empty())
        out += " " + (open.empty() ? wordings_.draw("all_met", rng)
                                   : fill_in(wordings_.draw("unmet", rng), {{"", join(open, "; ")}}));
    return out;
}

namespace {

// Sentences that are polished though no goal asks for it, at most: beside goals, and where the request has none.
constexpr int kPolishedBesides = 1, kPolishedAlone = 2;
// Times that a plan is carried out to see whether it names all that changes.
constexpr int kRehearsals = 4;

bool is_wordy(const std::string& sentence, const EditContext& context) {
    std::vector<Edit> edits;
    list_word_edits(context, Sentence(sentence), kShrink, edits);
    return std::any_of(edits.begin(), edits.end(), [](const Edit& e) { return e.group == kShrink && e.cost <= 1.3; });
}

bool allows_polish(const std::vector<ToolCall>& calls) {
    return std::none_of(calls.begin(), calls.end(), [](const ToolCall& call) {
        const auto* check = std::get_if<SentenceModificationCheck>(&call);
        return check != nullptr && check->change;
    });
}

bool is_kept(const std::string& sentence, const Goals& goals) {
    const Counts counts = goals.measure(sentence);
    for (size_t g = 0; g < goals.all().size(); ++g)
        if (goals.all()[g].kind == Goal::Kind::keep && counts[g + 2] > 0) return true;
    return false;
}

}  // namespace

std::vector<PlanLine> RulesTeacher::lines(const std::vector<std::string>& sentences, const std::vector<PlanAction>& actions,
                                          Rng& rng) const {
    std::vector<PlanLine> lines;
    for (size_t i = 0; i < sentences.size(); ++i) {
        if (options_.plan_lines > 0 && actions[i].kind == PlanAction::Kind::keep) continue;
        lines.push_back({quoted(sentences[i], options_.quote_words),
                         fill_in(wordings_.draw("plans." + plan_key(actions[i].kind), rng), {{"", actions[i].keyword}})});
        if (static_cast<int64_t>(lines.size()) == options_.plan_lines) break;
    }
    return lines;
}

// The goals are pursued in as few sentences as will do, a few wordy ones are polished, and the plan is carried out by the
// rules reviser until it names every sentence that changes there.
std::vector<PlanAction> RulesTeacher::actions(const std::vector<ToolCall>& calls, const std::string& original,
                                              const std::string& text, uint64_t item, const Rng& rng) const {
    using Kind = PlanAction::Kind;
    const Goals goals(calls, original, options_.sentences);
    const Pieces pieces = pieces_of(text, options_.sentences);
    RevisionSearch search(*rules_, goals, pieces, item);
    search.run();
    std::vector<PlanAction> actions = search.changes();
    const WordSet lower_words = lower_case_words(pieces.sentences);
    const EditContext context{*rules_, lower_words};
    int polished = !allows_polish(calls) ? 0 : goals.empty() ? kPolishedAlone : kPolishedBesides;
    for (size_t i = 0; i < actions.size() && polished > 0; ++i) {
        if (actions[i].kind != Kind::keep || is_kept(pieces.sentences[i], goals) || !is_wordy(pieces.sentences[i], context))
            continue;
        actions[i].kind = Kind::tighten;
        --polished;
    }
    for (int rehearsal = 0; rehearsal < kRehearsals; ++rehearsal) {
        Rng words = rng;  // the lines as they will stand
        RevisionSearch carried_out(*rules_, goals, pieces, item);
        carried_out.carry_out(lines(pieces.sentences, actions, words));
        carried_out.run();
        const std::vector<PlanAction> changes = carried_out.changes();
        bool complete = true;
        for (size_t i = 0; i < actions.size(); ++i) {
            const bool planned = actions[i].kind != Kind::keep, changed = changes[i].kind != Kind::keep;
            if (planned == changed || (planned && rehearsal > 0)) continue;  // a line too many is better than no end
            actions[i] = changes[i];
            complete = false;
        }
        if (complete) break;
    }
    return actions;
}

std::vector<PlanLine> RulesTeacher::plan(const Trajectory& trajectory, const std::string& text, uint64_t item,
                                         Rng& rng) const {
    const auto plan = actions(trajectory.instruction.gold_calls(), trajectory.instruction.text, text, item, rng);
    return lines(split_sentences(text, options_.sentences), plan, rng);
}

PlannerResponse RulesTeacher::respond(const Trajectory& trajectory, uint64_t item, uint64_t sample) const {
    Rng rng(options_.seed, "teacher." + std::to_string(trajectory.steps.size()), item, sample);
    const std::string& text = trajectory.steps.empty() ? trajectory.instruction.text : trajectory.steps.back().revision;
    PlannerResponse response;
    response.thought = thought(trajectory, text, rng);
    response.tools = normal_form(TextEval{});
    const Instruction& instruction = trajectory.instruction;
    for (size_t i = 0; i < instruction.gold.size(); ++i) {
        const std::string phrase = phrase_of(instruction, i);
        for (const ToolCall& call : in_order_of(instruction.gold[i], phrase)) response.tools += "\n" + normal_form(call);
    }
    response.plan = plan(trajectory, text, item, rng);
    response.well_formed = true;
    return response;
}

}  // namespace craft
