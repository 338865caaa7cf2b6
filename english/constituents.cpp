#include "english/constituents.h"

#include <link-grammar/link-includes.h>
#include <locale.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <vector>

#include "core/error.h"
#include "core/utf8.h"
#include "english/bracketed_tree.h"
#include "text/utf8.h"
#include "text/words.h"

namespace craft {

// What a failed assertion left behind is not freed: it may be in no state for that.
template <auto free_object>
struct LinkGrammarFree {
    template <class Object>
    void operator()(Object* object) const {
        if (std::uncaught_exceptions() == 0) free_object(object);
    }
};
using OwnedDictionary = std::unique_ptr<Dictionary_s, LinkGrammarFree<::dictionary_delete>>;
using OwnedOptions = std::unique_ptr<Parse_Options_s, LinkGrammarFree<::parse_options_delete>>;
using OwnedSentence = std::unique_ptr<Sentence_s, LinkGrammarFree<::sentence_delete>>;
using OwnedLinkage = std::unique_ptr<Linkage_s, LinkGrammarFree<::linkage_delete>>;
using OwnedTree = std::unique_ptr<char, LinkGrammarFree<::linkage_free_constituent_tree_str>>;

namespace {

constexpr int64_t kMaxWords = 150;
constexpr size_t kMaxBytes = 5000;
constexpr int kParsesTried = 10;

// An assertion of the library's failed; without us it would end the program.
class LinkGrammarFailure : public std::exception {
public:
    const char* what() const noexcept override { return "an assertion of link-grammar's failed"; }
};

[[noreturn]] void throw_failure() {
    throw LinkGrammarFailure();
}

// While it lives, this thread's characters are UTF-8 (else the library changes the locale of the whole program), the
// library's messages are kept and not written to stderr, and its failed assertions throw.
class LinkGrammarScope {
public:
    LinkGrammarScope() : utf8_(::newlocale(LC_CTYPE_MASK, "C.UTF-8", static_cast<locale_t>(nullptr))) {
        if (utf8_ == nullptr) throw Error("link-grammar", "the locale C.UTF-8", "none here");
        before_ = ::uselocale(utf8_);
        handler_before_ = ::lg_error_set_handler(keep, &first_error_);
        ::lg_library_failure_hook = throw_failure;
    }
    ~LinkGrammarScope() {
        ::lg_error_clearall();
        ::lg_error_set_handler(handler_before_, nullptr);
        ::uselocale(before_);
        ::freelocale(utf8_);
    }
    LinkGrammarScope(const LinkGrammarScope&) = delete;
    LinkGrammarScope& operator=(const LinkGrammarScope&) = delete;
    const std::string& first_error() const { return first_error_; }

private:
    static void keep(lg_errinfo* message, void* first) {
        auto& text = *static_cast<std::string*>(first);
        if (text.empty() && message->severity <= lg_Error) text = trim(one_line(message->text));
    }

    locale_t utf8_, before_ = nullptr;
    lg_error_handler handler_before_ = nullptr;
    std::string first_error_;
};

OwnedDictionary open_dictionary() {
    const LinkGrammarScope scope;
    OwnedDictionary dictionary(::dictionary_create_lang("en"));
    if (dictionary == nullptr)
        throw Error("link-grammar", "its English dictionary",
                    scope.first_error().empty() ? "none" : "'" + scope.first_error() + "'",
                    "run scripts/setup.sh --english");
    return dictionary;
}

// The parse's words but for the walls before and after them, and how many of them have no link.
struct LinkedWords {
    std::vector<TreeWord> words;
    std::vector<LeftOutWord> left_out;
};

LinkedWords linked_words(Linkage linkage, const std::string& sentence) {
    std::vector<bool> linked(::linkage_get_num_words(linkage));
    for (size_t link = 0; link < ::linkage_get_num_links(linkage); ++link) {
        linked[::linkage_get_link_lword(linkage, link)] = true;
        linked[::linkage_get_link_rword(linkage, link)] = true;
    }
    LinkedWords found;
    for (size_t i = 0; i < linked.size(); ++i) {
        const size_t begin = ::linkage_get_word_byte_start(linkage, i), end = ::linkage_get_word_byte_end(linkage, i);
        if (begin >= end || end > sentence.size()) continue;  // a wall, which is no part of the sentence
        std::string leaf = ::linkage_get_word(linkage, i);
        for (char& c : leaf)  // as the library does in its trees
            c = c == '(' || c == '[' ? '{' : c == ')' || c == ']' ? '}' : c;
        found.words.push_back({sentence.substr(begin, end - begin), std::move(leaf)});
        if (!linked[i]) found.left_out.push_back({begin, end});
    }
    return found;
}

}  // namespace

struct ConstituentParser::Dictionary {
    std::mutex mutex;
    OwnedDictionary dictionary;
    OwnedOptions options;

