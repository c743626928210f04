#!/usr/bin/env bash
# Writes a tar file of Debian with this machine's Node and npm, in place of an image from a registry. Prints its path.
# A second run prints the path of the first, and waits until the first has ended.
set -euo pipefail

folder=/var/tmp/bursar-test-$(id -u)
mkdir -p "$folder"
[[ -O $folder ]] || { echo "$folder belongs to another user" >&2; exit 1; }
chmod 0700 "$folder"
exec 9> "$folder/lock"
flock 9

node=$(readlink -f "$(command -v node)")
tar=$folder/bookworm-$(node -p process.version).tar
if [[ ! -f $tar ]]; then
  root=$(mktemp -d "$folder/root-XXXXXX")
  trap 'rm -rf "$root"' EXIT
  # Nothing here must survive a power cut, and synced writes take most of the time.
  DPKG_FORCE=unsafe-io debootstrap --variant=minbase bookworm "$root" http://deb.debian.org/debian >&2
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,locale,man}
  mkdir -p "$root/usr/local/etc" "$root/usr/local/lib/node_modules" "$root/etc/ssl/certs"
  cp "$node" "$root/usr/local/bin/node"
  cp -R "$(npm root --global)/npm" "$root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  # The registry may have a certificate of this machine.
  if [[ -f /etc/ssl/certs/ca-certificates.crt ]]; then
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    echo 'cafile=/etc/ssl/certs/ca-certificates.crt' > "$root/usr/local/etc/npmrc"
  fi
  tar --create --file "$tar.part" --directory "$root" .
  mv "$tar.part" "$tar"
fi
echo "$tar"
