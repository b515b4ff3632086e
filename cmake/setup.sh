# Shared by ./quickstart and ./run-tests: installs missing Debian packages and builds a preset.
# Sourced, not run. A second call finds everything in place and takes seconds.

palp_packages=(g++ cmake ninja-build pkg-config libeigen3-dev libmetis-dev libsuitesparse-dev libhdf5-dev
  zlib1g-dev libcairo2-dev fonts-dejavu-core libpugixml-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libboost-dev
  libgtest-dev)

# Only ./run-tests: the browser tests of the viewer, the processors that this machine is not. A Node.js from elsewhere is
# as good as Debian's.
palp_test_packages=(chromium qemu-user libsdl2-2.0-0)
command -v npm >/dev/null || palp_test_packages+=(nodejs npm)

# Only ./run-tests: the Python package and its tests.
palp_python_packages=(pybind11-dev python3-dev python3-numpy python3-pip python3-venv python3-pytest)

# Only ./run-tests --docs: the site, tutorials as notebooks; and --cluster: Slurm, Dask and GNU parallel.
palp_docs_packages=(mkdocs jupyter-nbconvert python3-ipykernel python3-matplotlib python3-sklearn)
palp_cluster_packages=(slurm-wlm munge parallel python3-distributed)

# Only ./run-tests --clang, --sanitize and --fuzz: clang and the runtime of its sanitizers, whose version is in its name.
palp_clang_packages=(clang llvm)
palp_clang_runtime() {
  local version
  version=$(clang --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p;q')
  palp_install "libclang-rt-$version-dev"
}

palp_install() { # package...
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q '^install ok installed$' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "Missing packages: ${missing[*]}. Install them as root, then call again." >&2; return 1; }
    as_root=(sudo)
  fi
  echo "Installing: ${missing[*]}"
  palp_quietly "${as_root[@]}" apt-get update &&
    palp_quietly "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

palp_quietly() { # command... : its output is shown only when it fails
  local log; log=$(mktemp)
  "$@" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; return 1; }
  rm -f "$log"
}

palp_arch() { # the target that this machine can run, as an option for cmake; nothing for the default
  if [ "$(uname -m)" = x86_64 ] && ! grep -qm1 '^flags.* avx2 .*' /proc/cpuinfo; then
    echo "This processor has no AVX2: building for plain x86-64, which is slower." >&2
    echo -DPALP_ARCH=x86-64
  fi
}

palp_build() { # preset target...
  local preset=$1 quiet=(--quiet); shift
  [ -t 1 ] && quiet=()  # on a terminal ninja shows its progress in one line
  # shellcheck disable=SC2046 # no word or one
  [ -f "build/$preset/build.ninja" ] || palp_quietly cmake --preset "$preset" $(palp_arch) ${PALP_CMAKE_OPTIONS:-} || return 1
  echo "Building build/$preset"
  cmake --build "build/$preset" --target "$@" -- "${quiet[@]}"
}

palp_with_python() { # preset : adds the Python package to a build that was made without it
  local cache=build/$1/CMakeCache.txt
  [ ! -f "$cache" ] || grep -q '^PALP_BUILD_PYTHON:BOOL=ON' "$cache" || palp_quietly cmake -DPALP_BUILD_PYTHON=ON "build/$1"
}

palp_fixed_layout() { # command... : without random places in memory, where that may be switched off
  if setarch "$(uname -m)" -R true 2>/dev/null; then setarch "$(uname -m)" -R "$@"; else "$@"; fi
}
