#include "metrics/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(MetricRegistry, AnUnknownNameListsTheKnownOnes) {
    const std::string message = message_of([] { make_metric("exact_mach"); });
    EXPECT_THAT(message, HasSubstr("metric 'exact_mach'"));
    for (const std::string& name : metric_names()) EXPECT_THAT(message, HasSubstr(name));
    EXPECT_THAT(message, HasSubstr("exact_match"));
}

TEST(MetricRegistry, AnOptionThatTheMetricDoesNotUseIsRefused) {
    MetricOptions options;
    options.tokenizer = WordTokenizer::intl;
    options.draws = GleuDraws::python2;
    EXPECT_THAT(metric_problems("exact_match", options),
                ElementsAre("tokenizer: expected no options with exact_match, which does not use this one",
                            "draws: expected no options with exact_match, which does not use this one"));
    EXPECT_THROW(make_metric("exact_match", options), UsageError);
}

// Each metric says what its figures depend on.
TEST(MetricRegistry, EveryMetricSpeaksForItself) {
    const std::vector<std::string> names = metric_names();
    EXPECT_TRUE(std::is_sorted(names.begin(), names.end()));
    for (const std::string& name : names) {
        const auto metric = make_metric(name);
        EXPECT_EQ(metric->name(), name);
        const std::string signature = metric->signature();
        EXPECT_EQ(std::count(signature.begin(), signature.end(), '|'), 4) << signature;
        EXPECT_TRUE(metric->options().is_object());
        EXPECT_TRUE(metric->corpus().at(name).is_null()) << "no item, no figure";
    }
}

TEST(MetricRegistry, LessOfSomeFiguresIsBetter) {
    EXPECT_TRUE(is_lower_better("perplexity"));
    EXPECT_FALSE(is_lower_better("sari"));
}

}  // namespace
}  // namespace craft
