/** What is run of a system's own tool: its arguments, and what it reads from standard input. */
export type Call = { readonly args: readonly string[]; readonly input?: string };

/** How a system's own tool handles passwords. */
export type Tool = {
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
export const SECRET_TOOL: Tool = {
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
export const SECURITY: Tool = {
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
