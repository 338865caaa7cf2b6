#include "english/word_list.h"

#include <hunspell.hxx>
#include <mutex>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "english/listed_words.h"

namespace craft {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHowToGet = "run scripts/setup.sh --english, or name another one";

void check_file(const fs::path& file) {
    std::error_code none;
    if (!fs::is_regular_file(file, none)) throw Error(file.string(), "a list of words", "no such file", kHowToGet);
}

// The library takes any bytes for a dictionary and then knows nothing: what it says of files is looked up here.
void check_dictionary(const fs::path& file) {
    const std::string words = read_file(file);
    std::string_view first = std::string_view(words).substr(0, words.find_first_of("\r\n"));
    if (first.starts_with("\xEF\xBB\xBF")) first.remove_prefix(3);
    const std::string_view number = first.substr(0, first.find_first_not_of("0123456789"));
    if (number.empty() || number.find_first_not_of('0') == std::string_view::npos)
        throw Error(file.string() + ":1", "the number of words in a dictionary of Hunspell's",
                    "'" + one_line(shortened(std::string(first), 40)) + "'");
}

}  // namespace

class WordList::Words {
public:
    Words() = default;
    Words(const Words&) = delete;
    Words& operator=(const Words&) = delete;
    virtual ~Words() = default;
    virtual bool has(const std::string& word) = 0;
    virtual std::vector<std::string> suggestions(const std::string&) { return {}; }
};

class WordList::Dictionary : public WordList::Words {
public:
    Dictionary(const fs::path& rules, const fs::path& words) : hunspell_(rules.c_str(), words.c_str()) {
        if (hunspell_.get_dict_encoding() != "UTF-8")
            throw Error(rules.string() + ": SET", "UTF-8", hunspell_.get_dict_encoding());
    }
    // The library keeps what it is working on in the object.
    bool has(const std::string& word) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        return hunspell_.spell(word);
    }
    std::vector<std::string> suggestions(const std::string& word) override {
        const std::lock_guard<std::mutex> lock(mutex_);
        return hunspell_.suggest(word);
    }

private:
    std::mutex mutex_;
    Hunspell hunspell_;
};

class WordList::Lines : public WordList::Words {
public:
    explicit Lines(const fs::path& file) : words_(parse_word_lines(read_file(file), file.string())) {}
    bool has(const std::string& word) override { return words_.contains(word); }

private:
    WordLines words_;
};

WordList::WordList(std::unique_ptr<Words> words) : words_(std::move(words)) {}
WordList::WordList(WordList&&) noexcept = default;
WordList& WordList::operator=(WordList&&) noexcept = default;
WordList::~WordList() = default;

WordList WordList::load(const fs::path& file) {
    check_file(file);
    if (file.extension() != ".dic") return WordList(std::make_unique<Lines>(file));
    fs::path rules = file;
    rules.replace_extension(".aff");
    check_file(rules);
    check_dictionary(file);
    return WordList(std::make_unique<Dictionary>(rules, file));
}

bool WordList::knows(const std::string& word) const {
    return words_->has(word);
}

std::vector<std::string> WordList::suggestions(const std::string& word) const {
    return words_->suggestions(word);
}

fs::path english_word_list_file() {
    return "/usr/share/hunspell/en_GB.dic";
}

fs::path american_word_list_file() {
    return "/usr/share/hunspell/en_US.dic";
}

}  // namespace craft