    void allow_left_out(int fewest, int most) const {
        ::parse_options_set_min_null_count(options.get(), fewest);
        ::parse_options_set_max_null_count(options.get(), most);
        ::parse_options_reset_resources(options.get());
    }
    ConstituentParse parse(const std::string& sentence, int64_t max_left_out, ConstituentParse parse) const;
    void read_parse(Sentence sentence, const std::string& text, ConstituentParse& parse) const;
};

// Of the best parses the first one whose tree has all words; where each lacks some, the very best.
void ConstituentParser::Dictionary::read_parse(Sentence sentence, const std::string& text, ConstituentParse& parse) const {
    parse.problem = "no parse";
    const int parses = std::min(::sentence_num_valid_linkages(sentence), kParsesTried);
    for (int i = 0; i < parses; ++i) {
        const OwnedLinkage linkage(::linkage_create(static_cast<LinkageIdx>(i), sentence, options.get()));
        if (linkage == nullptr) continue;
        const LinkedWords words = linked_words(linkage.get(), text);
        const OwnedTree printed(::linkage_print_constituent_tree(linkage.get(), SINGLE_LINE));
        const auto tree = printed == nullptr ? std::nullopt : tree_with_words(printed.get(), words.words);
        if (!tree || (tree->flat_words > 0 && !parse.bracketed.empty())) continue;
        parse.bracketed = tree->bracketed;
        parse.words = static_cast<int64_t>(words.words.size());
        parse.left_out = static_cast<int64_t>(words.left_out.size());
        parse.left_out_words = words.left_out;
        parse.cost = ::sentence_disjunct_cost(sentence, i);
        parse.problem.clear();
        if (tree->flat_words == 0) return;
    }
}

// `parse` is what is said where there is none.
ConstituentParse ConstituentParser::Dictionary::parse(const std::string& sentence, int64_t max_left_out,
                                                      ConstituentParse parse) const {
    const OwnedSentence split(::sentence_create(sentence.c_str(), dictionary.get()));
    parse.problem = "no parse";
    if (split == nullptr || ::sentence_split(split.get(), options.get()) < 0) return parse;
    const int most = static_cast<int>(std::min<int64_t>(::sentence_length(split.get()), max_left_out));
    for (const bool leaves_out : {false, true}) {
        if (leaves_out && most < 1) break;
        allow_left_out(leaves_out ? 1 : 0, leaves_out ? most : 0);
        const int found = ::sentence_parse(split.get(), options.get());
        if (found > 0 && ::sentence_num_valid_linkages(split.get()) > 0) {
            read_parse(split.get(), sentence, parse);
            return parse;
        }
        if (::parse_options_resources_exhausted(options.get())) {
            parse.timed_out = parse.timed_out || ::parse_options_timer_expired(options.get());
            parse.problem = parse.timed_out ? "time" : "memory";
        }
    }
    return parse;
}

ConstituentParser::ConstituentParser(double seconds_a_sentence, int64_t memory_bytes)
    : dictionary_(std::make_unique<Dictionary>()) {
    if (!(seconds_a_sentence > 0)) throw Error("link-grammar: seconds per sentence", "a number above 0", "another one");
    if (memory_bytes <= 0) throw Error("link-grammar: bytes of memory", "a number above 0", std::to_string(memory_bytes));
    dictionary_->dictionary = open_dictionary();
    dictionary_->options.reset(::parse_options_create());
    Parse_Options options = dictionary_->options.get();
    constexpr int kMax = std::numeric_limits<int>::max();
    ::parse_options_set_verbosity(options, 0);
    ::parse_options_set_spell_guess(options, 0);
    ::parse_options_set_max_parse_time(options, static_cast<int>(std::min<double>(std::ceil(seconds_a_sentence), kMax)));
    ::parse_options_set_max_memory(options, static_cast<int>(std::min<int64_t>(memory_bytes, kMax)));
}

ConstituentParser::~ConstituentParser() = default;

std::filesystem::path link_grammar_dictionary_file() {
    return "/usr/share/link-grammar/en/4.0.dict";
}

ConstituentParse ConstituentParser::parse(const std::string& sentence, int64_t max_left_out) {
    if (const size_t at = invalid_utf8_at(sentence); at != std::string::npos)
        throw Error("sentence to parse", "UTF-8", "other bytes at byte " + std::to_string(at));
    const std::string text = trim(one_line(sentence));
    ConstituentParse none;
    none.words = none.left_out = count_whitespace_words(text);
    none.problem = text.empty() ? "empty" : "too long";
    if (text.empty() || text.size() > kMaxBytes || none.words > kMaxWords) return none;
    const std::lock_guard<std::mutex> lock(dictionary_->mutex);
    try {
        const LinkGrammarScope scope;
        return dictionary_->parse(text, max_left_out, none);
    } catch (const LinkGrammarFailure&) {  // what it was about to do stays undone: nothing of it is used again
        [[maybe_unused]] const auto* abandoned = dictionary_->dictionary.release();
        dictionary_->dictionary = open_dictionary();
        none.problem = "library";
        return none;
    }
}

}  // namespace craft
