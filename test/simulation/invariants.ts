import type { HttpRequest } from '../../src/io/http/http.ts';
import type { Decision } from './decisions.ts';
import { type EvmChain, readSent, type Sent } from './evm-chain.ts';
import { API_KEY, NODE_URL, PASSWORD, SECRETS } from './home.ts';
import type { Ended, Plan } from './life.ts';
import type { Machine, Run } from './machine.ts';
import { unitsOf } from './service.ts';

type Given = {
  readonly plan: Plan;
  readonly chain: EvmChain;
  readonly machine: Machine;
  readonly now: () => number;
};

type End = {
  readonly ended: readonly Ended[];
  readonly decisions: readonly Decision[];
  readonly lastResume: number | undefined;
};

/** Exit codes that a life without faults and without two equal payments never has. */
const NEVER_IN_PEACE = [1, 10, 11, 12];

/** After this time the same command is another payment, unless the first is in doubt. */
const REPEAT_MS = 24 * 60 * 60_000;

/** The hashes of payments that a printed result shows as made. */
const successesIn = (stdout: string): readonly unknown[] => {
  if (!stdout.includes('"success"')) return [];
  try {
    const rows = [JSON.parse(stdout)].flat() as readonly { readonly status?: string; readonly tid_hash?: string }[];
    return rows.filter(({ status }) => status === 'success').map(({ tid_hash: hash }) => hash);
  } catch {
    // A process was killed while it printed.
    return [];
  }
};

