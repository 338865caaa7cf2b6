// Which words English has: a dictionary of Hunspell's, or a plain list.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace craft {

class WordList {
public:
    // FILE.dic is a dictionary of Hunspell's in UTF-8, whose rules stand beside it in FILE.aff; any other file holds a word
    // a line, as ERRANT's en_GB-large.txt does. Throws Error naming the file if it is missing, no such file or empty.
    static WordList load(const std::filesystem::path& file);

    WordList(WordList&&) noexcept;
    WordList& operator=(WordList&&) noexcept;
    ~WordList();

    // A dictionary takes the forms that its rules make, and words in capitals whose small letters it has; a plain list takes
    // what stands in it. May be called from several threads at once.
    bool knows(const std::string& word) const;
    // Words that it has and that may have been meant, the library's likeliest first; a plain list has none to give.
    std::vector<std::string> suggestions(const std::string& word) const;

private:
    class Words;
    class Dictionary;
    class Lines;
    explicit WordList(std::unique_ptr<Words> words);
    std::unique_ptr<Words> words_;
};

// Where Debian's hunspell-en-gb and hunspell-en-us, which scripts/setup.sh --english installs, put British and American
// English.
std::filesystem::path english_word_list_file();
std::filesystem::path american_word_list_file();

}  // namespace craft
