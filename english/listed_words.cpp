#include "english/listed_words.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "core/error.h"
#include "core/files.h"
#include "core/utf8.h"
#include "text/utf8.h"

namespace craft {

void for_each_list_line(std::string_view text, const std::string& where,
                        const std::function<void(std::string_view line, const std::string& place)>& take) {
    size_t number = 0;
    for (size_t at = 0; at < text.size();) {
        const size_t end = std::min(text.find('\n', at), text.size());
        const std::string_view line = trim_view(text.substr(at, end - at));
        const std::string place = where + ":" + std::to_string(++number);
        if (invalid_utf8_at(line) != std::string_view::npos) throw Error(place, "UTF-8", "other bytes");
        if (!line.empty() && line[0] != '#') take(line, place);
        at = end + 1;
    }
}

WordLines parse_word_lines(std::string_view text, const std::string& where) {
    WordLines words;
    for_each_list_line(text, where, [&](std::string_view line, const std::string&) { words.emplace(line); });
    if (words.empty()) throw Error(where, "one word per line", "none");
    return words;
}

const WordLines& listed_words(const std::string& name) {
    static std::mutex mutex;
    static std::map<std::string, WordLines> lists;
    const std::lock_guard<std::mutex> lock(mutex);
    const auto known = lists.find(name);
    if (known != lists.end()) return known->second;
    const std::filesystem::path file = share_folder() / "english" / (name + ".txt");
    return lists.emplace(name, parse_word_lines(read_file(file), file.string())).first->second;
}

}  // namespace craft
