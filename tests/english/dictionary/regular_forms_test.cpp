#include "english/dictionary/regular_forms.h"

#include <gtest/gtest.h>

#include <vector>

namespace craft {
namespace {

struct RegularCase {
    const char *lemma, *tag, *form;
};

TEST(RegularForm, GoesByTheEnding) {
    const std::vector<RegularCase> cases = {
        {"wug", "NNS", "wugs"},
        {"blix", "NNS", "blixes"},
        {"starch", "NNS", "starches"},
        {"berry", "NNS", "berries"},
        {"tray", "NNS", "trays"},
        {"photo", "NNS", "photos"},
        {"osmosis", "NNS", "osmoses"},
        {"quiz", "NNS", "quizzes"},
        {"waltz", "NNS", "waltzes"},
        {"blog", "VBD", "blogged"},
        {"blog", "VBG", "blogging"},
        {"blog", "VBZ", "blogs"},
        {"reboot", "VBD", "rebooted"},
        {"email", "VBN", "emailed"},
        {"vlix", "VBD", "vlixed"},
        {"play", "VBD", "played"},
        {"carry", "VBD", "carried"},
        {"carry", "VBG", "carrying"},
        {"carry", "VBZ", "carries"},
        {"bake", "VBD", "baked"},
        {"bake", "VBG", "baking"},
        {"agree", "VBG", "agreeing"},
        {"agree", "VBD", "agreed"},
        {"canoe", "VBG", "canoeing"},
        {"die", "VBG", "dying"},
        {"panic", "VBD", "panicked"},
        {"panic", "VBG", "panicking"},
        {"veto", "VBZ", "vetoes"},
        {"boo", "VBZ", "boos"},
        {"quip", "VBD", "quipped"},
        {"snow", "VBG", "snowing"},
        {"develop", "VBD", "developed"},
        {"be", "VBG", "being"},
        {"big", "JJR", "bigger"},
        {"large", "JJS", "largest"},
        {"glum", "JJR", "glummer"},
        {"happy", "JJR", "happier"},
        {"happy", "JJS", "happiest"},
        {"clear", "JJR", "clearer"},
        {"useful", "JJR", "more useful"},
        {"ornery", "JJS", "most ornery"},
        {"free", "JJR", "freer"},
        {"soon", "RBR", "sooner"},
        {"boldly", "RBR", "more boldly"},
        {"boldly", "RBS", "most boldly"},
        {"ad-lib", "VBD", "ad-libbed"},
        {"lip-sync", "VBG", "lip-syncing"},
        {"fire-fly", "NNS", "fire-flies"},
        {"by-", "VBZ", "by-s"},
        {"off-key", "JJR", "more off-key"},
        {"blog", "VB", "blog"},
        {"blog", "NN", "blog"},
        {"", "VBD", ""},
        {"x", "VBD", "xed"},
        {"x", "NNS", "xes"},
    };
    for (const RegularCase& c : cases) EXPECT_EQ(regular_form(c.lemma, c.tag), c.form) << c.lemma << " " << c.tag;
}

}  // namespace
}  // namespace craft
