// Rendered instructions: what they say reads back to the constraints that they were made of.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "core/rng.h"
#include "tests/constraints/read_instruction.h"

namespace craft {
namespace {

using testing::HasSubstr;
using testing::Not;

Constraint some_constraint(Shape shape, Rng& rng) {
    Constraint c;
    c.shape = shape;
    int64_t id = 0;
    for (size_t i = 0; i < ids_of(shape); ++i) c.ids.push_back(id += rng.between(1, 9));
    if (has_count(shape)) c.n = rng.between(2, 140);
    if (shape == Shape::words_range) c.m = c.n - rng.between(2, 30);
    if (c.m < 0) c.m = 0;
    if (shape == Shape::words_range && c.n < c.m + 2) c.n = c.m + 2;
    if (has_keyword(shape)) c.keyword = rng.pick(std::vector<std::string>{"river", "Oslo", "well-known", "o'clock"});
    return c;
}

// Its phrases stand in it one behind the other.
std::string rendered(const std::vector<Constraint>& constraints, Split split, uint64_t seed) {
    Rng rng(seed, "render");
    const Rendering rendering = render_instruction(constraints, {}, shipped(), split, rng);
    EXPECT_EQ(rendering.phrases.size(), constraints.size());
    size_t at = 0;
    for (const std::string& phrase : rendering.phrases) {
        at = rendering.instruction.find(phrase, at);
        EXPECT_NE(at, std::string::npos) << phrase << " in " << rendering.instruction;
        at += phrase.size();
    }
    return rendering.instruction;
}

// A constraint's phrase goes from the start of its sentence, or from where it is joined to another, to its end: what is left
// of the instruction is the request and the joints.
TEST(Rendering, PhrasesLeaveNothingButTheRequestAndTheJoints) {
    const std::regex joint(R"(\. (Do so )?|, (and )?| and (that )?)"), request(R"([^.,]*(\. (Do so )?|, ))");
    for (uint64_t seed = 0; seed < 500; ++seed) {
        Rng rng(seed, "constraints");
        std::vector<Constraint> constraints;
        for (int i = 0; i < 4; ++i) constraints.push_back(some_constraint(rng.pick(all_shapes()), rng));
        Rng words(seed, "render");
        const Rendering rendering = render_instruction(constraints, {}, shipped(), Split::all, words);
        const std::string& text = rendering.instruction;
        size_t end = text.find(rendering.phrases.front());
        ASSERT_NE(end, std::string::npos) << text;
        EXPECT_TRUE(std::regex_match(text.substr(0, end), request)) << rendering.phrases.front() << " in " << text;
        for (size_t i = 1; i < rendering.phrases.size(); ++i) {
            end += rendering.phrases[i - 1].size();
            const size_t begin = text.find(rendering.phrases[i], end);
            ASSERT_NE(begin, std::string::npos) << text;
            EXPECT_TRUE(std::regex_match(text.substr(end, begin - end), joint)) << rendering.phrases[i] << " in " << text;
            end = begin;
        }
        EXPECT_EQ(text.substr(end), rendering.phrases.back() + ":");
    }
}

// As rendered: numbers in words too, joined to an opener.
TEST(Rendering, CountsReadBackToTheGoldCalls) {
    for (const Shape shape : all_shapes()) {
        if (!has_count(shape)) continue;
        for (const Split split : {Split::train, Split::dev})
            for (uint64_t seed = 0; seed < 150; ++seed) {
                Rng rng(seed, "constraints", static_cast<uint64_t>(shape));
                const Constraint c = some_constraint(shape, rng);
                const std::string text = rendered({c}, split, seed);
                const Reading read = read_counts(text), meant = meant_by(c);
                ASSERT_EQ(read.more_than, meant.more_than) << text;
                ASSERT_EQ(read.less_than, meant.less_than) << text;
                ASSERT_EQ(read.exactly, meant.exactly) << text;
            }
    }
}

TEST(Rendering, NamesEveryIdAndQuotesEveryKeyword) {
    for (const Shape shape : all_shapes())
        for (uint64_t seed = 0; seed < 200; ++seed) {
            Rng rng(seed, "constraints", static_cast<uint64_t>(shape));
            const Constraint c = some_constraint(shape, rng);
            const std::string text = rendered({c}, Split::all, seed);
            if (ids_of(shape) > 0) {
                std::string plain = std::regex_replace(text, std::regex("no sentence but|the only ones? to"), "");
                plain = std::regex_replace(plain, std::regex("the (\\S+(?: \\S+)*) ones? "), "the $1 ");
                EXPECT_EQ(read_ids(plain), std::set<int64_t>(c.ids.begin(), c.ids.end())) << text;
            }
            if (has_keyword(shape)) {
                const bool quoted = text.find("\"" + c.keyword + "\"") != std::string::npos ||
                                    (c.keyword != "o'clock" && text.find("'" + c.keyword + "'") != std::string::npos);
                EXPECT_TRUE(quoted) << text;
            }
        }
}

TEST(Rendering, ShiftedFormsSayTheSameBound) {
    const Constraint less{Shape::sentences_less, {}, 6, 0, ""}, more{Shape::sentences_more, {}, 6, 0, ""};
    const Constraint twice{Shape::frequency_at_least, {}, 1, 0, "river"};
    std::set<std::string> seen;
    for (uint64_t seed = 0; seed < 400; ++seed) {
        for (const auto& [constraint, phrase] : {std::pair{less, "at most "},
                                                 {less, "fewer than "},
                                                 {more, "at least "},
                                                 {more, "more than "},
                                                 {twice, "at least "}}) {
            const std::string text = rendered({constraint}, Split::all, seed);
            const size_t at = text.find(phrase);
            if (at != std::string::npos)
                seen.insert(shape_name(constraint.shape) + ": " +
                            text.substr(at, text.find_first_of(" .:,", at + std::string(phrase).size()) - at));
        }
    }
    EXPECT_THAT(seen, testing::UnorderedElementsAre("sentences_less: at most 5", "sentences_less: at most five",
                                                    "sentences_less: fewer than 6", "sentences_less: fewer than six",
                                                    "sentences_more: at least 7", "sentences_more: at least seven",
                                                    "sentences_more: more than 6", "sentences_more: more than six",
                                                    "frequency_at_least: at least 2", "frequency_at_least: at least twice"));
}

TEST(Rendering, OneSentenceIsNotPlural) {
    std::set<std::string> seen;
    for (uint64_t seed = 0; seed < 200; ++seed) {
        const std::string text = rendered({{Shape::sentences_less, {}, 2, 0, ""}}, Split::all, seed);
        EXPECT_FALSE(std::regex_search(text, std::regex(R"(\b(1|one) sentences)"))) << text;
        std::smatch found;
        if (std::regex_search(text, found, std::regex(R"(\b(1|one|2|two) sentences?\b)"))) seen.insert(found.str());
    }
    EXPECT_THAT(seen, testing::ElementsAre("1 sentence", "2 sentences", "one sentence", "two sentences"));
}

TEST(Rendering, WritesNumbersInWordsNowAndThenButNotLargeOnes) {
    int words = 0, large = 0;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
        words +=
            rendered({{Shape::sentences_exactly, {}, 42, 0, ""}}, Split::all, seed).find("forty-two") != std::string::npos;
        large += rendered({{Shape::words_more, {}, 320, 0, ""}}, Split::all, seed).find("hundred") != std::string::npos;
    }
    EXPECT_NEAR(words, 400, 80);  // two in five; five standard deviations of sqrt(1000 * 0.4 * 0.6) = 15.5
    EXPECT_EQ(large, 0);
}

TEST(Rendering, JoinsSeveralConstraintsWithoutLosingOne) {
    for (uint64_t seed = 0; seed < 2000; ++seed) {
        Rng rng(seed, "sets");
        std::vector<Shape> shapes = all_shapes();
        rng.shuffle(shapes);
        std::vector<Constraint> constraints;
        for (size_t i = 0; i < seed % 5; ++i) constraints.push_back(some_constraint(shapes[i], rng));
        const std::string text = rendered(constraints, seed % 2 == 0 ? Split::train : Split::dev, seed);
        EXPECT_TRUE(keeps_values(text, text, constraints)) << text;
        EXPECT_EQ(text.back(), ':');
        EXPECT_THAT(text, Not(HasSubstr("{")));
        EXPECT_THAT(text, Not(HasSubstr("..")));
        EXPECT_THAT(text, Not(HasSubstr("  ")));
        for (size_t at = text.find(". "); at != std::string::npos; at = text.find(". ", at + 1))
            EXPECT_TRUE(std::isupper(static_cast<unsigned char>(text[at + 2])) != 0) << text;
        const bool dev_opener =
            std::any_of(shipped().of(Part::openers).begin(), shipped().of(Part::openers).end(), [&](const Wording& opener) {
                return opener.split == (seed % 2 == 1 ? Split::dev : Split::train) &&
                       std::any_of(opener.texts.begin(), opener.texts.end(),
                                   [&](const std::string& said) { return text.starts_with(said); });
            });
        EXPECT_TRUE(dev_opener) << text;
        EXPECT_EQ(text, rendered(constraints, seed % 2 == 0 ? Split::train : Split::dev, seed));
    }
}

}  // namespace
}  // namespace craft
