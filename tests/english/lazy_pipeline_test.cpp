#include "english/lazy_pipeline.h"

#include <gmock/gmock.h>

#include <thread>

#include "tests/core/temporary_folder.h"
#include "tests/english/english_model.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

TEST(LazyEnglishPipeline, LoadsOnceForAllThreads) {
    CRAFT_NEEDS_ENGLISH_MODEL();
    const LazyEnglishPipeline lazy(test::installed_english_model());
    std::vector<const EnglishPipeline*> got(4);
    std::vector<size_t> tokens(4);
    std::vector<std::thread> threads;
    for (size_t i = 0; i < got.size(); ++i)
        threads.emplace_back([&, i] {
            got[i] = &lazy.get();
            tokens[i] = got[i]->annotate("The dogs weren't barking.").size();
        });
    for (std::thread& thread : threads) thread.join();
    for (size_t i = 0; i < got.size(); ++i) {
        EXPECT_EQ(got[i], got[0]);
        EXPECT_EQ(tokens[i], 6U);
    }
}

TEST(LazyEnglishPipeline, ReadsNothingBeforeItIsAsked) {
    const TemporaryFolder folder;
    const LazyEnglishPipeline lazy(folder.path() / "absent");
    for (int turn = 0; turn < 2; ++turn)
        EXPECT_THAT(message_of([&] { lazy.get(); }), HasSubstr("absent/config.cfg: expected spaCy's small English model"));
}

}  // namespace
}  // namespace craft
