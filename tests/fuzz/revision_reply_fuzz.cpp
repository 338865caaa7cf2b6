// libFuzzer target: any bytes as what a reviser answered, after a first line that is the text to revise. There is a
// revision or a reason why not, never both; a revision is UTF-8, and part of the answer. Run as `revision_reply_fuzz
// -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/files.h"
#include "data/revision_reply.h"
#include "text/utf8.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const craft::WordingTable wordings =
        craft::WordingTable::load(craft::share_folder() / "prompts" / "reviser_replies.json");
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    const size_t line = std::min(all.find('\n'), all.size());
    const std::string_view source = all.substr(0, line), reply = all.substr(std::min(line + 1, all.size()));
    for (const bool after_marker : {false, true}) {
        const craft::RevisionReply read = craft::read_revision_reply(reply, source, after_marker, wordings);
        require(read.text.empty() != read.unusable.empty());
        require(reply.find(read.text) != std::string_view::npos);
        require(craft::trim_view(read.text) == read.text);
        require(craft::invalid_utf8_at(read.text) == std::string_view::npos);
    }
    return 0;
}
