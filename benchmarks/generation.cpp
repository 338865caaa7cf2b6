// Our part of benchmarks/generation.sh; a JSON line for each result, on the standard output.
//   bench_generation run MODEL float32|bfloat16|int8|nf4|blocks CASES   a line a case of CASES (generation.py make), timed
//                                                                       without start and loading, after a warm-up
//   bench_generation rates MODEL...   what bounds it: reads of memory, and products of the models' matrices and of 2048^3
#include <ATen/Parallel.h>
#include <torch/types.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/json.h"
#include "model/decoder/decoder.h"
#include "model/generate/generate.h"
#include "model/kernels/bfloat16_products.h"
#include "model/kernels/cpu_kernels.h"
#include "model/kernels/packed_weight.h"
#include "model/kernels/products.h"

namespace craft {

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

void print(const Json& line) {
    std::printf("%s\n", line.dump().c_str());
    std::fflush(stdout);
}

// What is computed: a case's prompts, this many new tokens each. Greedy, but for several samples of a prompt.
struct Work {
    std::vector<GenerateRequest> requests;
    GenerateOptions options;
};

Work work_of(const Json& row) {
    Work work;
    const auto samples = row.at("samples").get<int64_t>();
    for (const Json& prompt : row.at("prompts")) {
        GenerateRequest& request = work.requests.emplace_back();
        request.prompt = prompt.get<std::vector<int64_t>>();
        request.item = work.requests.size();
        request.samples = samples;
    }
    work.options.max_new_tokens = row.at("new_tokens").get<int64_t>();
    work.options.sampling.temperature = samples > 1 ? 1 : 0;
    return work;
}

struct Seen {
    double seconds = 0, step_seconds = 0;  // all of it; what follows the first step: less a run of one step
    int64_t tokens = 0, step_tokens = 0;
    Json ids = Json::array();
};

Seen timed(StepSource& source, const Work& work) {
    GenerateOptions first = work.options;
    first.max_new_tokens = 1;
    const auto first_begin = Clock::now();
    const auto begun = generate(source, nullptr, work.requests, first);
    const double first_seconds = since(first_begin);
    source.histories().set_max_bytes(0);  // the prompts are recomputed
    const auto begin = Clock::now();
    const auto generated = generate(source, nullptr, work.requests, work.options);
    Seen seen;
    seen.seconds = since(begin);
    for (const auto& samples : generated)
        for (const Generated& sample : samples) {
            seen.tokens += sample.new_tokens;
            seen.ids.push_back(sample.tokens);
        }
    seen.step_tokens = seen.tokens;
    for (const auto& samples : begun) seen.step_tokens -= static_cast<int64_t>(samples.size());
    seen.step_seconds = seen.seconds - first_seconds;
    return seen;
}

StepSource opened(const std::filesystem::path& model, const std::string& dtype) {
    const std::map<std::string, Quantization> kinds = {
        {"int8", Quantization::int8}, {"nf4", Quantization::nf4}, {"blocks", Quantization::blocks}};
    const auto kind = kinds.find(dtype);
    if (kind == kinds.end() && dtype != "float32" && dtype != "bfloat16")
        throw Error("bench_generation", "float32, bfloat16, int8, nf4 or blocks", dtype);
    return StepSource(Decoder::load(model, dtype == "float32" ? at::kFloat : at::kBFloat16, at::kCPU,
                                    kind == kinds.end() ? Quantization::none : kind->second));
}

void run(const std::string& model, const std::string& dtype, const std::string& cases) {
    StepSource source = opened(model, dtype);
    JsonLinesReader reader(cases);
    while (const std::optional<Json> row = reader.next()) {
        const Work work = work_of(*row);
        Work warm_up = work;
        warm_up.options.max_new_tokens = std::min<int64_t>(3, work.options.max_new_tokens);
        timed(source, warm_up);
        const Seen seen = timed(source, work);
        // Tokens and seconds that the case asks for: of the steps, of all, or the prompt's.
        const auto counts = row->at("counts").get<std::string>();
        double tokens = static_cast<double>(seen.tokens), seconds = seen.seconds;
        if (counts == "steps") {
            tokens = static_cast<double>(seen.step_tokens), seconds = seen.step_seconds;
        } else if (counts == "prompt") {
            tokens = static_cast<double>(work.requests.front().prompt.size());
        }
        print({{"peer", "craft-train"},
               {"task", row->at("task")},
               {"model", row->at("model")},
               {"dtype", dtype},
               {"batch", row->at("batch")},
               {"seconds", seen.seconds},
               {"new_tokens", seen.tokens},
               {"tokens_per_s", tokens / seconds},
               {"ids", seen.ids}});
    }
}

// Runs of f in a second, in the best of several turns of at least 30 ms; the first warms up.
double rate(const std::function<void()>& f) {
    double best = 0;
    for (int turn = 0; turn < 8; ++turn) {
        const auto begin = Clock::now();
        int runs = 0;
        while (runs == 0 || since(begin) < 0.03) f(), ++runs;
        best = std::max(best, runs / since(begin));
    }
    return best;
}

// Bytes a second of an array of 1 GiB, far beyond any cache, that all threads read with the widest loads.
double read_rate() {
    const int64_t count = int64_t{1} << 28, piece = int64_t{1} << 18;
    const at::Tensor values = at::ones({count}, at::kFloat);
    const float* const data = values.const_data_ptr<float>();
    volatile float largest = 0;
    return 4.0 * static_cast<double>(count) * rate([&] {
               at::parallel_for(0, count / piece, 1, [&](int64_t begin, int64_t end) {
                   float most = 0;
                   for (int64_t i = begin; i < end; ++i)
                       most = std::max(most, cpu_kernels().largest_magnitude(data + i * piece, piece));
                   if (most > 1) largest = most;  // never; the reads stay
               });
           });
}

// Products a second of rows x [m, k] with a weight w [n, k] by the kernels of generation.
double packed_rate(const at::Tensor& x, const at::Tensor& w) {
    const int64_t m = x.size(0), n = w.size(0), k = w.size(1);
    std::vector<float> c(static_cast<size_t>(m * n));
    const at::Tensor floats = x.to(at::kFloat);
    const float* const a = floats.const_data_ptr<float>();
    if (w.scalar_type() == at::kBFloat16 && has_bfloat16_products()) {
        const PackedBfloat16 packed = pack_bfloat16_weight(w);
        return rate([&] {
            const std::vector<uint16_t> rounded = rounded_rows(a, m, k);
            packed_product(rounded.data(), packed.columns, m, packed, c.data(), n, false);
        });
    }
    const PackedWeight packed = pack_weight(w.to(at::kFloat).const_data_ptr<float>(), n, k);
    return rate([&] {
        at::parallel_for(0, padded(n) / kLanes, 4, [&](int64_t begin, int64_t end) {
            cpu_kernels().product(a, m, packed, c.data(), false, begin, end);
        });
    });
}

void print_product(const std::string& model, const std::string& matrix, at::ScalarType dtype, int64_t m, int64_t n,
                   int64_t k) {
    const at::Tensor x = at::randn({m, k}).to(dtype), w = at::randn({n, k}).to(dtype);
    const double work = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
    const double ours = std::max(packed_rate(x, w), rate([&] { product(x, w.t()); }));
    print({{"task", "product"},
           {"model", model},
           {"matrix", matrix},
           {"dtype", dtype == at::kFloat ? "float32" : "bfloat16"},
           {"rows", m},
           {"ours", ours * work},
           {"library", rate([&] { at::mm(x, w.t()); }) * work}});
}

void rates(const std::vector<std::string>& models) {
    print({{"task", "read"}, {"bytes_per_s", read_rate()}});
    for (const auto dtype : {at::kFloat, at::kBFloat16}) print_product("", "2048^3", dtype, 2048, 2048, 2048);
    for (const std::string& model : models) {
        const DecoderConfig c = read_decoder_config(model);
        const int64_t queries = c.heads * c.head_dim, keys = c.kv_heads * c.head_dim;
        const std::string name = std::filesystem::path(model).filename();
        const std::vector<std::tuple<std::string, int64_t, int64_t>> matrices = {
            {"qkv", queries + 2 * keys, c.hidden_size},
            {"o", c.hidden_size, queries},
            {"gate_up", 2 * c.intermediate_size, c.hidden_size},
            {"down", c.hidden_size, c.intermediate_size},
            {"head", c.vocab_size, c.hidden_size}};
        int64_t layer = 0;
        for (const auto& [matrix, n, k] : matrices) {
            if (matrix != "head") layer += n * k;
            for (const auto dtype : {at::kFloat, at::kBFloat16})
                for (const int64_t m : {1, 16, 64}) print_product(name, matrix, dtype, m, n, k);
        }
        print({{"task", "model"},
               {"model", name},
               {"layer_weights", c.layers * layer},
               {"head_weights", c.vocab_size * c.hidden_size},
               {"cached_numbers", 2 * c.layers * keys},    // of a position
               {"attention_width", c.layers * queries}});  // products of a query and a key, twice
    }
}

}  // namespace

}  // namespace craft

int main(int count, char** values) {
    const std::vector<std::string> arguments(values + 1, values + count);
    const at::NoGradGuard no_gradients;
    try {
        if (arguments.size() == 4 && arguments[0] == "run") {
            craft::run(arguments[1], arguments[2], arguments[3]);
        } else if (arguments.size() > 1 && arguments[0] == "rates") {
            craft::rates({arguments.begin() + 1, arguments.end()});
        } else {
            std::fprintf(stderr, "bench_generation: see the top of benchmarks/generation.cpp\n");
            return 2;
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_generation: %s\n", error.what());
        return 1;
    }
    return 0;
}
