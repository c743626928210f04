import { buffer } from 'node:stream/consumers';
import { Failure, interrupted } from '../../core/failure.ts';
import type { Io, Keyring } from '../io.ts';

type ToolIo = Pick<Io, 'env' | 'interrupted'>;

/** Variables that the tool needs to find the user's session. */
const PASSED_VARIABLES =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY)$/;

const run = async ({ env: whole, interrupted }: ToolIo, command: string, { args, input = '' }: ToolCall) => {
  const { spawn } = await import('node:child_process');
  const env = Object.fromEntries(Object.entries(whole).filter(([name]) => PASSED_VARIABLES.test(name)));
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'], signal: interrupted });
  // A tool may end without reading its input; its exit code is enough.
  child.stdin.on('error', () => undefined).end(input);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const [code, output, errors] = await Promise.all([ended, buffer(child.stdout), buffer(child.stderr)]);
  return { code, output, errors: errors.toString('latin1') };
};

const unavailable = (problem: string, hint: string, cause?: unknown) =>
  new Failure('unreadable_file', `the keyring of this system is not available: ${problem}`, { hint, cause });

const toolOf = (platform: NodeJS.Platform): Tool => {
  if (platform === 'win32') throw unavailable('Windows has no command for it', 'Use a file instead.');
  return platform === 'darwin' ? SECURITY : SECRET_TOOL;
};

const callTool = async (io: ToolIo, { command, install }: Tool, call: ToolCall) => {
  try {
    return await run(io, command, call);
  } catch (error) {
    if (io.interrupted.aborted) throw interrupted();
    throw unavailable(`${command} cannot be started`, install, error);
  }
};

/** The bytes of a secret that the tool may have printed in hex. */
const decoded = async (io: ToolIo, tool: Tool, output: Buffer, service: string, account: string): Promise<Buffer> => {
  const { hex } = tool;
  if (!hex?.looks.test(output.toString('latin1'))) return output;
  const { errors } = await callTool(io, tool, hex.call(service, account));
  const found = hex.found.exec(errors)?.[1];
  return found === undefined ? output : Buffer.from(found, 'hex');
};

const NOT_RUNNING = 'Unlock the keyring, or start one in this session.';

/** Text that a tool's command line needs no escape for. */
const PLAIN = /^[!#-[\]-~]+$/;

/** The keyring of this system, through the system's own tool. */
export const keyringOn = (platform: NodeJS.Platform, io: ToolIo): Keyring => {
  const lookup: Keyring['lookup'] = async (service, account) => {
    const tool = toolOf(platform);
    const { code, output } = await callTool(io, tool, tool.lookup(service, account));
    if (code === 0 && output.length > 0) return decoded(io, tool, output, service, account);
    const { nextStep } = await import('../../core/next.ts');
    throw new Failure('unreadable_file', `the keyring is locked, or has no password for ${account}`, {
      next: nextStep('keyring.store', tool.storeCommand(service, account)),
    });
  };
  return {
    assertAvailable: async () => {
      const tool = toolOf(platform);
      const { code, errors } = await callTool(io, tool, tool.lookup('bursar', 'nothing'));
      if (!tool.hasKeyring(code, errors)) throw unavailable(`${tool.command} finds no keyring`, NOT_RUNNING);
    },
    lookup,
    store: async (service, account, secret) => {
      if (![service, account, secret].every((text) => PLAIN.test(text))) {
        throw new Failure('internal', 'the keyring accepts only plain text');
      }
      const tool = toolOf(platform);
      await callTool(io, tool, tool.store(service, account, secret));
      // The exit code of a tool is not reliable, so the secret is read back.
      const kept = await lookup(service, account).catch(() => undefined);
      if (kept && new TextDecoder().decode(kept).trim() === secret) return;
      throw unavailable(`${tool.command} did not store the secret`, NOT_RUNNING);
    },
    clear: async (service, account) => {
      const tool = toolOf(platform);
      await callTool(io, tool, tool.clear(service, account));
      const kept = await lookup(service, account).catch(() => undefined);
      if (kept) throw unavailable(`${tool.command} did not remove the secret`, 'Unlock the keyring, then try again.');
    },
  };
};

/** The arguments and the standard input of a tool. */
type ToolCall = { readonly args: readonly string[]; readonly input?: string };

/** The command of a system that reads and writes its keyring. */
type Tool = {
  readonly command: string;
  readonly lookup: (service: string, account: string) => ToolCall;
  readonly store: (service: string, account: string, secret: string) => ToolCall;
  readonly clear: (service: string, account: string) => ToolCall;
  /** For a tool that prints some secrets in hex: `call` finds out whether an output that matches `looks` is hex. */
  readonly hex?: {
    readonly looks: RegExp;
    readonly call: (service: string, account: string) => ToolCall;
    /** Matches the hex in the standard error of `call`. */
    readonly found: RegExp;
  };
  /** The command with which the user stores a secret; the tool prompts for it. */
  readonly storeCommand: (service: string, account: string) => readonly string[];
  readonly install: string;
  /** Whether a lookup reached a keyring, by its exit code and its standard error. */
  readonly hasKeyring: (code: number | null, errors: string) => boolean;
};

const attributes = (service: string, account: string) => ['service', service, 'key', account];

/** The tool of libsecret. It reads a secret up to the end of its input, and prints it without a line feed. */
const SECRET_TOOL: Tool = {
  command: 'secret-tool',
  lookup: (service, account) => ({ args: ['lookup', ...attributes(service, account)] }),
  store: (service, account, secret) => ({
    args: ['store', `--label=${service} ${account}`, ...attributes(service, account)],
    input: secret,
  }),
  clear: (service, account) => ({ args: ['clear', ...attributes(service, account)] }),
  storeCommand: (service, account) => [
    ...['secret-tool', 'store', `--label=${service} ${account}`],
    ...attributes(service, account),
  ],
  install: 'Install it: apt-get install libsecret-tools, or dnf install libsecret.',
  // Its own errors start with its name; its libraries print other warnings.
  hasKeyring: (_, errors) => !/^secret-tool: /m.test(errors),
};

/**
 * The tool of macOS. `-w` reads a secret only from the arguments or a terminal. So the whole command is passed by standard
 * input (`-i`).
 */
const SECURITY: Tool = {
  command: 'security',
  lookup: (service, account) => ({ args: ['find-generic-password', '-s', service, '-a', account, '-w'] }),
  store: (service, account, secret) => ({
    args: ['-i'],
    input: `add-generic-password -U -s "${service}" -a "${account}" -w "${secret}"\n`,
  }),
  clear: (service, account) => ({ args: ['delete-generic-password', '-s', service, '-a', account] }),
  // It prints a secret that is not printable ASCII in hex. Only -g shows whether an output is hex.
  hex: {
    looks: /^(?:[0-9a-f]{2})+\n?$/i,
    call: (service, account) => ({ args: ['find-generic-password', '-s', service, '-a', account, '-g'] }),
    found: /^password: 0x([0-9a-f]+)/im,
  },
  storeCommand: (service, account) => ['security', 'add-generic-password', '-s', service, '-a', account, '-w'],
  install: 'It is part of macOS; check PATH.',
  // 44: errSecItemNotFound.
  hasKeyring: (code) => code === 0 || code === 44,
};
