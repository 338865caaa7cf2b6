#include "model/tokenizer/stream_decoder.h"

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

namespace {

constexpr size_t kLongWindow = 64;  // tokens; then half of it is forgotten
constexpr size_t kEnoughText = 16;  // bytes that the rest must still have

}  // namespace

std::string StreamDecoder::emit(size_t settled) {
    const std::vector<int64_t> tokens(window_.begin(), window_.begin() + static_cast<ptrdiff_t>(settled));
    std::string all = tokenizer_.decode(tokens, keep_special_);
    if (all.compare(0, text_.size(), text_) != 0)
        throw Error("tokenizer", "a decoder that keeps text it has given",
                    "'" + shortened(text_, 100) + "' became '" + shortened(all, 100) + "'");
    std::string fresh = all.substr(text_.size());
    text_ = std::move(all);
    return fresh;
}

// Drops the older half of the window where the rest reads the same without it.
void StreamDecoder::forget() {
    if (window_.size() < kLongWindow || tokenizer_.unsettled_tokens(window_, keep_special_) > 0) return;
    const std::vector<int64_t> rest(window_.begin() + kLongWindow / 2, window_.end());
    std::string text = tokenizer_.decode(rest, keep_special_);
    if (text.size() < kEnoughText || !text_.ends_with(text)) return;
    window_ = rest;
    text_ = std::move(text);
}

std::string StreamDecoder::push(int64_t token) {
    forget();
    window_.push_back(token);
    const size_t open = tokenizer_.unsettled_tokens(window_, keep_special_);
    return open >= window_.size() ? "" : emit(window_.size() - open);
}

std::string StreamDecoder::finish() {
    std::string rest = emit(window_.size());
    window_.clear();
    text_.clear();
    return rest;
}

}  // namespace craft
