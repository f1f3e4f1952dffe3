#!/usr/bin/env bash
# Installs the Debian packages that Nardi's screens (fonts) or its tests (all) want: by apt when root, else says how.
set -u
wanted=(fonts-dejavu-core)
[ "${1:-fonts}" = all ] && wanted+=(chromium mosquitto gnubg espeak-ng)
missing=()
for package in "${wanted[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
  echo "Installing ${missing[*]} ..."
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null && exit 0
  echo "Could not install: ${missing[*]}. What needs them is skipped, with the reason." >&2
else
  echo "Missing: ${missing[*]}. What needs them is skipped, with the reason. To have it all:" >&2
  echo "  sudo apt-get install --no-install-recommends ${missing[*]}" >&2
fi
exit 0
