#include "gec/rules/correction_thresholds.h"

#include <gmock/gmock.h>

#include "core/json.h"
#include "tests/core/temporary_folder.h"

namespace craft {
namespace {

using ::testing::HasSubstr;

TEST(CorrectionThresholds, AreThereForEveryKind) {
    const CorrectionThresholds shipped = CorrectionThresholds::shipped();
    for (const CorrectionKind kind : correction_kinds()) EXPECT_GE(shipped.of(kind), 0) << correction_kind_name(kind);
}

TEST(CorrectionThresholds, NameWhatIsWrongWithAFile) {
    const TemporaryFolder folder;
    Json all = Json::object();
    for (const CorrectionKind kind : correction_kinds()) all[correction_kind_name(kind)] = 2.5;
    const auto load = [&](const Json& json) {
        return CorrectionThresholds::load(folder.file("thresholds.json", dump_line(json)));
    };
    EXPECT_EQ(load(all).of(CorrectionKind::tense), 2.5);
    Json wrong = all;
    wrong["tense"] = "much";
    EXPECT_THAT(message_of([&] { load(wrong); }), HasSubstr("'tense'"));
    wrong = all;
    wrong.erase("order");
    EXPECT_THAT(message_of([&] { load(wrong); }), HasSubstr("'order'"));
    wrong = all;
    wrong["tence"] = 1;
    EXPECT_THAT(message_of([&] { load(wrong); }), HasSubstr("tense"));
}

}  // namespace
}  // namespace craft
