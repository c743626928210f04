import type { Decision } from './decisions.ts';
import type { DiskState } from './disk.ts';
import { type EvmChain, readSent, type Sent } from './evm-chain.ts';
import type { Ended, Plan } from './life.ts';
import type { Run } from './machine.ts';
import { unitsOf } from './service.ts';
import { API_KEY, NODE_URL, PASSWORD, SECRETS } from './world.ts';

type Given = {
  readonly plan: Plan;
  readonly chain: EvmChain;
  readonly disk: DiskState;
  readonly now: () => number;
};

type End = {
  readonly ended: readonly Ended[];
  readonly decisions: readonly Decision[];
  readonly lastDrain: number | undefined;
};

/** Exit codes that a life without faults and without two equal payments never has. */
const NEVER_IN_PEACE = [1, 10, 11, 12];

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
export const newWatch = ({ plan, chain, disk, now }: Given) => {
  const problems: string[] = [];
  const problem = (text: string): void => {
    if (!problems.includes(text)) problems.push(text);
  };
  const paymentOf = (to: string, units: bigint): number =>
    plan.payments.findIndex(
      ({ amount, receiver }) => unitsOf(amount) === units && receiver.toLowerCase() === to.toLowerCase(),
    );
  const runs: Run[] = [];
  /** Payments that a command said were made. A replaced block may undo them for a while. */
  const claimed = new Set<number>();
  /** Whether a command printed the success of a transaction, or the journal has the end of its operation. */
  const isOver = (hash: string): boolean =>
    runs.some(({ said }) => successesIn(said.stdout).includes(hash)) ||
    disk
      .all()
      .some(([path, bytes]) => path.endsWith('.ndjson') && bytes.includes(hash) && bytes.includes('"step":"ended"'));
  /** What was over when the next payment was registered: the loss of power may take that from the journal again. */
  const over = new Set<string>();
  const noteOver = (): void => {
    for (const hash of sent.keys()) if (!over.has(hash) && isOver(hash)) over.add(hash);
  };
  /** Signed bytes that left the machine, by their hash. */
  const sent = new Map<string, Sent>();
  const journalFiles = () =>
    disk
      .all()
      .filter(([path]) => path.endsWith('.ndjson'))
      .map(([path]) => path);

  /** 3: nothing is sent that was not reviewed, written and synced first. */
  const checkSynced = ({ raw, hash }: Sent): void => {
    const bare = raw.slice(2);
    const isWritten = journalFiles().some(
      (path) =>
        disk.isSafe(path, bare) &&
        disk.isSafe(path, '"step":"reviewed"') &&
        disk.isSafe(path, '"step":"executing"') &&
        disk.isSafe(path, hash),
    );
    if (!isWritten) problem(`3: ${hash} was sent before its review, its bytes and its sending were synced`);
  };

  /** 2: no second live transaction of a payment, unless only one of both can land. */
  const checkAlone = (one: Sent): void => {
    const payment = (other: Sent) => other.data;
    for (const other of sent.values()) {
      if (other.hash === one.hash || payment(other) !== payment(one) || other.from !== one.from) continue;
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
    onRequest: (url: string, headers: Readonly<Record<string, string>>, body: string): void => {
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
    onStart: (run: Run): void => {
      runs.push(run);
    },
    /**
     * 1: no effect that nobody stated, and at most one for each payment. Without --intent, the same command with --yes makes
     * another once the earlier one is over.
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
    onLifeEnd: ({ ended, decisions, lastDrain }: End): void => {
      const made = new Set(chain.effects().map(({ to, units }) => paymentOf(to, units)));
      for (const each of claimed) {
        if (!made.has(each)) problem(`4: pay run of payment ${each} ended with 0, and it is not on the chain`);
      }
      if (lastDrain !== 0) problem(`4: without faults, pay resume --all still ends with ${lastDrain}`);
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
