# Shared by ./quickstart and ./run-tests: installs missing Debian packages and builds a preset.
# Sourced, not run. A second call finds everything in place and takes seconds.

palp_packages=(g++ cmake ninja-build pkg-config libeigen3-dev libmetis-dev libsuitesparse-dev libhdf5-dev
  zlib1g-dev libcairo2-dev fonts-dejavu-core libpugixml-dev libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libboost-dev
  libgtest-dev)

# Only ./run-tests: the browser tests of the viewer. A Node.js from elsewhere is as good as Debian's.
palp_test_packages=(chromium)
command -v npm >/dev/null || palp_test_packages+=(nodejs npm)

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

palp_build() { # preset target...
  local preset=$1 quiet=(--quiet); shift
  [ -t 1 ] && quiet=()  # on a terminal ninja shows its progress in one line
  [ -f "build/$preset/build.ninja" ] || palp_quietly cmake --preset "$preset" || return 1
  echo "Building build/$preset"
  cmake --build "build/$preset" --target "$@" -- "${quiet[@]}"
}
