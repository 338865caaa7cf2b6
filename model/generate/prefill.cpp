#include "model/generate/prefill.h"

#include <algorithm>
#include <utility>

namespace craft {

Prefill::Prefill(std::vector<const std::vector<int64_t>*> prompts, Steps& steps, HistoryStore* kept,
                 const std::vector<int64_t>* next)
    : prompts_(std::move(prompts)), steps_(steps), kept_(steps.uses_kept_histories() ? kept : nullptr) {
    if (steps.is_exact() && next != nullptr && kept_ != nullptr) {
        std::vector<const std::vector<int64_t>*> all = prompts_;
        all.push_back(next);
        tree_ = prompt_tree(all);
        tree_.pop_back();  // its rest
    } else if (steps.is_exact()) {
        tree_ = prompt_tree(prompts_);
    } else {
        for (size_t p = 0; p < prompts_.size(); ++p)
            tree_.push_back({-1, static_cast<int64_t>(p), 0, static_cast<int64_t>(prompts_[p]->size()), true});
    }
    progress_.resize(tree_.size());
}

// Where a stretch continues: after the longest history of its tokens that is kept, or after its parent.
void Prefill::begin(size_t stretch) {
    const PrefixSegment& s = tree_[stretch];
    Progress& p = progress_[stretch];
    p.is_begun = true;
    p.end = s.from;
    if (s.parent >= 0) p.cached = progress_[static_cast<size_t>(s.parent)].cached;
    if (kept_ == nullptr) return;
    // Of a prompt's rest a token is left, from which its logits come.
    const HistoryStore::Found found = kept_->longest(*prompts_[static_cast<size_t>(s.prompt)], s.is_rest ? s.to - 1 : s.to);
    if (found.length <= s.from) return;
    // Elsewhere what continues after a history is a pass of its own.
    if (!steps_.is_exact() && 2 * found.length < s.to) return;
    std::shared_ptr<const History> beginning = steps_.beginning(found.history, found.length, s.to);
    if (!beginning) return;
    p.history = std::move(beginning);
    p.end = p.cached = found.length;
}

std::vector<Prefill::Ready> Prefill::advance(int64_t max_tokens) {
    max_tokens = std::max<int64_t>(1, max_tokens);
    std::vector<Extension> extensions;
    std::vector<size_t> stretches;  // of these
    int64_t tokens = 0;
    for (size_t i = next_; i < tree_.size(); ++i) {
        const PrefixSegment& s = tree_[i];
        Progress& p = progress_[i];
        if (!p.is_begun) begin(i);
        if (p.end == s.to) continue;  // all of it was kept
        const Progress* const parent = s.parent >= 0 && !p.history ? &progress_[static_cast<size_t>(s.parent)] : nullptr;
        const int64_t room = max_tokens - tokens, left = s.to - p.end;
        const bool is_cut = left > room && (steps_.is_exact() || !extensions.empty());
        const int64_t end = !is_cut ? s.to : steps_.is_exact() ? p.end + room : p.end;
        if (end == p.end) break;
        const std::vector<int64_t>& prompt = *prompts_[static_cast<size_t>(s.prompt)];
        Extension e{.tokens = {prompt.begin() + p.end, prompt.begin() + end}, .wants_logits = s.is_rest && end == s.to};
        if (p.history)
            e.before = p.history;
        else if (parent != nullptr && parent->extension >= 0)
            e.follows = parent->extension;
        else if (parent != nullptr)
            e.before = parent->history;
        tokens += end - p.end;
        p.end = end;
        p.extension = static_cast<int64_t>(extensions.size());
        extensions.push_back(std::move(e));
        stretches.push_back(i);
        if (end < s.to) break;  // what follows it waits
    }
    std::vector<Ready> ready;
    std::vector<Extended> computed;
    if (!extensions.empty()) computed = steps_.extend(extensions);
    for (size_t i = 0; i < computed.size(); ++i) {
        const PrefixSegment& s = tree_[stretches[i]];
        Progress& p = progress_[stretches[i]];
        p.extension = -1;
        p.history = computed[i].history;
        if (p.end < s.to) continue;
        const auto prompt = static_cast<size_t>(s.prompt);
        if (s.is_rest) {
            ready.push_back({prompt, std::move(computed[i]), p.cached});
            p.history = nullptr;
        } else if (kept_ != nullptr) {
            kept_->keep({prompts_[prompt]->begin(), prompts_[prompt]->begin() + s.to}, p.history);
        }
    }
    while (next_ < tree_.size() && progress_[next_].is_begun && progress_[next_].end == tree_[next_].to) ++next_;
    return ready;
}

}  // namespace craft
