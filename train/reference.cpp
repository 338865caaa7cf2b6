#include "train/reference.h"

#include <cmath>

#include "core/error.h"
#include "core/files.h"
#include "core/json.h"
#include "core/progress.h"
#include "core/signals.h"
#include "losses/choice_names.h"
#include "train/batch_loss.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

std::vector<const TokenTree*> pointers_to(const std::vector<TokenTree>& trees) {
    std::vector<const TokenTree*> pointers;
    for (const TokenTree& tree : trees) pointers.push_back(&tree);
    return pointers;
}

// A flat list, chosen and rejected of each pair: JSON keeps every bit of a double.
Json flat_list(const std::vector<ReferenceSums>& references) {
    Json list = Json::array();
    for (const ReferenceSums& each : references) {
        list.push_back(each.chosen);
        list.push_back(each.rejected);
    }
    return list;
}

std::vector<ReferenceSums> references_of_list(const Json& list) {
    std::vector<ReferenceSums> references;
    for (size_t i = 0; i + 1 < list.size(); i += 2) references.push_back({list[i].get<double>(), list[i + 1].get<double>()});
    return references;
}

// Of the pairs of one micro-batch.
std::vector<ReferenceSums> sums_of(Decoder& reference, const std::vector<const TokenTree*>& pairs,
                                   int64_t micro_batch_tokens) {
    std::vector<BranchLogprob> branches;
    // Any loss of pairs that needs no reference: its sums are all that is wanted.
    run_batch(reference, pairs, default_loss_options(LossName::simpo),
              {.backward = false,
               .micro_batch_tokens = micro_batch_tokens,
               .branches = &branches,
               .after_micro_batch = throw_if_stopped});
    std::vector<ReferenceSums> sums;
    for (size_t i = 0; i < pairs.size(); ++i) {
        sums.push_back({branches.at(2 * i).sum, branches.at(2 * i + 1).sum});
        for (const double sum : {sums.back().chosen, sums.back().rejected})
            if (!std::isfinite(sum))
                throw Error("log-probabilities by the reference", "finite numbers", std::to_string(sum),
                            "are the model's weights and its adapter's intact?");
    }
    return sums;
}

}  // namespace

std::vector<ReferenceSums> reference_sums(const Decoder& decoder, const std::vector<const TokenTree*>& pairs,
                                          const LossOptions& loss, int64_t micro_batch_tokens, Ranks& ranks,
                                          const std::function<void(int64_t)>& on_done) {
    if (pairs.empty()) return {};
    Decoder reference = loss.reference == Reference::base ? decoder.without_adapter() : decoder;
    std::vector<int64_t> sizes;
    for (const TokenTree* tree : pairs) sizes.push_back(tree->size());
    const int64_t budget = micro_batch_budget(micro_batch_tokens, reference.device(), sizes);
    const auto micro_batches = cut_by_tokens(sizes, budget);
    std::vector<ReferenceSums> own;
    for (size_t i = 0; i < micro_batches.size(); ++i) {
        ranks.check();
        const auto [begin, end] = micro_batches[i];
        if (ranks.is_own(i)) {
            const auto first = pairs.begin() + static_cast<std::ptrdiff_t>(begin);
            const auto sums = sums_of(reference, {first, first + static_cast<std::ptrdiff_t>(end - begin)}, budget);
            own.insert(own.end(), sums.begin(), sums.end());
        }
        if (on_done) on_done(static_cast<int64_t>(end - begin));
    }
    std::vector<std::vector<ReferenceSums>> by_rank;
    for (const std::string& text : ranks.exchange(dump_line(flat_list(own))))
        by_rank.push_back(references_of_list(Json::parse(text)));
    std::vector<ReferenceSums> all;
    std::vector<size_t> taken(by_rank.size(), 0);
    for (size_t i = 0; i < micro_batches.size(); ++i) {
        const size_t rank = i % by_rank.size();
        for (size_t j = micro_batches[i].first; j < micro_batches[i].second; ++j)
            all.push_back(by_rank[rank].at(taken[rank]++));
    }
    return all;
}

TrainingReferences training_references(const Decoder& decoder, const std::vector<TokenTree>& data,
                                       const std::vector<TokenTree>& eval_data, const LossOptions& loss,
                                       int64_t micro_batch_tokens, const std::string& fingerprint, const fs::path& folder,
                                       ProcessGroup& group) {
    const fs::path file = folder / "reference.json";
    const std::string stored = group.broadcast_text(group.is_first() && fs::exists(file) ? read_file(file) : "");
    if (!stored.empty()) {
        const Json json = parse_json(stored, file.string());
        if (json.value("fingerprint", "") != fingerprint)
            throw Error(file.string(), "log-probabilities of the same data, options and starting weights",
                        "those of another run", "choose another folder, or --overwrite");
        return {references_of_list(json.at("data")), references_of_list(json.at("eval_data"))};
    }
    Progress progress("log-probabilities by the reference", static_cast<int64_t>(data.size() + eval_data.size()), "pairs");
    const auto sums_by_reference = [&](const std::vector<TokenTree>& pairs) {
        return reference_sums(decoder, pointers_to(pairs), loss, micro_batch_tokens, group,
                              [&](int64_t done) { progress.advance(done); });
    };
    TrainingReferences made{sums_by_reference(data), sums_by_reference(eval_data)};
    progress.finish();
    group.run_on_first_rank([&] {
        write_json_file(file,
                        {{"fingerprint", fingerprint},
                         {"reference", choice_name(loss.reference)},
                         {"data", flat_list(made.data)},
                         {"eval_data", flat_list(made.eval_data)}},
                        /*indent=*/-1);
    });
    return made;
}

}  // namespace craft
