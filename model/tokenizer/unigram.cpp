// The model Unigram: the tokens with the highest sum of scores.
#include <algorithm>
#include <array>
#include <limits>

#include "core/error.h"
#include "core/utf8.h"
#include "model/tokenizer/byte_trie.h"
#include "model/tokenizer/token_model.h"
#include "text/code_points.h"

namespace craft {

namespace {

constexpr double kUnknownPenalty = 10;  // below the lowest score

class Unigram final : public TokenModel {
public:
    explicit Unigram(const Component& component)
        : byte_fallback_(component.flag("byte_fallback", false)), where_(component.where()) {
        read_scores(component);
        if (component.has("unk_id")) {
            unknown_ = component.number("unk_id");
            if (static_cast<size_t>(unknown_) >= scores_.size())
                component.fail("unk_id", "a token of the vocabulary", std::to_string(unknown_));
        }
        for (size_t byte = 0; byte < 256; ++byte)
            byte_ids_[byte] = vocabulary_.id_of(byte_token(static_cast<unsigned char>(byte)));
    }

    void encode(std::string_view word, std::vector<int64_t>& ids) const override {
        if (word.empty()) return;
        const std::vector<Step> best = best_steps(word);
        thread_local std::vector<std::string_view> parts;
        parts.clear();
        // From the end; neighbouring unknown characters are one part.
        bool in_unknown = false;
        for (size_t end = word.size(); end > 0; end = best[end].begin) {
            const std::string_view part = word.substr(best[end].begin, end - best[end].begin);
            const bool unknown = unknown_ >= 0 && best[end].token == unknown_;
            if (unknown && in_unknown)
                parts.back() = word.substr(best[end].begin, part.size() + parts.back().size());
            else
                parts.push_back(part);
            in_unknown = unknown;
        }
        for (auto part = parts.rbegin(); part != parts.rend(); ++part) add_part(*part, ids);
    }

private:
    struct Step {  // the best way to a place: the last token on it
        double score = 0;
        size_t begin = std::string_view::npos;  // npos: no way leads here
        int64_t token = -1;
    };

    void read_scores(const Component& component) {
        const TokenizerDocument& entries = component.list("vocab");
        std::vector<std::pair<std::string, int64_t>> spellings;
        for (const TokenizerDocument& entry : entries) {
            if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number())
                component.fail("vocab", "pairs of a token and its score",
                               entry.dump(-1, ' ', false, TokenizerDocument::error_handler_t::replace));
            const auto id = static_cast<int64_t>(scores_.size());
            scores_.push_back(entry[1].get<double>());
            lowest_ = std::min(lowest_, scores_.back());
            vocabulary_.add(entry[0].get<std::string>(), id, where_ + ".vocab");
            spellings.emplace_back(entry[0].get<std::string>(), id);
        }
        trie_ = ByteTrie(std::move(spellings));
    }

    std::vector<Step> best_steps(std::string_view word) const {
        std::vector<Step> best(word.size() + 1);
        const double unknown_score = lowest_ - kUnknownPenalty;
        for (size_t at = 0; at < word.size();) {
            const size_t bytes = code_point_at(word, at).bytes;
            const double here = best[at].score;
            bool single = false;  // a token of this one character
            const auto consider = [&](size_t length, double score, int64_t token) {
                Step& step = best[at + length];
                if (step.begin == std::string_view::npos || score > step.score) step = {score, at, token};
            };
            trie_.prefixes(word.substr(at), [&](size_t length, int64_t token) {
                consider(length, scores_[static_cast<size_t>(token)] + here, token);
                single = single || length == bytes;
            });
            if (!single) {
                if (unknown_ < 0) {
                    if (best[at + bytes].begin == std::string_view::npos)
                        throw Error(where_ + ".unk_id", "a token for unknown characters", "none");
                } else {
                    consider(bytes, unknown_score + here, unknown_);
                }
            }
            at += bytes;
        }
        return best;
    }

    void add_part(std::string_view part, std::vector<int64_t>& ids) const {
        if (const int64_t id = vocabulary_.id_of(part); id >= 0) {
            ids.push_back(id);
            return;
        }
        const auto has_byte = [&](char c) { return byte_ids_[static_cast<unsigned char>(c)] >= 0; };
        if (byte_fallback_ && std::all_of(part.begin(), part.end(), has_byte)) {
            for (const char c : part) ids.push_back(byte_ids_[static_cast<unsigned char>(c)]);
            return;
        }
        ids.push_back(unknown_);
    }

    bool byte_fallback_;
    std::string where_;
    ByteTrie trie_;
    std::vector<double> scores_;
    double lowest_ = std::numeric_limits<double>::infinity();
    int64_t unknown_ = -1;
    std::array<int64_t, 256> byte_ids_ = {};
};

}  // namespace

std::unique_ptr<TokenModel> make_unigram(const Component& component) {
    return std::make_unique<Unigram>(component);
}

}  // namespace craft
