#include "gec/retrieval/pair_indexing.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>

#include "core/progress.h"
#include "core/signals.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

namespace {

constexpr size_t kLongestSentence = 5000;  // bytes: longer ones are no sentences

// What becomes of a pair: entries, or why it is left out.
struct MadeEntries {
    std::vector<GrammarEntry> entries;
    std::string dropped;
    std::exception_ptr failure = nullptr;  // no fault of the pair
};

std::string unfit(const SentencePair& pair) {
    if (trim_view(pair.source).empty() || trim_view(pair.target).empty()) return "empty sentence";
    return std::max(pair.source.size(), pair.target.size()) > kLongestSentence ? "too long" : "";
}

bool is_correct(const SentencePair& pair) {
    return whitespace_words(pair.source) == whitespace_words(pair.target);
}

// Entries by rules, of all pairs, by several threads.
std::vector<MadeEntries> made_by_rules(const std::vector<const SentencePair*>& pairs, const PairIndexers& with,
                                       int64_t threads) {
    std::vector<MadeEntries> made(pairs.size());
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i = next++; i < pairs.size() && stop_signal() == 0; i = next++) {
            try {
                made[i].entries = rule_entries(*pairs[i], with.language, with.knowledge);
                if (made[i].entries.empty() && !is_correct(*pairs[i])) made[i].dropped = "edits not found";
            } catch (const Error&) {
                made[i].dropped = "edits not found";  // too much stands in another order
            } catch (...) {
                made[i].failure = std::current_exception();
            }
        }
    };
    std::vector<std::thread> others;
    for (int64_t i = 1; i < std::min<int64_t>(threads, static_cast<int64_t>(pairs.size())); ++i) others.emplace_back(work);
    work();
    for (std::thread& thread : others) thread.join();
    throw_if_stopped();
    for (const MadeEntries& one : made)
        if (one.failure) std::rethrow_exception(one.failure);
    return made;
}

class PairIndexing {
public:
    PairIndexing(const PairIndexers& with, RetrievalWriter& writer, const PairIndexingOptions& options)
        : with_(with), writer_(writer), options_(options) {}

    void add(std::vector<const SentencePair*> pairs) {
        counts_.pairs += static_cast<int64_t>(pairs.size());
        std::erase_if(pairs, [&](const SentencePair* pair) {
            const std::string reason = unfit(*pair);
            if (!reason.empty()) ++counts_.dropped[reason];
            return !reason.empty();
        });
        std::erase_if(pairs, [&](const SentencePair* pair) {
            const bool there = writer_.has(*pair);
            if (there) ++counts_.there_already;
            return there;
        });
        std::vector<MadeEntries> made = made_by_rules(pairs, with_, options_.threads);
        std::vector<bool> by_model(pairs.size());
        if (with_.model != nullptr && !ask_model(pairs, made, by_model)) {
            counts_.awaited += static_cast<int64_t>(pairs.size());
            return;
        }
        write(pairs, made, by_model);
    }
    const PairIndexingCounts& counts() const { return counts_; }

private:
    // Whether there are answers now.
    bool ask_model(const std::vector<const SentencePair*>& pairs, std::vector<MadeEntries>& made,
                   std::vector<bool>& by_model) {
        std::vector<const SentencePair*> asked;
        std::vector<size_t> places;
        for (size_t i = 0; i < pairs.size(); ++i) {
            if (!made[i].dropped.empty() || made[i].entries.empty()) continue;
            asked.push_back(pairs[i]);
            places.push_back(i);
        }
        std::vector<EntryAnswer> answers;
        try {
            answers = with_.model->ask(asked);
        } catch (const AwaitedAnswer&) {
            return false;
        }
        for (size_t k = 0; k < answers.size(); ++k) {
            if (!answers[k].problem.empty()) continue;
            made[places[k]].entries = std::move(answers[k].entries);
            by_model[places[k]] = true;
        }
        return true;
    }

    void write(const std::vector<const SentencePair*>& pairs, std::vector<MadeEntries>& made,
               const std::vector<bool>& by_model) {
        std::vector<IndexedPair> batch;
        std::vector<std::string> sources;
        std::vector<bool> modelled;
        for (size_t i = 0; i < pairs.size(); ++i) {
            if (!made[i].dropped.empty()) {
                ++counts_.dropped[made[i].dropped];
                continue;
            }
            sources.push_back(pairs[i]->source);
            batch.push_back({pairs[i], std::move(made[i].entries)});
            modelled.push_back(by_model[i]);
        }
        if (with_.encoder) {
            const std::vector<std::vector<float>> vectors = with_.encoder.encode(sources);
            if (vectors.size() != batch.size())
                throw Error(with_.encoder.name, std::to_string(batch.size()) + " vectors", std::to_string(vectors.size()));
            for (size_t i = 0; i < batch.size(); ++i) batch[i].vector = vectors[i];
        }
        const std::vector<bool> is_new = writer_.add(batch);
        for (size_t i = 0; i < batch.size(); ++i) {
            if (!is_new[i]) {
                ++counts_.there_already;
                continue;
            }
            ++counts_.indexed;
            counts_.correct += batch[i].entries.empty() ? 1 : 0;
            counts_.by_model += modelled[i] ? 1 : 0;
            counts_.entries += static_cast<int64_t>(batch[i].entries.size());
        }
    }

    const PairIndexers& with_;
    RetrievalWriter& writer_;
    const PairIndexingOptions& options_;
    PairIndexingCounts counts_;
};

}  // namespace

Json to_json(const PairIndexingCounts& counts) {
    return {{"pairs", counts.pairs},     {"indexed", counts.indexed}, {"there_already", counts.there_already},
            {"correct", counts.correct}, {"entries", counts.entries}, {"by_model", counts.by_model},
            {"awaited", counts.awaited}, {"dropped", counts.dropped}};
}

PairIndexingCounts index_pairs(const std::vector<SentencePair>& pairs, const PairIndexers& with, RetrievalWriter& writer,
                               const PairIndexingOptions& options) {
    PairIndexing indexing(with, writer, options);
    Progress progress("indexing", static_cast<int64_t>(pairs.size()), "pairs");
    for (size_t begin = 0; begin < pairs.size();) {
        throw_if_stopped();
        const size_t end = std::min(pairs.size(), begin + static_cast<size_t>(options.batch));
        std::vector<const SentencePair*> batch;
        for (size_t i = begin; i < end; ++i) batch.push_back(&pairs[i]);
        indexing.add(std::move(batch));
        progress.advance(static_cast<int64_t>(end - begin));
        begin = end;
    }
    progress.finish();
    return indexing.counts();
}

}  // namespace craft
