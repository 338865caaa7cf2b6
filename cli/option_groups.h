// Titles that --help shows options under; one that a single command has stands there.
#pragma once

namespace craft {

inline constexpr const char* kPlainGroup = "Options";  // of commands with few of them
inline constexpr const char* kDataGroup = "Data";
inline constexpr const char* kModelGroup = "Model";
inline constexpr const char* kLoraGroup = "LoRA";
inline constexpr const char* kLossGroup = "Loss";
inline constexpr const char* kOptimiserGroup = "Optimiser";
inline constexpr const char* kRoundsGroup = "Rounds";
inline constexpr const char* kRewardGroup = "Reward";
inline constexpr const char* kJudgeGroup = "Judge";
inline constexpr const char* kReviserGroup = "Reviser";
inline constexpr const char* kSamplingGroup = "Sampling";
inline constexpr const char* kHostedGroup = "Hosted models";
inline constexpr const char* kCommonGroup = "Every command";

}  // namespace craft
