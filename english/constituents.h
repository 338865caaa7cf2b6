// Sentences parsed by link-grammar: bracketed constituents, and how much of the sentence no parse could take in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace craft {

struct ConstituentParse {
    std::string bracketed;  // "(S (NP the cat) (VP sat ...) .)"; empty: no parse within the limits
    int64_t words = 0;
    int64_t left_out = 0;  // words that the best parse leaves out; all of them where there is none
    bool timed_out = false;
};

// One at a time is parsed; calls from several threads wait for each other.
class ConstituentParser {
public:
    // Throws Error where link-grammar's English dictionary is missing (Debian: link-grammar-dictionaries-en).
    ConstituentParser(double seconds_a_sentence = 1, int64_t memory_bytes = int64_t{512} << 20);
    ~ConstituentParser();
    ConstituentParse parse(const std::string& sentence);

private:
    struct Dictionary;
    std::unique_ptr<Dictionary> dictionary_;
};

}  // namespace craft
