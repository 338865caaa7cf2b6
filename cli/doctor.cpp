// `doctor`: what works here and what does not.
#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/version.h>

#include "cli/command.h"
#include "cli/common.h"
#include "cli/english_options.h"
#include "cli/report_text.h"
#include "core/error.h"
#include "core/files.h"
#include "core/machine.h"
#include "core/version.h"
#include "english/constituents.h"
#include "english/dictionary/english_dictionary.h"
#include "english/word_list.h"
#include "model/kernels/cpu_kernels.h"
#include "systems/hosted/endpoint_probe.h"

namespace craft {

namespace {

namespace fs = std::filesystem;

constexpr int64_t kLittleDisk = int64_t{1} << 30, kLittleMemory = int64_t{1} << 30;  // bytes that a small run wants

struct DoctorOptions {
    fs::path out = ".";
    std::string format = "text";
    Json profiles = Json::object();  // of hosted models
    double patience = 5;             // seconds that an endpoint may take to answer
};

int run_doctor(int argc, const char* const* argv);

const Command kDoctorCommand = {"doctor", CommandGroup::use_model,
                                "versions, devices, endpoints, memory and disk: what works here", "craft-train doctor",
                                run_doctor};

std::string gigabytes(int64_t bytes) {
    const int64_t tenths = (bytes * 10 + (int64_t{1} << 29)) >> 30;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

Json versions() {
    return {{"craft-train", version()},  {"compiler", compiler_version()},
            {"libtorch", TORCH_VERSION}, {"sentencepiece", sentencepiece_version()},
            {"hdf5", hdf5_version()},    {"icu", icu_version()},
            {"pcre2", pcre2_version()}};
}

// Whether CUDA works, else why not.
Json cuda(const Machine& machine) {
    if (at::hasCUDA() && at::getNumGPUs() > 0)
        return {{"works", true}, {"devices", at::getNumGPUs()}, {"gpus", machine.gpus}};
    std::string why = "no NVIDIA driver, or no GPU";
    if (!machine.gpus.empty()) why = "the driver gives this process no GPU";
#ifndef CRAFT_CUDA
    why = std::string("built without CUDA (the preset cuda has it); ") +
          (machine.gpus.empty() ? "there is no NVIDIA GPU either" : "a GPU is present");
#endif
    return {{"works", false}, {"why", why}, {"gpus", machine.gpus}};
}

struct Examination {
    Json report = Json::object();
    Json broken = Json::array(), warnings = Json::array();
};

// Each endpoint of each profile: whether it answers. One that does not is broken, since the configuration names it.
void examine_endpoints(const DoctorOptions& options, Examination& e) {
    Json& report = e.report["endpoints"] = {{"works", false}};
    if (options.profiles.empty()) {
        report["why"] = "no hosted model is configured (--config FILE with a key openai, docs/hosted.md)";
        return;
    }
    bool all = true;
    for (const auto& [name, tree] : options.profiles.items()) {
        Json list = Json::array();
        for (const EndpointProbe& probe : probe_endpoints(HostedProfile::parse(name, tree), options.patience)) {
            const std::string line = probe.url + ": " + probe_state_name(probe.state) + " (" + probe.said + ")";
            list.push_back(line);
            if (probe.state == EndpointProbe::State::reachable) continue;
            all = false;
            e.broken.push_back("openai." + name + ": " + line);
        }
        report["profiles"][name] = std::move(list);
    }
    report["works"] = all;
}

void examine_files(const fs::path& out, Examination& e) {
    try {
        e.report["shipped_files"] = share_folder().string();
    } catch (const Error& error) {
        e.report["shipped_files"] = nullptr;
        e.broken.push_back(error.what());
    }
    Json& disk = e.report["disk"] = {{"folder", out.string()}};
    const auto problem = write_problem(out);
    disk["can_be_written"] = !problem;
    if (problem) e.broken.push_back("--out: " + *problem);
    try {
        const int64_t free = free_disk_bytes(out);
        disk["free"] = gigabytes(free);
        disk["free_bytes"] = free;
        if (free < kLittleDisk) e.warnings.push_back("little disk space is left in " + out.string());
    } catch (const std::exception& error) {
        disk["free"] = nullptr;
        e.broken.push_back(error.what());
    }
}

constexpr const char* kHowToGetWords = "none (scripts/setup.sh --english installs them)";

// Where each part of what is known of English words lies, which only judging and simplifying ask for.
void examine_dictionary(Examination& e, Json& report) {
    const EnglishDictionary dictionary;
    const EnglishDictionaryPlaces& places = dictionary.places();
    const auto examine_part = [&](const char* part, const fs::path& place, const std::function<void()>& open) {
        std::error_code none;
        report[part] = fs::exists(place, none) ? place.string() : kHowToGetWords;
        if (!fs::exists(place, none)) return;
        try {
            open();
        } catch (const Error& error) {
            report[part] = error.what();
            e.broken.push_back(error.what());
        }
    };
    examine_part("synonyms", places.synonyms, [&] { dictionary.synonyms(); });
    examine_part("forms", places.inflections, [&] { dictionary.inflections(); });
    examine_part("difficulty_by_size", places.scowl, [&] { dictionary.by_size(); });
    examine_part("difficulty_by_count", places.counts, [&] { dictionary.by_count(); });
    examine_part("constituents", link_grammar_dictionary_file(), [] { const ConstituentParser parser; });
}

// What annotates English, and the list of its words, which only some commands ask for: to be without is no fault. A model
// that is there and cannot be run is one.
void examine_english(Examination& e) {
    Json& report = e.report["english"] = {{"works", false}};
    try {
        const EnglishModel english = find_english("auto");
        if (english.pipeline == nullptr) {
            report["why"] = "no English model: " + english.hint;
        } else {
            english.pipeline->get();
            report = {{"works", true}, {"model", english.name}, {"folder", english.pipeline->folder().string()}};
        }
    } catch (const Error& error) {
        report["why"] = error.what();
        e.broken.push_back(error.what());
    }
    std::error_code none;
    report["words"] = fs::exists(english_word_list_file(), none) ? english_word_list_file().string() : kHowToGetWords;
    examine_dictionary(e, report["dictionary"]);
}

// A product in float32 and one in bfloat16, against what they must be; what is said of them goes to e.report[part].
void examine_arithmetic(Examination& e, const std::string& part, const at::Device& device) {
    for (const auto& [name, dtype] : {std::pair{"float32", at::kFloat}, std::pair{"bfloat16", at::kBFloat16}}) {
        std::string said;
        try {
            const at::Tensor ones = at::ones({16, 16}, at::TensorOptions().dtype(dtype).device(device));
            if (!at::mm(ones, ones).to(at::kFloat).eq(16).all().item<bool>()) said = "wrong products";
        } catch (const std::exception& error) {
            said = std::string(error.what()).substr(0, 100);
        }
        e.report[part][name] = said.empty() ? "works" : said;
        if (!said.empty()) e.broken.push_back("LibTorch on " + device.str() + " in " + name + ": " + said);
    }
}

Examination examine(const DoctorOptions& options) {
    Examination e;
    const Machine machine = this_machine();
    e.report["versions"] = versions();
    e.report["cpu"] = {{"processor", machine.processor},
                       {"features", machine.features},
                       {"cores", machine.cores},
                       {"threads", at::get_num_threads()},
                       {"kernels", cpu_kernels().name}};
    examine_arithmetic(e, "cpu", at::kCPU);
    e.report["cuda"] = cuda(machine);
    if (e.report["cuda"]["works"] == true) examine_arithmetic(e, "cuda", at::kCUDA);
    examine_endpoints(options, e);
    e.report["memory"] = {{"total", gigabytes(machine.memory_bytes)},
                          {"free", gigabytes(machine.free_memory_bytes)},
                          {"total_bytes", machine.memory_bytes},
                          {"free_bytes", machine.free_memory_bytes}};
    if (machine.free_memory_bytes < kLittleMemory) e.warnings.push_back("little memory is free");
    examine_english(e);
    examine_files(options.out, e);
    e.report["warnings"] = e.warnings;
    e.report["broken"] = e.broken;
    return e;
}

void check_profiles(OptionTable& table, const DoctorOptions& options) {
    if (const std::string problem = HostedProfile::held_key(options.profiles); !problem.empty())
        return table.add_problem(problem);
    for (const auto& [name, tree] : options.profiles.items()) {
        try {
            HostedProfile::parse(name, tree);
        } catch (const UsageError& error) {
            for (const std::string& problem : error.problems()) table.add_problem(problem);
        }
    }
}

int run_doctor(int argc, const char* const* argv) {
    CommonOptions common;
    DoctorOptions options;
    OptionTable table;
    table.add("out", options.out, "folder where runs will be written").flag("--out").managed();
    table.add("format", options.format, "output format").flag("--format").one_of({"text", "json"});
    table.add("openai", options.profiles, "hosted models by name; each endpoint is probed (docs/hosted.md)");
    table.add("endpoint_timeout", options.patience, "timeout of an endpoint, seconds")
        .min(0.1)
        .max(60)
        .was("endpoint_patience");
    if (!parse_command(kDoctorCommand, table, common, argc, argv, [&](OptionTable& t) { check_profiles(t, options); }))
        return 0;
    if (common.threads > 0) at::set_num_threads(static_cast<int>(common.threads));
    Examination e = examine(options);
    if (options.format == "json") {
        write_stdout(e.report.dump(2) + "\n");
    } else {
        for (const char* part : {"memory", "disk"})
            for (const char* key : {"total_bytes", "free_bytes"}) e.report[part].erase(key);
        write_stdout(report_text(e.report));
    }
    return e.broken.empty() ? 0 : 1;
}

}  // namespace

Command doctor_command() {
    return kDoctorCommand;
}

}  // namespace craft
