#include "train/bad_batch.h"

#include <type_traits>

#include "core/json.h"
#include "losses/choice_names.h"

namespace craft {

namespace {

Json request_of(const LossOptions& loss) {
    Json request = {{"loss", loss_name(loss.name)}};
    for_each_coefficient(loss, [&](const char* name, const auto& value, const char*) {
        if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>)
            request[name] = choice_name(value);
        else
            request[name] = value;
    });
    return request;
}

Json sequence_of(const TokenTree& tree, const MaskedTokens& branch) {
    std::vector<int64_t> ids = tree.prefix;
    std::vector<int> mask(tree.prefix.size(), 0);
    ids.insert(ids.end(), branch.tokens.begin(), branch.tokens.end());
    mask.insert(mask.end(), branch.counted.begin(), branch.counted.end());
    return {{"input_ids", ids}, {"completion_mask", mask}};
}

}  // namespace

void write_bad_batch(const std::filesystem::path& file, int64_t step, const std::vector<const TokenTree*>& examples,
                     const LossOptions& loss, const std::vector<ReferenceSums>& references) {
    const bool pairs = needs_pairs(loss.name);
    Json rows = Json::array();
    for (size_t i = 0; i < examples.size(); ++i) {
        const TokenTree& tree = *examples[i];
        if (!pairs) {
            for (const MaskedTokens& branch : tree.branches) rows.push_back(sequence_of(tree, branch));
            continue;
        }
        rows.push_back(
            {{"chosen", sequence_of(tree, tree.branches.at(0))}, {"rejected", sequence_of(tree, tree.branches.at(1))}});
        if (!references.empty())
            rows.back()["reference"] = {{"chosen", references[i].chosen}, {"rejected", references[i].rejected}};
    }
    write_json_file(
        file, {{"id", "step-" + std::to_string(step)}, {"request", request_of(loss)}, {pairs ? "pairs" : "sequences", rows}},
        /*indent=*/-1);
}

}  // namespace craft
