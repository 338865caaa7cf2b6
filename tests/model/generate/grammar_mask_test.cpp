// Which tokens a grammar allows, against trying each of them byte by byte.
#include "model/generate/grammar_mask.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "core/error.h"
#include "core/rng.h"
#include "tests/model/tokenizer/small_tokenizer.h"

namespace craft {
namespace {

using Term = GrammarTerm;

// Tokens that are what the test says; a text loses the blank that it begins with where `drops` is set.
class Pieces : public Tokenizer {
public:
    Pieces(std::vector<std::string> pieces, bool drops) : pieces_(std::move(pieces)), drops_(drops) {}
    std::vector<int64_t> encode_around(std::string_view, const std::vector<ByteRange>&) const override { return {}; }
    std::string decode(const std::vector<int64_t>& ids, bool) const override {
        std::string text;
        for (const int64_t id : ids) text += pieces_[static_cast<size_t>(id)];
        return drops_ && text.starts_with(' ') ? text.substr(1) : text;
    }
    int64_t vocabulary_size() const override { return static_cast<int64_t>(pieces_.size()); }
    int64_t id_of(std::string_view) const override { return -1; }
    std::vector<int64_t> leading_tokens() const override { return {}; }
    int64_t end_token() const override { return -1; }
    std::optional<std::string> bytes_of(int64_t id) const override {
        const std::string& piece = pieces_[static_cast<size_t>(id)];
        return piece == "<end>" ? std::nullopt : std::optional(piece);
    }

private:
    std::vector<std::string> pieces_;
    bool drops_;
};

std::shared_ptr<const Grammar> number_lists() {  // "7, 42, 0", in brackets
    return std::make_shared<const Grammar>(GrammarRules{
        {"list",
         Term::sequence({Term::literal("["), Term::rule("n"),
                         Term::repeated(Term::sequence({Term::literal(", "), Term::rule("n")})), Term::literal("]")})},
        {"n", Term::choice(
                  {Term::literal("0"), Term::sequence({Term::range('1', '9'), Term::repeated(Term::range('0', '9'))})})}});
}

std::set<int64_t> ids_in(const std::vector<uint64_t>& mask) {
    std::set<int64_t> found;
    for (size_t i = 0; i < mask.size() * 64; ++i)
        if ((mask[i / 64] >> (i % 64) & 1) != 0) found.insert(static_cast<int64_t>(i));
    return found;
}

const std::vector<std::string> kPieces = {"<end>", "[",  "[1", "0",  "12", ", ",   ",", " 3",
                                          "]",     "]]", "",   " [", " ",  "1, 2", "["};

TEST(GrammarMask, AllowsTokensWhoseBytesAllFit) {
    const Pieces tokenizer(kPieces, false);
    const GrammarMask mask(number_lists(), tokenizer);
    GrammarMask::Place place = mask.begin();
    EXPECT_EQ(ids_in(mask.allowed(place)), (std::set<int64_t>{1, 2, 14})) << "[ and [1, and the second [";
    mask.advance(place, 2);
    EXPECT_EQ(ids_in(mask.allowed(place)), (std::set<int64_t>{3, 4, 5, 6, 8, 13})) << "digits, commas, ], 1, 2";
    EXPECT_EQ(&mask.allowed(place), &mask.allowed(place)) << "kept";
    mask.advance(place, 6);
    EXPECT_EQ(ids_in(mask.allowed(place)), (std::set<int64_t>{7, 12})) << "a blank, and one with a digit";
    mask.advance(place, 7);
    mask.advance(place, 8);
    EXPECT_TRUE(place.state.may_end());
    EXPECT_TRUE(ids_in(mask.allowed(place)).empty());
}

TEST(GrammarMask, ABlankAtTheBeginningMayBeLost) {
    const Pieces tokenizer(kPieces, true);
    const GrammarMask mask(number_lists(), tokenizer);
    GrammarMask::Place place = mask.begin();
    EXPECT_EQ(ids_in(mask.allowed(place)), (std::set<int64_t>{1, 2, 11, 14}));
    mask.advance(place, 11);
    EXPECT_EQ(ids_in(mask.allowed(place)), (std::set<int64_t>{3, 4, 13}));
    EXPECT_TRUE(place.is_begun);
}

TEST(GrammarMask, LogitsOfOthersAreNever) {
    const Pieces tokenizer(kPieces, false);
    const GrammarMask mask(number_lists(), tokenizer);
    const std::vector<int64_t> ends = {0}, more = {3, 99, -1};
    GrammarMask::Place place = mask.begin();
    const auto masked = [&](size_t vocabulary) {
        std::vector<float> logits(vocabulary);
        for (size_t i = 0; i < vocabulary; ++i) logits[i] = static_cast<float>(i) + 1;
        const bool is_any = mask.apply(logits, place, {ends, more});
        std::map<int64_t, float> left;
        for (size_t i = 0; i < vocabulary; ++i)
            if (!std::isinf(logits[i])) left[static_cast<int64_t>(i)] = logits[i];
        EXPECT_EQ(is_any, !left.empty());
        return left;
    };
    EXPECT_EQ(masked(200), (std::map<int64_t, float>{{1, 2}, {2, 3}, {14, 15}})) << "rows beyond the tokenizer's are never";
    EXPECT_EQ(masked(2), (std::map<int64_t, float>{{1, 2}})) << "a model with fewer tokens";
    mask.advance(place, 2);
    EXPECT_EQ(masked(20).count(3), 0u) << "a token that ends is no text";
    mask.advance(place, 8);
    EXPECT_EQ(masked(20), (std::map<int64_t, float>{{0, 1}, {3, 4}})) << "the end, by either token";
    GrammarMask::Place dead = mask.begin();
    mask.advance(dead, 8);
    place = dead;
    EXPECT_TRUE(masked(20).empty());
}

// All tokens of trained vocabularies, at all places of a text, against taking each byte by byte.
TEST(GrammarMask, EqualsTryingEveryToken) {
    for (const TokenizerModel model : {TokenizerModel::bpe, TokenizerModel::unigram}) {
        const test::TokenizerFolder folder("grammar-mask", {model == TokenizerModel::bpe ? 400 : 330, model});
        const auto tokenizer = open_tokenizer(folder.path);
        const auto grammar = std::make_shared<const Grammar>(GrammarRules{
            {"text",
             Term::sequence({Term::repeated(Term::sequence({Term::repeated(Term::none_of("\n;q"), 1), Term::literal("\n")})),
                             Term::literal("; done")})}});
        const GrammarMask mask(grammar, *tokenizer);
        GrammarMask::Place place = mask.begin();
        for (const int64_t id : tokenizer->encode("The quiet\nriver is it\n; done", false)) {
            std::set<int64_t> expected;
            for (int64_t token = 0; token < tokenizer->vocabulary_size(); ++token) {
                std::string bytes = tokenizer->bytes_of(token).value_or("");
                if (bytes.empty()) continue;
                const std::string alone = tokenizer->decode({token}, false);
                if (!place.is_begun && bytes[0] == ' ' && alone == bytes.substr(1)) bytes = alone;
                GrammarState state = place.state;
                bool fits = !bytes.empty();
                for (const char c : bytes) fits = fits && state.advance(static_cast<uint8_t>(c));
                if (fits) expected.insert(token);
            }
            ASSERT_EQ(ids_in(mask.allowed(place)), expected);
            if (expected.count(id) == 0) break;  // "quiet" holds a q
            mask.advance(place, id);
        }
        EXPECT_TRUE(place.state.is_live() && place.is_begun);
    }
}

TEST(GrammarMask, TokensMustHaveTextsOfTheirOwn) {
    EXPECT_THROW(GrammarMask(number_lists(), Pieces({"<end>", ""}, false)), Error);
}

}  // namespace
}  // namespace craft
