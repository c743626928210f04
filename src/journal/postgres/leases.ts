import { Failure, undefinedOn } from '../../core/failure.ts';
import { parseJson } from '../../core/json.ts';
import type { ClaimHolder, ClaimResult } from '../../io/files/claim.ts';
import type { Io } from '../../io/io.ts';
import type { Liveness, ProcessName } from '../../io/processes.ts';
import type { CallRefused } from '../call-guard.ts';
import { ConnectionLost, type HeldLease, type JournalDatabase } from './database.ts';

/** A lease of this process. `sentAt`: when its last successful renewal was sent, by both clocks of this machine. */
type OwnLease = HeldLease & { readonly sentAt: Moment; isLost: boolean };

type Moment = { readonly monotonic: number; readonly now: number };

/** The longest call (30 s), and a margin: after both, no call of a former holder is under way. */
export const QUIET_MS = 30_000 + 5_000;

/** A longer wait is named in a pipe too. */
const LONG_MS = 3_000;
const PAUSE_MS = 100;

/** The leases that a process holds. One renewal extends all of them. */
export const newLeases = (io: Io, database: JournalDatabase, leaseMs: number) => {
  const { clock } = io;
  const held = new Map<string, OwnLease>();
  /** How many claims of this process wait for a subject. */
  const claiming = new Map<string, number>();
  let owner: Promise<string> | undefined;
  let renewing: Promise<void> | undefined;
  let beat: AbortController | undefined;

  const ownName = (): Promise<string> => {
    owner ??= io.processes.self().then((self) => {
      const id = Buffer.from(io.random.bytes(8)).toString('hex');
      return JSON.stringify({ id, ...self });
    });
    return owner;
  };
  const moment = (): Moment => ({ monotonic: clock.monotonic(), now: clock.now() });
  /** The monotonic clock of a machine may stop while it sleeps, and the other clock may be set. The larger age counts. */
  const ageOf = ({ sentAt }: OwnLease): number => {
    const { monotonic, now } = moment();
    return Math.max(monotonic - sentAt.monotonic, now - sentAt.now);
  };
  const isFresh = (lease: OwnLease): boolean => !lease.isLost && ageOf(lease) < leaseMs / 2;

  const renewOnce = async (): Promise<void> => {
    const before = [...held.values()];
    const sentAt = moment();
    const renewed = await database.renew(
      await ownName(),
      before.map(({ subject }) => subject),
    );
    const kept = new Map(renewed.map(({ subject, epoch }) => [subject, epoch]));
    for (const lease of before) {
      if (held.get(lease.subject) !== lease) continue;
      if (kept.get(lease.subject) === lease.epoch) held.set(lease.subject, { ...lease, sentAt });
      else lease.isLost = true;
    }
  };
  /** Of simultaneous renewals one is made. Its failure is no news: the leases grow old. */
  const renew = (): Promise<void> => {
    renewing ??= renewOnce()
      .catch((error: unknown) => {
        if (!(error instanceof ConnectionLost)) throw error;
      })
      .finally(() => {
        renewing = undefined;
      });
    return renewing;
  };
  const keepRenewing = async (stop: AbortSignal): Promise<void> => {
    while (!stop.aborted) {
      await clock.sleep(leaseMs / 3, stop).catch(() => undefined);
      if (!stop.aborted) await renew().catch(() => undefined);
    }
  };
  const add = (lease: OwnLease): void => {
    held.set(lease.subject, lease);
    if (beat) return;
    beat = new AbortController();
    void keepRenewing(beat.signal);
  };
  const drop = (subject: string): void => {
    held.delete(subject);
    if (held.size > 0) return;
    beat?.abort();
    beat = undefined;
  };
  const holderFrom = (text: string, leftMs: number): Omit<ClaimHolder, 'isRunningHere'> => ({
    process: undefinedOn(() => parseJson(text) as ProcessName),
    advice: `Its lease ends at ${new Date(clock.now() + leftMs).toISOString()} unless it is renewed.`,
  });
  const release = async (lease: OwnLease): Promise<void> => {
    const current = held.get(lease.subject);
    // This process may have taken the subject again.
    if (current?.epoch !== lease.epoch) return;
    drop(lease.subject);
    // A lease that this process believes lost may be its own still.
    await database.release(lease).catch(() => undefined);
  };
  const isHeld = async (subject: string, epoch: number): Promise<boolean> => {
    const current = (): OwnLease | undefined => {
      const found = held.get(subject);
      return found?.epoch === epoch ? found : undefined;
    };
    const lease = current();
    if (lease && !isFresh(lease)) await renew();
    // Without an answer it may be held still: the database refuses an entry otherwise.
    return current()?.isLost === false;
  };
  /** After a take-over, waits until no call of the earlier holder can be under way. */
  const waitForQuiet = async (waitMs: number): Promise<void> => {
    if (waitMs <= 0) return;
    const end = clock.monotonic() + waitMs;
    const label = () =>
      `another process stopped; its last call ends within ${Math.ceil((end - clock.monotonic()) / 1000)} s`;
    // Only a terminal shows what is waited for.
    if (!io.stderr.isTerminal && !io.isQuiet && waitMs > LONG_MS) await io.stderr.write(`note: ${label()}\n`);
    await io.spin(label, clock.sleep(waitMs, io.interrupted));
  };
  /** A machine of the same name with another boot may be another machine. */
  const livenessOf = async (holder: ProcessName): Promise<Liveness> =>
    holder.boot !== undefined && holder.boot === (await io.processes.self()).boot
      ? io.processes.liveness(holder)
      : 'unknown';
  /** A lease that this process does not use: the answer to its claim, or its release, was lost. */
  const isUnused = (subject: string, owner: string, own: string): boolean =>
    owner === own && !held.has(subject) && claiming.get(subject) === 1;
  const claimWithin = async (subject: string, patienceMs: number): Promise<ClaimResult> => {
    const until = clock.monotonic() + patienceMs;
    let [dead, mayBeOver]: [string | undefined, boolean] = [undefined, false];
    for (;;) {
      const sentAt = moment();
      const own = await ownName();
      const taken = await database.take({ subject, owner: own, dead, mayBeOver });
      if ('epoch' in taken) {
        const lease: OwnLease = { subject, epoch: taken.epoch, sentAt, isLost: false };
        add(lease);
        try {
          await waitForQuiet(taken.waitMs);
        } catch (error) {
          await release(lease);
          throw error;
        }
        return {
          claim: { isHeld: () => isHeld(subject, lease.epoch), release: () => release(lease) },
        };
      }
      const holder = holderFrom(taken.owner, taken.leftMs);
      const liveness = holder.process ? await livenessOf(holder.process) : 'unknown';
      const isFree = liveness === 'dead' || isUnused(subject, taken.owner, own);
      if (isFree && dead !== taken.owner) {
        dead = taken.owner;
        continue;
      }
      // Only a holder that may still run has calls to wait for.
      if (taken.leftMs <= 0 && !mayBeOver) {
        mayBeOver = true;
        continue;
      }
      if (clock.monotonic() >= until) return { holder: { ...holder, isRunningHere: liveness === 'alive' } };
      await clock.sleep(PAUSE_MS * (0.5 + io.random.fraction()), io.interrupted);
    }
  };
  const claim = async (subject: string, patienceMs: number): Promise<ClaimResult> => {
    claiming.set(subject, (claiming.get(subject) ?? 0) + 1);
    try {
      return await claimWithin(subject, patienceMs);
    } finally {
      const others = (claiming.get(subject) ?? 1) - 1;
      if (others > 0) claiming.set(subject, others);
      else claiming.delete(subject);
    }
  };
  return {
    claim,
    /** The epoch of a lease of this process, for an entry under it. Throws `not_final` without it. */
    epochOf: (subject: string): number => {
      const found = held.get(subject);
      if (found && !found.isLost) return found.epoch;
      throw new Failure('not_final', `this process stopped: it has lost its claim on ${subject}`, {
        hint: 'Another machine has taken over. Nothing was sent now.',
      });
    },
    /**
     * The lease of a subject, if this process has it, or had it until another one took it. `isStart`: with those of its
     * wallets as a worker, because a row is put again once nobody has its wallet.
     */
    heldFor: (wanted: string, isStart: boolean): readonly HeldLease[] =>
      [...held.values()].flatMap(({ subject, epoch }) =>
        subject === wanted || (isStart && subject.startsWith('worker/')) ? [{ subject, epoch }] : [],
      ),
    noteLost: (subject: string): void => {
      const found = held.get(subject);
      if (found) found.isLost = true;
    },
    /**
     * Called before each request. A process that was stopped, or has lost the database, starts no call: another machine may
     * have its operations. Returns why.
     */
    refusalOfCall: async (): Promise<CallRefused | undefined> => {
      if ([...held.values()].every(isFresh)) return undefined;
      await renew();
      const [bad] = [...held.values()].filter((lease) => !isFresh(lease));
      if (bad === undefined) return undefined;
      return bad.isLost
        ? { reason: 'taken_over', message: 'another process has taken over an operation of this one' }
        : { reason: 'withheld', message: `a lease cannot be renewed: ${database.where} does not answer` };
    },
  };
};

/** The leases of a process. */
export type Leases = ReturnType<typeof newLeases>;