/** Watches a life. `problems` has each broken promise. */
export const newWatch = ({ plan, chain, machine, now }: Given) => {
  const { disk } = machine;
  const problems: string[] = [];
  const problem = (text: string): void => {
    if (!problems.includes(text)) problems.push(text);
  };
  const paymentOf = (to: string, units: bigint): number =>
    plan.payments.findIndex(
      ({ amount, receiver }) => unitsOf(amount) === units && receiver.toLowerCase() === to.toLowerCase(),
    );
  const outputs: Run['said'][] = [];
  let hasResumed = false;
  /** Payments that a command said were made. A replaced block may undo them for a while. */
  const claimed = new Set<number>();
  /** Whether the journal has the end of a transaction's operation, or its acceptance more than a day ago. */
  const isOverIn = (operation: string, hash: string): boolean => {
    if (!operation.includes(hash)) return false;
    // A resume writes the end of a payment before its output.
    if (operation.includes('"step":"ended"') && hasResumed) return true;
    const startedAt = Date.parse(/"at":"([^"]+)"/.exec(operation)?.[1] ?? '');
    return operation.includes('"step":"executed"') && machine.now() - startedAt > REPEAT_MS;
  };
  /** The files of operations in the journal, with their present content. */
  const operations = () => disk.all().filter(([path]) => path.endsWith('.ndjson'));
  const isOver = (hash: string): boolean =>
    outputs.some(({ stdout }) => successesIn(stdout).includes(hash)) ||
    operations().some(([, bytes]) => isOverIn(bytes.toString(), hash));
  /** What was over when the next payment was registered: the loss of power may take that from the journal again. */
  const over = new Set<string>();
  const noteOver = (): void => {
    for (const hash of sent.keys()) if (!over.has(hash) && isOver(hash)) over.add(hash);
  };
  /** Signed bytes that left the machine, by their hash. */
  const sent = new Map<string, Sent>();

  /** 3: nothing is sent that was not reviewed, written and synced first. */
  const checkSynced = ({ raw, hash }: Sent): void => {
    const needed = [raw.slice(2), '"step":"reviewed"', '"step":"executing"', hash];
    const isWritten = operations().some(([path]) => needed.every((text) => disk.isSafe(path, text)));
    if (!isWritten) problem(`3: ${hash} was sent before its review, its bytes and its sending were synced`);
  };

  /** 2: no second live transaction of a payment, unless only one of both can land. */
  const checkAlone = (one: Sent): void => {
    for (const other of sent.values()) {
      // The data of a transfer has receiver and amount, which name the payment.
      if (other.hash === one.hash || other.data !== one.data || other.from !== one.from) continue;
      // What has landed or is over is counted by the first promise.
      const hasLanded = chain.receiptAt(chain.headAt(now()), other.hash)?.isGood === true;
      if (other.nonce !== one.nonce && !hasLanded && !over.has(other.hash) && !chain.isDead(other, now())) {
        problem(`2: ${one.hash} was sent while ${other.hash} of the same payment could still land`);
      }
    }
  };

  const onBytes = (raw: string): void => {
    const one = readSent(raw);
    if (!sent.has(one.hash)) checkAlone(one);
    checkSynced(one);
    sent.set(one.hash, one);
  };

  return {
    problems,
    onRequest: ({ url, headers, body = '' }: HttpRequest): void => {
      const bytes = /"signed_transaction":"(?:0x)?([0-9a-fA-F]+)"/.exec(body)?.[1];
      if (url.endsWith('/intents-create-order')) noteOver();
      if (bytes) onBytes(`0x${bytes.toLowerCase()}`);
      if (/eth_sendRawTransaction/.test(body)) onBytes(/0x02[0-9a-fA-F]+/.exec(body)?.[0].toLowerCase() ?? '');
      const text = `${url}\n${JSON.stringify(headers)}\n${body}`;
      for (const [name, secret] of SECRETS) {
        const isAllowed = secret === API_KEY && !url.startsWith(NODE_URL);
        if (!isAllowed && text.includes(secret)) problem(`5: a request to ${new URL(url).host} has ${name}`);
      }
    },
    onStart: (said: Run['said'], args: readonly string[]): void => {
      outputs.push(said);
      hasResumed ||= args.includes('resume');
    },
    /**
     * 1: no effect that nobody stated, and at most one for each payment. Without --intent, the same command with --yes makes
     * another once the earlier one is over, or was accepted a day ago.
     */
    onStep: (): void => {
      const hashes = new Map<number, string[]>();
      for (const { to, units, hash } of chain.effects()) {
        const payment = paymentOf(to, units);
        if (payment < 0) problem(`1: ${hash} pays what nobody stated`);
        hashes.set(payment, [...(hashes.get(payment) ?? []), hash]);
      }
      for (const [payment, made] of hashes) {
        const isNamed = plan.payments[payment]?.intent !== undefined;
        const allowed = isNamed ? 1 : 1 + made.filter((hash) => over.has(hash)).length;
        if (made.length > allowed) problem(`1: payment ${payment} was made ${made.length} times`);
      }
    },
    /** 4 and 5: what a command printed is true, and has no secret. */
    onEnd: ({ said, code }: Run, args: readonly string[]): void => {
      if (code === 1)
        problem(`4: ${args.slice(0, 2).join(' ')} ended with a fault of bursar: ${said.stderr}${said.stdout}`);
      for (const [name, secret] of SECRETS) {
        if ((said.stdout + said.stderr).includes(secret)) problem(`5: ${args.slice(0, 2).join(' ')} printed ${name}`);
      }
      const [, body] = /payment-(\d+)\.json/.exec(args.join(' ')) ?? [];
      if (code === 0 && body !== undefined) claimed.add(Number(body));
    },
    onLifeEnd: ({ ended, decisions, lastResume }: End): void => {
      const made = new Set(chain.effects().map(({ to, units }) => paymentOf(to, units)));
      for (const each of claimed) {
        if (!made.has(each)) problem(`4: pay run of payment ${each} ended with 0, and it is not on the chain`);
      }
      if (lastResume !== 0) problem(`4: without faults, pay resume --all still ends with ${lastResume}`);
      const isDistinct = new Set(plan.actors.map(({ payment }) => payment)).size === plan.actors.length;
      if (decisions.length === 0 && isDistinct) {
        for (const { name, code } of ended) {
          if (code === undefined || NEVER_IN_PEACE.includes(code))
            problem(`6: ${name} ended with ${code} without a fault`);
        }
      }
      for (const [path, bytes] of disk.all()) {
        for (const [name, secret] of SECRETS) {
          const isItsPlace = secret === PASSWORD && path.endsWith('/password');
          if (!isItsPlace && bytes.includes(secret)) problem(`5: ${path} has ${name}`);
        }
      }
    },
  };
};

export type Watch = ReturnType<typeof newWatch>;
