// One seam for everything that puts numbers on texts: perplexity; BARTScore and SOME (CRAFT App. D.3) are to follow.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace craft {

struct ScoredPair {
    std::string source;      // the text before revision
    std::string hypothesis;  // the revision
};

class Scorer {
public:
    virtual ~Scorer() = default;
    // One raw value a pair, in order (e.g. perplexity of the hypothesis).
    virtual std::vector<double> score(const std::vector<ScoredPair>& pairs) = 0;
    // The value brought to 0-100 (CRAFT App. D.3), given the raw values of the hypothesis and of the source against itself.
    virtual double normalise(double value, double initial) const = 0;
    virtual std::string name() const = 0;  // "perplexity"
};

}  // namespace craft
