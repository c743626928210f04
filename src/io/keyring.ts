import { Failure } from '../core/failure.ts';
import type { Io, Keyring } from './io.ts';

/** How a system's own tool prints a password that the user stored with it. */
type Tool = {
  readonly command: string;
  readonly lookup: (service: string, account: string) => readonly string[];
  /** What the user types to store one: the tool asks for it itself. */
  readonly store: (service: string, account: string) => string;
  readonly install: string;
};

const SECRET_TOOL: Tool = {
  command: 'secret-tool',
  lookup: (service, account) => ['lookup', 'service', service, 'key', account],
  store: (service, account) => `secret-tool store --label='${service} ${account}' service ${service} key ${account}`,
  install: 'It is part of libsecret: apt-get install libsecret-tools, dnf install libsecret.',
};

const SECURITY: Tool = {
  command: 'security',
  lookup: (service, account) => ['find-generic-password', '-s', service, '-a', account, '-w'],
  store: (service, account) => `security add-generic-password -s ${service} -a ${account} -w`,
  install: 'It is part of macOS.',
};

/** What the tool needs to reach the session of the user; nothing else of the environment is its business. */
const PASSED_ON = /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY)$/;

const run = async (io: Pick<Io, 'env' | 'interrupted'>, command: string, args: readonly string[]) => {
  const { spawn } = await import('node:child_process');
  const env = Object.fromEntries(Object.entries(io.env).filter(([name]) => PASSED_ON.test(name)));
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'], signal: io.interrupted });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output: Buffer.concat(chunks) };
};

const unaskable = (problem: string, hint: string, cause?: unknown) =>
  new Failure('unreadable_file', `the keyring of this system cannot be asked: ${problem}`, { hint, cause });

const toolOf = (platform: NodeJS.Platform): Tool => {
  if (platform === 'win32') throw unaskable('Windows has no tool for it', 'Use --password-file.');
  return platform === 'darwin' ? SECURITY : SECRET_TOOL;
};

/** The keyring of this system, through the tool that comes with it: no library holds passwords in this process. */
export const keyringOn = (platform: NodeJS.Platform, io: Pick<Io, 'env' | 'interrupted'>): Keyring => ({
  lookup: async (service, account) => {
    const { command, lookup, store, install } = toolOf(platform);
    const { code, output } = await run(io, command, lookup(service, account)).catch((error) => {
      if (io.interrupted.aborted) throw new Failure('interrupted', 'interrupted');
      throw unaskable(`${command} does not start`, install, error);
    });
    if (code === 0 && output.length > 0) return output;
    throw new Failure('unreadable_file', `the keyring is locked, or holds no password of ${account}`, {
      next: store(service, account),
    });
  },
});
