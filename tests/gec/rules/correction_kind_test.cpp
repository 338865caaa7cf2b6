#include "gec/rules/correction_kind.h"

#include <gtest/gtest.h>

#include "core/error.h"

namespace craft {
namespace {

TEST(CorrectionKind, HasANameThatIsReadAgain) {
    for (const CorrectionKind kind : correction_kinds()) EXPECT_EQ(correction_kind(correction_kind_name(kind)), kind);
    EXPECT_STREQ(correction_kind_name(CorrectionKind::agreement), "agreement");
    EXPECT_STREQ(correction_kind_name(CorrectionKind::order), "order");
    EXPECT_THROW(correction_kind("speling"), Error);
}

}  // namespace
}  // namespace craft
