#include "rollout/model_reviser.h"

#include "core/error.h"
#include "data/revision_reply.h"
#include "rollout/responder.h"
#include "rollout/rules/plan_actions.h"

namespace craft {

namespace {

bool asks_to_keep(const std::string& plan) {
    const std::vector<PlanAction> actions = plan_actions(plan);
    return !actions.empty() && actions.front().kind == PlanAction::Kind::keep;
}

// Whether a revision goes by its plan, as far as can be told without understanding it: by which sentences have changed.
Revised held_to_plan(Revised revised, const RevisionRequest& request, SentenceRule rule) {
    const std::vector<PlanLine>& plan = request.response->parts.plan;
    const std::vector<std::string> sentences = split_sentences(request.text, rule);
    const std::vector<int> lines = match_plan(plan, sentences);
    bool is_planned = false, is_done = false, is_touched = false;
    for (size_t i = 0; i < sentences.size(); ++i) {
        const bool is_changed = revised.text.find(bare_sentence(sentences[i])) == std::string::npos;
        if (lines[i] < 0 || asks_to_keep(plan[static_cast<size_t>(lines[i])].plan)) {
            is_touched = is_touched || is_changed;
        } else {
            is_planned = true;
            is_done = is_done || is_changed;
        }
    }
    if (is_planned && !is_done && is_touched) return {request.text, "ignored_plan", std::move(revised.noted)};
    note_leniency(revised.noted, "touched_kept", is_touched);
    return revised;
}

Revised read_reply(const Reply& reply, const RevisionRequest& request, const ModelReviserOptions& options,
                   const WordingTable& wordings) {
    if (const std::string problem = reply.problem(); !problem.empty()) return {request.text, problem};
    const bool is_by_plan = request.response != nullptr;
    RevisionReply read = read_revision_reply(reply.text, request.text, options.reason && !is_by_plan, wordings);
    if (!read.unusable.empty()) return {request.text, read.unusable, std::move(read.noted)};
    Revised revised{std::move(read.text), {}, std::move(read.noted)};
    return is_by_plan ? held_to_plan(std::move(revised), request, options.sentences) : revised;
}

}  // namespace

std::string whole_plan(const std::vector<PlanLine>& plan, const std::string& text, SentenceRule sentences,
                       const WordingTable& wordings, const std::vector<std::string>& preserved) {
    const std::vector<std::string> all = split_sentences(text, sentences);
    const std::vector<int> lines = match_plan(plan, all);
    std::string out;
    for (size_t i = 0; i < all.size(); ++i) {
        if (!out.empty()) out += "\n";
        std::string held;
        for (const std::string& keyword : preserved)
            if (all[i].find(keyword) != std::string::npos) held += (held.empty() ? "" : ", ") + keyword;
        const bool is_planned = lines[i] >= 0;
        std::string line = is_planned ? plan[static_cast<size_t>(lines[i])].plan : wordings.first("keep");
        if (is_planned && !held.empty()) line = fill_in(wordings.first("preserve"), {{"plan", line}, {"keywords", held}});
        out += "Sentence: \"" + all[i] + "\"; Improvement Plan: \"" + line + "\"";
    }
    return out;
}

ModelReviser::ModelReviser(System& system, const PromptFiles& prompts, ModelReviserOptions options)
    : system_(system),
      options_(std::move(options)),
      plan_(prompts.text("reviser.plan.txt", {"plan"})),
      direct_(prompts.text("reviser.direct.txt", {"instruction", "text"})),
      reason_(prompts.text("reviser.cot.txt", {"instruction", "text"})),
      again_(prompts.text("reviser.again.txt", {"instruction", "text"})),
      free_(prompts.text("reviser.free.txt", {"text"})),
      replies_(WordingTable::load(prompts.path("reviser_replies.json"))) {}

std::string ModelReviser::prompt(const RevisionRequest& request) const {
    std::map<std::string, std::string> values = {
        {"instruction", request.instruction}, {"text", request.text}, {"original", request.original}};
    if (request.response != nullptr) {
        const std::vector<std::string> preserved = keywords_to_preserve(request.original, options_.preserve);
        values["plan"] = whole_plan(request.response->parts.plan, request.text, options_.sentences, replies_, preserved);
        return fill_in(plan_, values);
    }
    if (request.instruction.empty()) return fill_in(free_, values);
    if (options_.reason) return fill_in(reason_, values);
    return fill_in(request.text == request.original ? direct_ : again_, values);
}

std::vector<Revised> ModelReviser::revise(const std::vector<RevisionRequest>& requests) {
    std::vector<Revised> revised(requests.size());
    std::vector<size_t> open;
    for (size_t i = 0; i < requests.size(); ++i) {
        const ParsedResponse* response = requests[i].response;
        if (response == nullptr || !response->parts.plan.empty())
            open.push_back(i);
        else
            revised[i] = {requests[i].text, "no_plan"};
    }
    for (int64_t attempt = 0; attempt < options_.attempts && !open.empty(); ++attempt) {
        SamplingOptions sampling = options_.sampling;
        if (attempt > 0 && sampling.temperature == 0) sampling.temperature = options_.again_temperature;
        std::vector<Request> asks;
        for (const size_t i : open)
            asks.push_back({{{Role::user, prompt(requests[i])}},
                            requests[i].item,
                            requests[i].sample + static_cast<uint64_t>(attempt) * kAttemptStride});
        const std::vector<Reply> replies = system_.answer(asks, sampling);
        if (replies.size() != asks.size())
            throw Error("reviser " + name(), std::to_string(asks.size()) + " replies", std::to_string(replies.size()));
        std::vector<size_t> again;
        for (size_t k = 0; k < open.size(); ++k) {
            Revised& one = revised[open[k]];
            Revised now = read_reply(replies[k], requests[open[k]], options_, replies_);
            now.usage = std::move(one.usage);
            now.usage.push_back(replies[k].usage);
            if (attempt > 0) now.noted["asked_again"] = attempt;
            one = std::move(now);
            // Of one that failed or was cut the system has asked by itself once more where that may help.
            if (!one.is_usable() && replies[k].problem().empty()) again.push_back(open[k]);
        }
        open = std::move(again);
    }
    return revised;
}

}  // namespace craft
