// libFuzzer target: a GGUF file. It is refused with an error, or all that it claims can be read: the documents of a folder
// that it stands for, and the values of its tensors. Run as `gguf_fuzz -max_total_time=60`.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/error.h"
#include "model/files/gguf.h"
#include "model/files/gguf_config.h"
#include "model/files/model_documents.h"

namespace {

template <class Work>
void attempt(Work work) {
    try {
        work();
    } catch (const craft::Error&) {}
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const int file = ::memfd_create("fuzz", 0);
    if (::ftruncate(file, 0) != 0 || ::pwrite(file, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    attempt([&] {
        const craft::GgufFile gguf(path);
        for (const auto& [name, tensor] : gguf.tensors()) {
            const craft::GgufTypeInfo& type = craft::info_of(tensor.type);
            const std::string_view bytes = gguf.bytes(tensor);
            std::vector<float> values(bytes.size() / type.bytes * type.values);
            uint64_t count = 1;
            for (const int64_t one : tensor.shape) count *= static_cast<uint64_t>(one);
            if (values.size() != count || bytes.size() > size) std::abort();
            craft::dequantise(tensor.type, bytes, values.data());
        }
        attempt([&] { craft::gguf_weights(gguf); });
    });
    attempt([&] {
        const craft::ModelDocuments documents(path);
        for (const char* name : {"config.json", "generation_config.json", "tokenizer.json", "tokenizer.model",
                                 "tokenizer_config.json", "chat_template.jinja"})
            attempt([&] { documents.text(name); });
    });
    return 0;
}
