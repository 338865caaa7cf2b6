#include "text/composed.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

#include <algorithm>

#include "core/error.h"
#include "core/utf8.h"

namespace craft {

std::string composed(const std::string& text) {
    const bool is_ascii = std::all_of(text.begin(), text.end(), [](char c) { return c >= 0; });
    if (is_ascii || invalid_utf8_at(text) != std::string::npos) return text;
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* form = icu::Normalizer2::getNFCInstance(status);
    std::string out;
    icu::StringByteSink<std::string> sink(&out);
    if (U_SUCCESS(status)) form->normalizeUTF8(0, text, sink, nullptr, status);
    if (U_FAILURE(status)) throw Error("Unicode's normal form C", "ICU's tables", u_errorName(status));
    return out;
}

}  // namespace craft
