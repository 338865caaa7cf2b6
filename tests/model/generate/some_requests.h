// A small decoder and prompts for it.
#pragma once

#include <cstdint>
#include <vector>

#include "model/generate/generate.h"
#include "tests/model/decoder/small_decoder.h"

namespace craft::test {

inline Decoder adapted_decoder() {
    Decoder d = lively_decoder(small_config(), at::kFloat);
    Rng rng(8, "adapter");
    d.add_adapter({.rank = 4, .alpha = 8, .targets = {"all-linear"}}, rng);
    test::make_adapter_matter(d);
    return d;
}

inline std::vector<GenerateRequest> some_requests(int64_t count, int64_t samples = 1) {
    std::vector<GenerateRequest> requests;
    Rng rng(9, "prompts");
    for (int64_t i = 0; i < count; ++i)
        requests.push_back({random_tokens(rng, rng.between(1, 45), 61), static_cast<uint64_t>(100 + i), samples, 0});
    return requests;
}

}  // namespace craft::test
