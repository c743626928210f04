import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runBursar, type Settings } from '../../support/bursar.ts';
import { newHomeInProcess } from '../../support/in-process.ts';
import { envelope, startServer } from '../../support/server.ts';

export const API_KEY = 'sk_live_0123456789';

/**
 * Replaces the secret-tool of libsecret: stores secrets as files, and writes its arguments and environment to files.
 */
const SECRET_TOOL = `#!/bin/sh
echo "$@" >> "$HOME/asked"; env >> "$HOME/environment"
[ -e "$HOME/locked" ] && exit 1
what="$1"; for last; do :; done
at="$HOME/ring-$(echo "$last" | tr / _)"
case "$what" in
  store) cat > "$at" ;;
  lookup) cat "$at" 2>/dev/null ;;
  clear) rm "$at" 2>/dev/null ;;
esac
`;

/** A service with one valid key, and a home with a keyring unless `hasKeyring` is false; `isAlone` starts processes. */
export const given = async ({ hasKeyring = true, isAlone = false } = {}) => {
  const { home, bursar } = await newHomeInProcess();
  const bin = join(home, 'bin');
  await mkdir(bin);
  if (hasKeyring) await writeFile(join(bin, 'secret-tool'), SECRET_TOOL);
  if (hasKeyring) await chmod(join(bin, 'secret-tool'), 0o755);
  const { url, received } = await startServer((request, response) => {
    const isKnown = request.headers['x-api-key'] === API_KEY;
    const answer = isKnown
      ? envelope(200, 'products_listed', { data: { methods: { pix: true } } })
      : envelope(401, 'unauthorized');
    return answer(request, response);
  });
  const within = ({ env, ...settings }: Settings) => ({
    ...settings,
    env: { PATH: hasKeyring ? `${bin}:${process.env['PATH']}` : bin, ...env },
  });
  const alone = (args: readonly string[], settings: Settings = {}) => runBursar(home, args, within(settings));
  const run = isAlone ? alone : (args: readonly string[], settings: Settings = {}) => bursar(args, within(settings));
  const login = (...more: readonly string[]) =>
    run(['login', '--base-url', url, '--api-key-stdin', ...more], { stdin: `${API_KEY}\n` });
  const json = async (args: readonly string[], settings?: Settings) => {
    const { code, stdout, stderr } = await run([...args, '--json'], settings);
    return { code, stderr, data: JSON.parse(stdout) };
  };
  return { home, url, received, run, alone, login, json };
};
