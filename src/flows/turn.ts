import { createHash } from 'node:crypto';
import type { Client } from '../client/call.ts';
import type { Kind } from '../contract/chains.ts';
import { Failure } from '../core/failure.ts';
import { type NextStep, nextStep } from '../core/next.ts';
import type { Claim, ClaimHolder } from '../io/files/claim.ts';
import { storeOf } from '../journal/open-store.ts';
import type { Operation } from '../journal/operation.ts';
import type { Subject } from '../journal/store.ts';

/** A wallet on one chain, real or in the sandbox. A known chain id takes precedence over the name. */
export type Wallet = {
  readonly kind: Kind;
  readonly chain: string;
  readonly chainId?: number | undefined;
  readonly address: string;
};

/** The turn of one operation of a wallet. */
export type Turn = {
  /**
   * Asks the user a question. If that exceeds the time of the command, the turn is released to other operations and
   * claimed again afterwards.
   */
  readonly whileAsking: <T>(work: () => Promise<T>) => Promise<T>;
  /** Since when other operations may have had a turn, in milliseconds since 1970; `undefined` if none had. */
  readonly lostAt: () => number | undefined;
};

/**
 * Orders the operations of one process that sign with the same wallet, before they take turns with other processes. A
 * process with one operation needs none.
 */
export type WalletQueue = <T>(wallet: Wallet, operation: Operation, work: () => Promise<T>) => Promise<T>;

/** A key that signs. `open` resolves with its private key. If it has to ask for the password, it asks once. */
export type SigningKey = { readonly address: string; readonly open: () => Promise<Uint8Array> };

type Approver<R> = { readonly approve: (of: R) => Promise<boolean> };

/**
 * The same context, whose question opens the key after a yes. So the turn does not wait for a password that is typed.
 */
export const openingKey = <R, C extends Approver<R>>(context: C & Approver<R>, { open }: SigningKey): C => ({
  ...context,
  approve: async (of: R): Promise<boolean> => {
    if (!(await context.approve(of))) return false;
    await open();
    return true;
  },
});

/** A short text that is equal for the same wallet on the same chain. */
export const laneOf = ({ kind, chain, chainId, address }: Wallet): string => {
  const name = address.startsWith('0x') ? address.toLowerCase() : address;
  const what = JSON.stringify([kind, chainId ?? chain.toLowerCase(), name]);
  return createHash('sha256').update(what).digest('hex').slice(0, 24);
};

/** The claim subject of the wallet: its holder has the turn. */
const subjectOf = (wallet: Wallet): Subject => ({ of: 'wallet', name: laneOf(wallet) });

const busy = ({ chain, address }: Wallet, holder: ClaimHolder, next: NextStep | undefined): Failure => {
  const who = holder.process ? `process ${holder.process.pid}` : 'another process';
  return new Failure('not_final', `${who} is working with the wallet ${address} on ${chain}`, {
    hint: `Operations of one wallet on one chain take turns. ${holder.advice}`,
    next: next ?? nextStep('operation.list.open', 'pay'),
  });
};

/** Time kept for the call itself. */
const MARGIN_MS = 500;

/** The wallet, the waiting command, and the command to run later if the turn does not come. */
export type TurnOf = { readonly client: Client; readonly wallet: Wallet; readonly next?: NextStep | undefined };

const take = async ({ client, wallet, next }: TurnOf): Promise<Claim> => {
  const { io } = client;
  const patience = client.deadline - io.clock.monotonic() - MARGIN_MS;
  const claiming = await (await storeOf(io)).claim(subjectOf(wallet), patience);
  if ('claim' in claiming) return claiming.claim;
  throw busy(wallet, claiming.holder, next);
};

/**
 * Runs a function while no other operation of the wallet runs. The turn lasts from the creation of a transaction with
 * the next nonce to the response of its send. Waits as long as the command may take, then throws `not_final`. The turn
 * of a killed process is free at once.
 */
export const withTurn = async <T>(of: TurnOf, work: (turn: Turn) => Promise<T>): Promise<T> => {
  const { clock } = of.client.io;
  let claim = await take(of);
  let lostAt: number | undefined;
  const longest = of.client.deadline - clock.monotonic();
  const whileAsking: Turn['whileAsking'] = async (ask) => {
    const answered = new AbortController();
    const lapse = clock.sleep(longest, answered.signal).then(
      async () => {
        lostAt ??= clock.now();
        await claim.release();
      },
      () => undefined,
    );
    let answer: Awaited<ReturnType<typeof ask>>;
    try {
      answer = await ask();
    } finally {
      answered.abort();
      await lapse;
    }
    if (!(await claim.isHeld())) {
      lostAt ??= clock.now();
      claim = await take(of);
    }
    return answer;
  };
  try {
    return await work({ whileAsking, lostAt: () => lostAt });
  } finally {
    await claim.release();
  }
};
