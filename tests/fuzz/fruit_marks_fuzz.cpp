// libFuzzer target: any bytes as a row of FRUIT, a first line that is its target and the source after it. What is not
// refused has sentences; a target that is written out has no mark of them left but those that sentences hold; markup and
// citations only go. Run as `fruit_marks_fuzz -max_total_time=60`.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "core/error.h"
#include "eval/editeval/fruit_marks.h"
#include "eval/editeval/wafer_text.h"

namespace {

void require(bool holds) {
    if (!holds) std::abort();  // what libFuzzer counts as a finding
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string all(reinterpret_cast<const char*>(data), size);
    const size_t line = std::min(all.find('\n'), all.size());
    const std::string target = all.substr(0, line), text = all.substr(std::min(line + 1, all.size()));
    try {
        const craft::FruitSource source = craft::parse_fruit_source(text, "row");
        require(!source.sentences.empty());
        const std::string written = craft::resolve_fruit_target(target, source);
        const std::string bare = craft::without_citations(written, source.documents.size());
        require(bare.size() <= written.size());
    } catch (const craft::Error&) {  // one line that says what is wrong
    }
    require(craft::without_wiki_markup(all).size() <= all.size());
    try {
        const craft::WaferText article = craft::wafer_text(text, target);
        require(!article.source.empty() && article.source != article.target);
    } catch (const craft::Error&) {  // the reason by which the row is counted
    }
    return 0;
}
