// One seam for everything that puts numbers on texts (CRAFT App. D.3). Raw values: what brings them to 0-100 is the reward's
// (judge/quality.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace craft {

struct ScoredPair {
    std::string source;      // the text before revision
    std::string hypothesis;  // the revision
};

class Scorer {
public:
    virtual ~Scorer() = default;
    // One raw value a pair, in order (e.g. perplexity of the hypothesis). The last bits may depend on what is asked
    // together.
    virtual std::vector<double> score(const std::vector<ScoredPair>& pairs) = 0;
    // Whether a call costs something of its own, and values do not depend on what is asked together: a command.
    virtual bool is_best_asked_once() const { return false; }
    virtual std::string name() const = 0;  // "perplexity"
    // What its values range over, {lowest, highest}, where that is known only from them; more is then better.
    virtual std::optional<std::pair<double, double>> scale() const { return std::nullopt; }
};

}  // namespace craft
