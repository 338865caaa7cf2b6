#include "eval/editeval/asking.h"

#include "core/rng.h"

namespace craft {

Request edit_request(const EditAsking& asking, const std::string& prompt, const EditItem& item) {
    Request request;
    request.conversation = Conversation({Message{
        Role::user, render_edit_prompt(asking.first_word, prompt, item, static_cast<size_t>(asking.max_documents))}});
    request.item = stable_hash(item.id);
    return request;
}

SamplingOptions edit_sampling(const EditAsking& asking) {
    SamplingOptions sampling;
    sampling.max_new_tokens = asking.max_new_tokens;
    sampling.stop = stop_strings(asking.first_word);
    sampling.keep_histories = false;  // no request continues after an answer
    sampling.stage = "editeval";
    return sampling;
}

Json prediction_row(const EditAsking& asking, const std::string& prompt, const EditItem& item, const Reply& reply) {
    Json row = {{"id", item.id}, {"prompt", prompt}};
    if (reply.status == Reply::Status::failed) {
        row["prediction"] = nullptr;
        row["status"] = "failed";
        row["failure"] = failure_name(reply.failure);
        return row;
    }
    if (!reply.problem().empty()) {
        row["prediction"] = nullptr;
        row["status"] = reply.problem();
        row["answer"] = reply.text;
        return row;
    }
    const std::string text = edited_text(reply.text, asking.first_word, item);
    row["prediction"] = text;
    row["status"] = "finished";
    if (text != reply.text) row["answer"] = reply.text;
    return row;
}

}  // namespace craft
