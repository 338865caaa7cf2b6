#include "gec/retrieval/model_entries.h"

#include "gec/retrieval/error_keys.h"
#include "text/utf8.h"
#include "text/wording_table.h"

namespace craft {

namespace {

void add_keys(GrammarEntry& entry, const SentencePair& pair) {
    if (entry.from.empty()) return;  // where an insertion belongs, its words do not say
    const std::string_view source = pair.source;
    const size_t at = source.find(entry.from);
    entry.keys = error_keys(source.substr(0, at), entry.from, source.substr(at + entry.from.size()), false);
}

EntryAnswer answer_of(const Reply& reply, const SentencePair& pair) {
    if (const std::string problem = reply.problem(); !problem.empty()) return {{}, problem};
    EntryAnswer answer = read_entry_answer(reply.text, pair);
    for (GrammarEntry& entry : answer.entries) {
        entry.knowledge = lowercase(entry.knowledge);
        add_keys(entry, pair);
    }
    return answer;
}

}  // namespace

Json to_json(const ModelEntryCounts& counts) {
    return {{"asked", counts.asked}, {"read", counts.read}, {"unread", counts.unread}};
}

ModelEntries::ModelEntries(System& system, const PromptFiles& prompts, SamplingOptions sampling)
    : system_(system), prompt_(prompts.text("gec_entries.txt", {"source", "target"})), sampling_(std::move(sampling)) {}

std::vector<EntryAnswer> ModelEntries::ask(const std::vector<const SentencePair*>& pairs) {
    std::vector<Request> requests;
    for (const SentencePair* pair : pairs) {
        const std::string text = fill_in(prompt_, {{"source", pair->source}, {"target", pair->target}});
        requests.push_back({.conversation = {{Role::user, text}}, .item = item_++});
    }
    const std::vector<Reply> replies = system_.answer(requests, sampling_);
    if (replies.size() != requests.size())
        throw Error(system_.name(), std::to_string(requests.size()) + " replies", std::to_string(replies.size()));
    std::vector<EntryAnswer> answers;
    for (size_t i = 0; i < pairs.size(); ++i) {
        answers.push_back(answer_of(replies[i], *pairs[i]));
        ++counts_.asked;
        if (answers.back().problem.empty())
            ++counts_.read;
        else
            ++counts_.unread[answers.back().problem];
    }
    return answers;
}

}  // namespace craft
