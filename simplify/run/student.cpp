#include "simplify/run/student.h"

#include "systems/open/open_system.h"

namespace craft {

Student Student::open(const std::filesystem::path& model, const std::string& chat_template, at::ScalarType dtype,
                      const at::Device& device) {
    const Decoder base = Decoder::load(model, dtype, device);
    return {base, base, open_tokenizer(model), open_chat_template(model, chat_template)};
}

void Student::load_adapter(const std::filesystem::path& folder) {
    Decoder fresh = base;
    fresh.load_adapter(folder, /*trainable=*/false);
    decoder = std::move(fresh);
}

std::shared_ptr<System> Student::system(uint64_t seed) const {
    return open_system(StepSource(decoder), tokenizer, chat, {.seed = seed});
}

}  // namespace craft
