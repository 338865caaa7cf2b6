#include "systems/hosted/secret.h"

#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>
#include <mutex>

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
            log_warning("core dumps could not be switched off: one may hold a key");
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
    const size_t first = value.find_first_not_of(" \t\r\n");
    const size_t last = value.find_last_not_of(" \t\r\n");
    std::string key = first == std::string::npos ? "" : value.substr(first, last - first + 1);
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

std::string Secret::redacted(std::string text) const {
    const std::string_view key = reveal();
    if (key.empty()) return text;
    for (size_t at = text.find(key); at != std::string::npos; at = text.find(key, at)) text.replace(at, key.size(), "(key)");
    return text;
}

bool core_dumps_are_off() {
    rlimit limit{};
    ::getrlimit(RLIMIT_CORE, &limit);
    return limit.rlim_cur == 0 && ::prctl(PR_GET_DUMPABLE) == 0;
}

}  // namespace craft
