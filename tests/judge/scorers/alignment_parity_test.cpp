// Word alignment on a real encoder against transformers and numpy (tests/parity/make_alignment.py), whose numbers are
// stored.
#include <gtest/gtest.h>

#include "tests/judge/scorers/installed_encoder.h"
#include "tests/judge/scorers/stored_alignments.h"

namespace craft {
namespace {

TEST(AlignmentParity, MiniLmAlignsAsTransformersAndNumpyDo) {
    CRAFT_NEEDS_ENCODER();
    test::expect_stored_alignments("alignment_minilm.jsonl", test::installed_encoder());
}

}  // namespace
}  // namespace craft
