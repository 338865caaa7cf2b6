// Keys of hosted models. They stand in the environment or in a file, never in a configuration, and are in no log, manifest,
// cache, trace, error or core dump.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace craft {

// A key. It has no way into a stream or JSON; copies share one buffer, which is zeroed when the last of them goes. While one
// is held the process leaves no core dump and cannot be traced by others of the same user.
class Secret {
public:
    Secret() = default;  // none
    // Throw Error naming the variable or file, and never its value: not set, unreadable, empty, or holding a character that
    // cannot stand in a header.
    static Secret from_environment(const std::string& variable);
    static Secret from_file(const std::filesystem::path& file);  // without the blanks and line breaks around it

    explicit operator bool() const { return held_ != nullptr; }
    // To be handed to the transport, and to nobody else.
    std::string_view reveal() const;
    // `text` with (key) in place of this key, also where it is escaped as JSON does it: servers quote what they were sent.
    // What is to be cut is cut after this: of a key that was cut in two nothing would be found.
    std::string redacted(const std::string& text) const;
    // The same of words that a model wrote. A key of fewer bytes than kLeastInTexts ("EMPTY", as servers without keys have
    // it) stays: it may be any word, and the text would be another one.
    std::string redacted_words(const std::string& text) const;
    static constexpr size_t kLeastInTexts = 8;

private:
    struct Held;
    static Secret checked(std::string value, const std::string& where);
    std::shared_ptr<const Held> held_;
};

// Whether core dumps are switched off as a secret does it: for tests and `doctor`.
bool core_dumps_are_off();

}  // namespace craft
