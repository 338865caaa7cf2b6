// Sentences parsed by link-grammar: bracketed constituents, and how much of the sentence no parse could take in.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace craft {

// A word that a parse leaves out: bytes [begin, end) of the sentence without the blanks around it.
struct LeftOutWord {
    size_t begin = 0, end = 0;
};

struct ConstituentParse {
    // "(S (NP The cat) (VP sat (PP on (NP the mat))) .)", labels as in the Penn Treebank, words as they stand in the
    // sentence, brackets among them as -LRB- -RRB- -LSB- -RSB- -LCB- -RCB-. Empty: no parse within the limits.
    std::string bracketed;
    // link-grammar's words, which are punctuation, 's and the like too; where there is no parse, pieces between blanks.
    int64_t words = 0;
    int64_t left_out = 0;                     // words that the best parse leaves out; all of them where there is none
    std::vector<LeftOutWord> left_out_words;  // which they are, left to right; none where there is no parse
    double cost = 0;         // of the best parse's readings of words, link-grammar's: rarer ones cost more, some are below 0
    bool timed_out = false;  // the limit of time was met, so that more may be left out than need be
    std::string problem;  // why there is no parse: "empty", "too long", "time", "memory", "no parse", "library"; else empty
};

// One at a time is parsed; calls from several threads wait for each other. What is found depends on the sentence alone, but
// for a sentence that needs about as long as the limit.
class ConstituentParser {
public:
    // The library counts whole seconds (parts of one count as one) of the processor time that all threads of the program
    // took meanwhile. It is told the limit of memory, of which 5.12 takes no notice: what bounds that is the number of
    // words. Throws Error where link-grammar's English dictionary is missing (Debian: link-grammar-dictionaries-en), and on
    // limits that are not above 0.
    explicit ConstituentParser(double seconds_a_sentence = 1, int64_t memory_bytes = int64_t{512} << 20);
    ~ConstituentParser();
    ConstituentParser(const ConstituentParser&) = delete;
    ConstituentParser& operator=(const ConstituentParser&) = delete;
    // First without leaving words out, then with as few left out as possible, each within the limits; `max_left_out` bounds
    // how many. Control characters
    // count as blanks. Sentences of more than 150 words or 5,000 bytes are not tried ("too long"). Neither the program's
    // locale nor its stderr is touched. Throws Error on what is not UTF-8.
    ConstituentParse parse(const std::string& sentence, int64_t max_left_out = std::numeric_limits<int>::max());

private:
    struct Dictionary;
    std::unique_ptr<Dictionary> dictionary_;
};

// Where Debian's link-grammar-dictionaries-en, which scripts/setup.sh --english installs, puts the grammar.
std::filesystem::path link_grammar_dictionary_file();

}  // namespace craft
