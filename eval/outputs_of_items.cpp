#include "eval/outputs_of_items.h"

#include "core/utf8.h"
#include "data/row_domains.h"

namespace craft {

OutputsOfItems::OutputsOfItems(const std::string& file, bool rounds, const JsonLinesOptions& lines) {
    std::vector<RevisedText> all = rounds ? read_revised_rounds(file, lines) : read_revised_texts(file, lines);
    if (rounds) rounds_ = most_rounds(all);
    for (RevisedText& one : all) {
        const std::string id = one.id;
        if (rounds && one.rounds.size() < rounds_) ++ended_early_;
        outputs_.emplace(id, Output{std::move(one)});
    }
}

std::vector<GroupedItem> OutputsOfItems::read(const Json& row, const MetricNeeds& needs, const std::string& where) {
    const std::string id = id_text(row, where);
    const auto found = outputs_.find(id);
    if (found == outputs_.end()) {
        ++missing_;
        return {};
    }
    found->second.is_used = true;
    const RevisedText& revised = found->second.revised;
    Json joined = {{"id", id}, {"prediction", revised.text}};
    if (needs.source) joined["source"] = string_field(row, has_value(row, "source") ? "source" : "text", where);
    if (has_value(row, "references")) joined["references"] = row.at("references");
    GroupedItem last{read_metric_item(joined, needs, where)};
    for (const std::string& domain : row_domains(row, where)) last.groups.push_back({"by_domain", domain});
    std::vector<GroupedItem> items;
    for (size_t round = 1; round < rounds_; ++round) {
        GroupedItem earlier{last.item, {{"by_round", std::to_string(round)}}, false};
        earlier.item.prediction = text_after(revised, round);
        items.push_back(std::move(earlier));
    }
    if (rounds_ > 0) last.groups.push_back({"by_round", std::to_string(rounds_)});
    items.push_back(std::move(last));
    return items;
}

Json OutputsOfItems::finish() const {
    for (const auto& [id, output] : outputs_)
        if (!output.is_used) throw Error(output.revised.where, "an id of --items", "'" + shortened(id, 80) + "'");
    Json counts = {{"missing", missing_}};
    if (rounds_ > 0) counts.update({{"rounds", rounds_}, {"ended_early", ended_early_}});
    return counts;
}

}  // namespace craft
