#include "systems/hosted/secret.h"

#include <strings.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "core/ascii.h"
#include "core/error.h"
#include "core/files.h"
#include "core/log.h"

namespace craft {

namespace {

void wipe(std::string& text) {
    ::explicit_bzero(text.data(), text.size());
}

// Counts the secrets that are held, and puts back what it found when the last one goes.
class CoreDumps {
public:
    void forbid() {
        const std::lock_guard lock(mutex_);
        if (held_++ > 0) return;
        dumpable_ = ::prctl(PR_GET_DUMPABLE);
        ::getrlimit(RLIMIT_CORE, &limit_);
        rlimit none = limit_;
        none.rlim_cur = 0;
        if (::setrlimit(RLIMIT_CORE, &none) != 0 || ::prctl(PR_SET_DUMPABLE, 0) != 0)
            log_warning("core dumps could not be disabled: one may hold a key");
    }
    void allow() {
        const std::lock_guard lock(mutex_);
        if (--held_ > 0) return;
        ::setrlimit(RLIMIT_CORE, &limit_);
        ::prctl(PR_SET_DUMPABLE, dumpable_ == 1 ? 1 : 0);
    }

private:
    std::mutex mutex_;
    int held_ = 0;
    int dumpable_ = 1;
    rlimit limit_{};
};

CoreDumps& core_dumps() {
    static CoreDumps all;  // the process has one setting, so that there is one count
    return all;
}

// Where the escape \u00XX for this character ends, whose `u` is at `at`; npos where there is none.
size_t end_of_code(std::string_view text, size_t at, char character) {
    std::array<char, 8> code{};
    std::snprintf(code.data(), code.size(), "u%04x", static_cast<unsigned>(static_cast<unsigned char>(character)));
    const bool is_it = text.size() - at >= 5 && ::strncasecmp(text.data() + at, code.data(), 5) == 0;
    return is_it ? at + 5 : std::string::npos;
}

// Where a quote of the key that begins at `at` ends; npos where none begins. Each character may be escaped as JSON does it,
// also several times over, as in JSON within a string of JSON.
size_t end_of_quote(std::string_view text, size_t at, std::string_view key) {
    for (size_t i = 0; i < key.size(); ++i) {
        if (key[i] == '\\' && i > 0 && key[i - 1] == '\\') continue;  // one run of them is like another
        const size_t behind = std::min(text.find_first_not_of('\\', at), text.size());
        const bool is_escaped = behind > at;
        const size_t end_of_escape = is_escaped ? end_of_code(text, behind, key[i]) : std::string::npos;
        const bool may_be_escaped = key[i] == '"' || key[i] == '/';
        if (end_of_escape != std::string::npos)
            at = end_of_escape;
        else if (key[i] == '\\' && is_escaped)
            at = behind;
        else if (behind < text.size() && text[behind] == key[i] && (!is_escaped || may_be_escaped))
            at = behind + 1;
        else
            return std::string::npos;
    }
    return at;
}

}  // namespace

struct Secret::Held {
    explicit Held(std::string key) : value(std::move(key)) { core_dumps().forbid(); }
    ~Held() {
        wipe(value);
        core_dumps().allow();
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    std::string value;
};

Secret Secret::checked(std::string value, const std::string& where) {
    std::string key(stripped(value));
    wipe(value);
    if (key.empty()) throw Error(where, "a key", "an empty one");
    for (const char c : key) {
        if (c > ' ' && c < 127) continue;
        wipe(key);
        throw Error(where, "a key of printable ASCII characters without blanks", "another character in it");
    }
    Secret secret;
    secret.held_ = std::make_shared<const Held>(std::move(key));
    return secret;
}

Secret Secret::from_environment(const std::string& variable) {
    const char* value = std::getenv(variable.c_str());
    if (value == nullptr)
        throw Error("environment variable " + variable, "a key", "no such variable", "export " + variable + "=...");
    return checked(value, "environment variable " + variable);
}

Secret Secret::from_file(const std::filesystem::path& file) {
    const auto permissions = std::filesystem::status(file).permissions();
    using std::filesystem::perms;
    if ((permissions & (perms::group_read | perms::others_read)) != perms::none && permissions != perms::unknown)
        log_warning("the file of a key can be read by others", {{"file", file.string()}, {"hint", "chmod 600"}});
    return checked(read_file(file), file.string());
}

std::string_view Secret::reveal() const {
    return held_ == nullptr ? std::string_view() : std::string_view(held_->value);
}

std::string Secret::redacted(const std::string& text) const {
    const std::string_view key = reveal();
    if (key.empty()) return text;
    std::string shown;
    for (size_t at = 0; at < text.size();) {
        // A run of backslashes is looked at once, from its first one.
        const bool is_within_run = at > 0 && text[at] == '\\' && text[at - 1] == '\\';
        const size_t end = is_within_run ? std::string::npos : end_of_quote(text, at, key);
        if (end == std::string::npos)
            shown += text[at++];
        else
            shown += "(key)", at = end;
    }
    return shown;
}

std::string Secret::redacted_words(const std::string& text) const {
    return reveal().size() < kLeastInTexts ? text : redacted(text);
}

bool core_dumps_are_off() {
    rlimit limit{};
    ::getrlimit(RLIMIT_CORE, &limit);
    return limit.rlim_cur == 0 && ::prctl(PR_GET_DUMPABLE) == 0;
}

}  // namespace craft
