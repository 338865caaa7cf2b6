#include "simplify/run/training_stage.h"

#include "core/error.h"
#include "core/run_folder.h"
#include "train/examples.h"
#include "train/trainer.h"

namespace craft {

namespace {

Examples examples_of(const Student& student, const std::vector<Pair>& pairs, LossName loss) {
    ExampleBuilder builder(student.tokenizer, student.chat, example_limits({}, student.base.config()));
    for (size_t i = 0; i < pairs.size(); ++i) {
        const std::string where = "pair " + std::to_string(i);
        if (needs_pairs(loss))
            builder.add_pair(pairs[i], where);
        else
            builder.add_completion(pairs[i].prompt, pairs[i].chosen, where);
    }
    return builder.take();
}

}  // namespace

StudentTraining training_stage(Student& student, const std::vector<Pair>& pairs, const TrainOptions& options,
                               const std::filesystem::path& folder) {
    const Stage stage(folder);
    if (stage.complete()) {
        student.load_adapter(folder / "adapter");
        return stage.read_summary([](const Json& s) {
            return StudentTraining{s.at("examples").get<int64_t>(), s.at("tokens").get<int64_t>(),
                                   s.at("dropped").get<std::map<std::string, int64_t>>(), s.at("seconds").get<double>()};
        });
    }
    const Examples examples = examples_of(student, pairs, options.loss.name);
    if (examples.trees.empty()) throw Error(folder.string(), "pairs to train on", "none" + dropped_note(examples.dropped));
    student.forget_adapter();
    make_trainable(student.decoder, options);
    const TrainResult result = train(student.decoder, examples.trees, options, folder);
    student.decoder.save_adapter(folder / "adapter");
    const StudentTraining trained{static_cast<int64_t>(examples.trees.size()), result.tokens, examples.dropped,
                                  result.seconds};
    stage.mark_complete({{"examples", trained.examples},
                         {"tokens", trained.tokens},
                         {"dropped", trained.dropped},
                         {"seconds", trained.seconds}});
    return trained;
}

}  // namespace craft
