// What both sources of difficulty do with a word before and after they look it up.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "english/dictionary/word_difficulty.h"
#include "english/dictionary/word_table.h"

namespace craft {

class TableDifficulty : public WordDifficulty {
public:
    // `difficulty` makes one of a word's number in the table, whose words are in small letters.
    TableDifficulty(std::string name, WordTable table, std::function<double(uint16_t)> difficulty)
        : name_(std::move(name)), table_(std::move(table)), difficulty_(std::move(difficulty)) {}
    std::string name() const override { return name_; }
    double of(std::string_view word) const override;

private:
    double of_small(std::string_view word) const;

    std::string name_;
    WordTable table_;
    std::function<double(uint16_t)> difficulty_;
};

}  // namespace craft
