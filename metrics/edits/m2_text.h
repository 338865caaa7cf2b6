// A text of an M2 file: a view of the bytes that the file keeps, or one that was made.
#pragma once

#include <concepts>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace craft {

// An M2 file has three texts an edit, most of which nobody changes: as strings of their own they would take most of the time
// and the memory of reading it. What is moved stays what it was; a copy is a text of its own, whatever becomes of the file.
class M2Text {
public:
    M2Text() = default;
    M2Text(const std::string& text) : M2Text(copy_of(std::string_view(text))) {}  // NOLINT(google-explicit-constructor)
    M2Text(const char* text) : M2Text(copy_of(std::string_view(text))) {}         // NOLINT(google-explicit-constructor)
    // Of bytes that outlive it.
    static M2Text view(std::string_view text) { return {text.data(), text.size(), false}; }

    M2Text(const M2Text& other) : M2Text(copy_of(std::string_view(other))) {}
    M2Text(M2Text&& other) noexcept : data_(std::exchange(other.data_, nullptr)), state_(std::exchange(other.state_, 0)) {}
    M2Text& operator=(M2Text other) noexcept {
        std::swap(data_, other.data_);
        std::swap(state_, other.state_);
        return *this;
    }
    ~M2Text() {
        if (state_ % 2 == 1) delete[] data_;
    }

    operator std::string_view() const { return {data_, size()}; }  // NOLINT(google-explicit-constructor)
    operator std::string() const { return {data_, size()}; }       // NOLINT(google-explicit-constructor)
    bool empty() const { return size() == 0; }
    size_t size() const { return state_ / 2; }
    size_t find(std::string_view part) const { return std::string_view(*this).find(part); }

    template <class Text>
    requires std::convertible_to<const Text&, std::string_view>
    bool operator==(const Text& other) const { return std::string_view(*this) == std::string_view(other); }

private:
    M2Text(const char* data, size_t size, bool owned) : data_(data), state_(2 * size + (owned ? 1 : 0)) {}
    static M2Text copy_of(std::string_view text) {
        if (text.empty()) return {};
        char* bytes = new char[text.size()];
        std::memcpy(bytes, text.data(), text.size());
        return {bytes, text.size(), true};
    }

    const char* data_ = nullptr;
    size_t state_ = 0;  // twice the length, and one if the bytes are its own
};

}  // namespace craft
