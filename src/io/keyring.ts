import { Failure, interrupted } from '../core/failure.ts';
import type { Io, Keyring } from './io.ts';

type World = Pick<Io, 'env' | 'interrupted'>;

/** What the tool needs to reach the session of the user; nothing else of the environment is its business. */
const PASSED_ON = /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_\w+|XDG_\w+|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY)$/;

const run = async ({ env: whole, interrupted }: World, command: string, { args, input = '' }: Call) => {
  const { spawn } = await import('node:child_process');
  const env = Object.fromEntries(Object.entries(whole).filter(([name]) => PASSED_ON.test(name)));
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'], signal: interrupted });
  const [chunks, said]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  // A tool that ends without reading has said all there is by its exit code.
  child.stdin.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output: Buffer.concat(chunks), said: Buffer.concat(said).toString('latin1') };
};

const unaskable = (problem: string, hint: string, cause?: unknown) =>
  new Failure('unreadable_file', `the keyring of this system cannot be asked: ${problem}`, { hint, cause });

const toolOf = (platform: NodeJS.Platform): Tool => {
  if (platform === 'win32') throw unaskable('Windows has no tool for it', 'Use a file instead.');
  return platform === 'darwin' ? SECURITY : SECRET_TOOL;
};

const ask = async (io: World, { command, install }: Tool, call: Call) => {
  try {
    return await run(io, command, call);
  } catch (error) {
    if (io.interrupted.aborted) throw interrupted();
    throw unaskable(`${command} does not start`, install, error);
  }
};

/** The secret itself, where a tool may have printed it in hex. */
const decoded = async (io: World, tool: Tool, output: Buffer, service: string, account: string): Promise<Buffer> => {
  const { hex } = tool;
  if (!hex?.looks.test(output.toString('latin1'))) return output;
  const { said } = await ask(io, tool, hex.ask(service, account));
  const found = hex.found.exec(said)?.[1];
  return found === undefined ? output : Buffer.from(found, 'hex');
};

const NOT_RUNNING = 'Is it locked, or does no keyring run in this session?';

/** Text that stands for itself inside the quotes of a tool's own command line. */
const PLAIN = /^[!#-[\]-~]+$/;

/** The keyring of this system, through the tool that comes with it: no library holds passwords in this process. */
export const keyringOn = (platform: NodeJS.Platform, io: World): Keyring => {
  const lookup: Keyring['lookup'] = async (service, account) => {
    const tool = toolOf(platform);
    const { code, output } = await ask(io, tool, tool.lookup(service, account));
    if (code === 0 && output.length > 0) return decoded(io, tool, output, service, account);
    const { nextStep } = await import('../core/next.ts');
    throw new Failure('unreadable_file', `the keyring is locked, or holds no password of ${account}`, {
      next: nextStep('keyring.store', tool.storeByHand(service, account)),
    });
  };
  return {
    assertThere: async () => {
      const tool = toolOf(platform);
      const { code, said } = await ask(io, tool, tool.lookup('bursar', 'nothing'));
      if (!tool.hasAsked(code, said)) throw unaskable(`${tool.command} reaches none`, NOT_RUNNING);
    },
    lookup,
    store: async (service, account, secret) => {
      if (![service, account, secret].every((text) => PLAIN.test(text))) {
        throw new Failure('internal', 'only plain text goes into the keyring');
      }
      const tool = toolOf(platform);
      await ask(io, tool, tool.store(service, account, secret));
      // The exit codes of the tools do not tell all: what cannot be read back was not kept.
      const kept = await lookup(service, account).catch(() => undefined);
      if (kept && new TextDecoder().decode(kept).trim() === secret) return;
      throw unaskable(`${tool.command} did not keep it`, NOT_RUNNING);
    },
    clear: async (service, account) => {
      const tool = toolOf(platform);
      await ask(io, tool, tool.clear(service, account));
      const kept = await lookup(service, account).catch(() => undefined);
      if (kept) throw unaskable(`${tool.command} did not remove it`, 'Is it locked?');
    },
  };
};

/** What is run of a system's own tool: its arguments, and what it reads from standard input. */
type Call = { readonly args: readonly string[]; readonly input?: string };

/** How a system's own tool handles passwords. */
type Tool = {
  readonly command: string;
  readonly lookup: (service: string, account: string) => Call;
  readonly store: (service: string, account: string, secret: string) => Call;
  readonly clear: (service: string, account: string) => Call;
  /** How a tool that prints some secrets in hex says whether it did: an answer like `looks` may be one. */
  readonly hex?: {
    readonly looks: RegExp;
    readonly ask: (service: string, account: string) => Call;
    /** Finds the hex in what the tool then says on standard error. */
    readonly found: RegExp;
  };
  /** What the user types to store one: the tool asks for it itself. */
  readonly storeByHand: (service: string, account: string) => readonly string[];
  readonly install: string;
  /** Whether a lookup that found nothing did ask a keyring, by its exit code and what it said on standard error. */
  readonly hasAsked: (code: number | null, said: string) => boolean;
};

const attributes = (service: string, account: string) => ['service', service, 'key', account];

/** Of libsecret. It reads a secret up to the end of its input, and prints it without a line feed. */
const SECRET_TOOL: Tool = {
  command: 'secret-tool',
  lookup: (service, account) => ({ args: ['lookup', ...attributes(service, account)] }),
  store: (service, account, secret) => ({
    args: ['store', `--label=${service} ${account}`, ...attributes(service, account)],
    input: secret,
  }),
  clear: (service, account) => ({ args: ['clear', ...attributes(service, account)] }),
  storeByHand: (service, account) => [
    ...['secret-tool', 'store', `--label=${service} ${account}`],
    ...attributes(service, account),
  ],
  install: 'It is part of libsecret: apt-get install libsecret-tools, dnf install libsecret.',
  // Its own complaints begin with its name; libraries that it loads warn of other things.
  hasAsked: (_, said) => !/^secret-tool: /m.test(said),
};

/**
 * Of macOS. `-w` takes a secret from the arguments or a terminal alone, so the command that stores one is itself read
 * from standard input (`-i`).
 */
const SECURITY: Tool = {
  command: 'security',
  lookup: (service, account) => ({ args: ['find-generic-password', '-s', service, '-a', account, '-w'] }),
  store: (service, account, secret) => ({
    args: ['-i'],
    input: `add-generic-password -U -s "${service}" -a "${account}" -w "${secret}"\n`,
  }),
  clear: (service, account) => ({ args: ['delete-generic-password', '-s', service, '-a', account] }),
  // What is not printable ASCII it prints in hex, which nobody can tell from a secret of such letters; -g tells.
  hex: {
    looks: /^(?:[0-9a-f]{2})+\n?$/i,
    ask: (service, account) => ({ args: ['find-generic-password', '-s', service, '-a', account, '-g'] }),
    found: /^password: 0x([0-9a-f]+)/im,
  },
  storeByHand: (service, account) => ['security', 'add-generic-password', '-s', service, '-a', account, '-w'],
  install: 'It is part of macOS.',
  // 44: errSecItemNotFound.
  hasAsked: (code) => code === 0 || code === 44,
};
