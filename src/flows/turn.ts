import { createHash } from 'node:crypto';
import type { Client } from '../client/call.ts';
import type { Kind } from '../contract/chains.ts';
import { Failure } from '../core/failure.ts';
import { type NextStep, nextStep } from '../core/next.ts';
import { type Claim, type ClaimHolder, describeClaim } from '../io/files/claim.ts';
import { storeOf } from '../journal/file-store.ts';
import type { Subject } from '../journal/store.ts';

/** A wallet on one chain, in the real world or in the sandbox. Where the id of the chain is known its name means nothing. */
export type Wallet = {
  readonly kind: Kind;
  readonly chain: string;
  readonly chainId?: number | undefined;
  readonly address: string;
};

/** The turn of one operation of a wallet. */
export type Turn = {
  /**
   * Asks the user something. Where that takes longer than the time of the command, others of the wallet get their
   * turn, and this one is taken again afterwards.
   */
  readonly whileAsking: <T>(work: () => Promise<T>) => Promise<T>;
  /** Since when others may have had their turn, in milliseconds since 1970; `undefined` where nobody had. */
  readonly lostAt: () => number | undefined;
};

/** What stands for the wallet: whoever holds a claim on it has its turn. */
const subjectOf = ({ kind, chain, chainId, address }: Wallet): Subject => {
  const name = address.startsWith('0x') ? address.toLowerCase() : address;
  const what = JSON.stringify([kind, chainId ?? chain.toLowerCase(), name]);
  return { of: 'wallet', name: createHash('sha256').update(what).digest('hex').slice(0, 24) };
};

const busy = ({ chain, address }: Wallet, holder: ClaimHolder, next: NextStep | undefined): Failure => {
  const who = holder.process ? `process ${holder.process.pid}` : 'another process';
  return new Failure('not_final', `${who} is working with the wallet ${address} on ${chain}`, {
    hint: `Operations of one wallet on one chain take turns. ${describeClaim(holder)}`,
    next: next ?? nextStep('operation.list.open', 'pay'),
  });
};

/** Time kept for the call itself. */
const MARGIN_MS = 500;

/** What has a turn: the wallet, whose command waits for it, and what is run later where it did not come. */
export type TurnOf = { readonly client: Client; readonly wallet: Wallet; readonly next?: NextStep | undefined };

const take = async ({ client, wallet, next }: TurnOf): Promise<Claim> => {
  const { io } = client;
  const patience = client.deadline - io.clock.monotonic() - MARGIN_MS;
  const claiming = await storeOf(io).claim(subjectOf(wallet), patience);
  if ('claim' in claiming) return claiming.claim;
  throw busy(wallet, claiming.holder, next);
};

/**
 * Works while no other operation of the wallet does: from the creation of a transaction, which has the next nonce, to
 * the answer of the call that sends it. Waits for its turn as long as the command may take, then throws `not_final`. A
 * turn of a process that was killed is free at once.
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
    await claim.release().catch(() => undefined);
  }
};
