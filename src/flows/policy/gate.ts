import type { Overrides } from '../../chain/evm/context.ts';
import { ALLOW_BLIND, allowProgram, allowRecipient, type Check, feeAtMost, refuse } from '../../chain/review/check.ts';
import { checkPlannedOutflow, type PlannedOutflow } from '../../chain/review/check-policy.ts';
import { hasDailyLimit, limitsSomething, type Policy, type PolicyInForce } from '../../chain/review/policy.ts';
import type { SharedReview } from '../../chain/review/review.ts';
import type { SolanaOverrides } from '../../chain/solana/context.ts';
import type { Service } from '../../client/service.ts';
import { type KeyChain, type Kind, SOLANA } from '../../contract/chains.ts';
import { Failure, isFailure, messageOf, withDetails } from '../../core/failure.ts';
import { isSameAddress, isSameText } from '../../core/text.ts';
import type { Io } from '../../io/io.ts';
import type { ReviewEvent } from '../../journal/event.ts';
import type { SigningIntent } from '../../journal/intents.ts';
import { type Operation, type OperationStart, withOperation } from '../../journal/operation.ts';
import { keysForNames } from '../../keystore/keystore.ts';
import { chainOf, type DayCount, openDay, type PassedReview, type RulingPolicy } from './day.ts';
import { readKeyPolicy, refusedByPolicy } from './key-policy.ts';

/** A profile's policy, with the profile's name and service. */
export type ProfilePolicy = { readonly profile: string; readonly baseUrl: string; readonly policy: Policy };

/** A gate query: the signer and the chains, real ones or the sandbox's. */
export type GateQuery = {
  readonly chain: KeyChain;
  /** The address that signs. */
  readonly address: string;
  readonly kind: Kind;
  /** The blockhash of a Solana transaction; only it identifies the chain. */
  readonly blockhash?: string | undefined;
};

/** The options of a gate. */
export type GateSettings = {
  readonly io: Io;
  readonly service: Pick<Service, 'profile' | 'kind' | 'baseUrl'>;
  /** The policies of the current profile and of other applicable ones. */
  readonly policies: readonly ProfilePolicy[];
  /** Set if the user named the sandbox's profile: it signs for no real chain. */
  readonly signsOnlySandbox?: boolean;
  /** Whether this home's sandbox has a Solana blockhash. */
  readonly sandboxKnows?: (blockhash: string) => Promise<boolean>;
};

/** The purpose of a mere signature: a payment with the user's statement and its service. */
export type SigningOf = Partial<
  Pick<OperationStart, 'profile' | 'kind' | 'baseUrl' | 'asker' | 'payment_id' | 'stated' | 'intent_key'>
>;

/** The hosts that are in every list of allowed hosts. */
const hostsIn = (policies: readonly Policy[]): readonly string[] | undefined => {
  const [first, ...others] = policies.flatMap(({ challenge_hosts: hosts }) => (hosts ? [hosts] : []));
  return first?.filter((host) => others.every((hosts) => hosts.some((each) => isSameText(each, host))));
};

/** The user's name for a key; its address if this home has none. */
const nameOfKey = async (io: Io, address: string): Promise<string> =>
  (await keysForNames(io)).find((key) => isSameAddress(key.address, address))?.name ?? address;

const REAL_CHAIN = refuse(
  'world',
  'It is for a real chain, and the profile sandbox signs for chains of the sandbox alone. Leave --profile sandbox out, or name the profile that it is for.',
);

const UNKNOWN_BLOCKHASH = refuse(
  'blockhash',
  'The sandbox of this home does not know its blockhash: it may be of a real chain, or too old.',
);

/** Opens the gate of a command. It applies all policies: of profiles, of the key, and their daily limits in the journal. */
export const openGate = ({ io, service, policies, ...world }: GateSettings) => {
  const { profile, baseUrl } = service;
  const ofProfiles = policies
    .filter(({ policy }) => limitsSomething(policy))
    .map(({ profile: name, baseUrl: own, policy }): RulingPolicy => {
      // A policy that applies in addition also counts signatures under the current profile.
      const services = [
        { profile: name, baseUrl: own },
        { profile, baseUrl },
      ];
      return { policy, owner: { kind: 'profile', name }, counted: { services } };
    });
  const rulingsFor = async (signing: GateQuery | undefined) => {
    const own = signing && (await readKeyPolicy(io, signing));
    if (signing === undefined || own === undefined || !limitsSomething(own.policy))
      return { rulings: ofProfiles, hasMandate: false };
    const { address, kind } = signing;
    const owner = { kind: 'key', name: await nameOfKey(io, address) } as const;
    const ruling: RulingPolicy = { policy: own.policy, owner, counted: { wallet: address, kind } };
    return { rulings: [...ofProfiles, ruling], hasMandate: own.hasMandate };
  };
  const refusalsFor = async ({ chain, kind, blockhash }: Partial<GateQuery> = {}): Promise<readonly Check[]> => {
    if (kind !== 'sandbox') return kind === 'live' && world.signsOnlySandbox ? [REAL_CHAIN] : [];
    if (chain !== 'solana' || blockhash === undefined || world.sandboxKnows === undefined) return [];
    return (await world.sandboxKnows(blockhash)) ? [] : [UNKNOWN_BLOCKHASH];
  };
  const inForceWith = async (
    signing: GateQuery | undefined,
    countUnder: (ruling: RulingPolicy) => Promise<Partial<DayCount>>,
  ): Promise<PolicyInForce> => {
    const { rulings, hasMandate } = await rulingsFor(signing);
    const applied = rulings.map(async ({ counted, ...ruling }) => {
      return { ...ruling, moved: [], ...(await countUnder({ counted, ...ruling })) };
    });
    return {
      policies: await Promise.all(applied),
      refusals: await refusalsFor(signing),
      challengeHosts: hostsIn(rulings.map(({ policy }) => policy)),
      hasMandate,
    };
  };
  const askedBy = (asked: PlannedOutflow): GateQuery | undefined =>
    asked.payer === undefined ? undefined : { chain: 'evm', address: asked.payer, kind: service.kind };
  return {
    /** The refusal of a request that applies to any transaction; `undefined` if there is none. */
    refusalOf: async (asked: PlannedOutflow): Promise<Failure | undefined> => {
      const before = (ruling: RulingPolicy) => openDay(io, ruling).countAhead(asked);
      const found = checkPlannedOutflow(await inForceWith(askedBy(asked), before), asked);
      // Checks that need a confirmation are refused without a terminal.
      const wrong = found.filter(({ verdict }) => verdict === 'refuse' || !io.prompt.isPossible);
      return wrong.length === 0 ? undefined : refusedByPolicy(wrong, 'Nothing was sent.');
    },
    /**
     * The limits for a review, including the outflows of the last 24 hours. Without a transaction that moves money, no
     * journal is read. Throws `refused_by_review` for an untrusted policy.
     */
    inForce: (signing: GateQuery, reviewed?: Pick<PassedReview, 'digest' | 'place'>): Promise<PolicyInForce> =>
      inForceWith(signing, async (ruling) => (reviewed ? openDay(io, ruling).countBeside(reviewed) : {})),
    /** Whether a policy applies to a signature. Throws `refused_by_review` for an untrusted policy. */
    isLimited: async (signing: GateQuery): Promise<boolean> => (await rulingsFor(signing)).rulings.length > 0,
    /** Whether a daily limit applies to a signature. Throws `refused_by_review` for an untrusted policy. */
    hasDailyLimit: async (signing: GateQuery): Promise<boolean> =>
      (await rulingsFor(signing)).rulings.some((ruling) => hasDailyLimit(ruling.policy)),
    /**
     * Checks a recorded review against daily limits again: another process may have signed meanwhile. Throws
     * `refused_by_review`.
     */
    assertDay: async (
      signing: GateQuery,
      operation: Operation,
      passed: readonly PassedReview[],
      isAlone = false,
    ): Promise<void> => {
      const { rulings } = await rulingsFor(signing);
      for (const ruling of rulings) await openDay(io, ruling).assertFits(operation, passed, isAlone);
    },
    /**
     * Checks the bytes of a recorded sending against daily limits, just before the call. Throws as `assertDay`; each of its
     * errors says that nothing was sent.
     */
    assertDayStill: async (operation: Operation, hashes: readonly string[]): Promise<void> => {
      const own = operation.state().reviewed.filter(({ hash }) => hash !== undefined && hashes.includes(hash));
      const [first] = own;
      if (first === undefined) return;
      try {
        const { rulings } = await rulingsFor({ chain: chainOf(first.from), address: first.from, kind: first.kind });
        for (const ruling of rulings) await openDay(io, ruling).assertFitsStill(own);
      } catch (error) {
        const failure = isFailure(error) ? error : new Failure('internal', messageOf(error), { cause: error });
        throw withDetails(failure, { isUnsent: true });
      }
    },
    /**
     * Starts an operation for a mere signature. Without a policy and a payment it is recorded only on Solana, where
     * `yield broadcast` recognises the bytes.
     */
    withSigning: async <T>(
      signing: GateQuery,
      intent: SigningIntent,
      work: (operation: Operation | undefined) => Promise<T>,
      of?: SigningOf,
    ): Promise<T> => {
      const { rulings } = await rulingsFor(signing);
      const isRecorded = rulings.length > 0 || signing.chain === SOLANA || of?.payment_id !== undefined;
      if (!isRecorded) return work(undefined);
      // Bytes for the other kind of chain belong to no selected service.
      const own = signing.kind === service.kind ? service : { profile: signing.kind, baseUrl: '' };
      return withOperation(io, { ...own, kind: signing.kind, intent, ...of }, work);
    },
  };
};

/** Applies all policies to what a command signs. */
export type PolicyGate = ReturnType<typeof openGate>;

/** The record of a review, and the nonce slot of its transaction (EVM only). */
export type ReviewRecord = Pick<ReviewEvent, 'verdict' | 'digest' | 'allowed' | 'moves'> & Pick<PassedReview, 'place'>;

/** A review in the form of the journal, with the user's options. */
export const reviewRecord = (
  { verdict, digest, outflows: moves }: SharedReview,
  { allowBlind, allowPrograms = [], allowRecipients = [], feeAtMost: fee }: Overrides & SolanaOverrides,
): ReviewRecord => {
  const allowed = [
    ...(allowBlind ? [ALLOW_BLIND] : []),
    ...allowPrograms.map(allowProgram),
    ...allowRecipients.map(allowRecipient),
    ...(fee === undefined ? [] : [feeAtMost(fee)]),
  ];
  return { verdict, digest, allowed, moves };
};

/** Records passed reviews, then checks their outflows against daily limits. Throws `refused_by_review`. */
export const recordReviews = async (
  { operation, gate }: { readonly operation: Operation; readonly gate?: PolicyGate | undefined },
  signing: GateQuery,
  reviews: readonly ReviewRecord[],
): Promise<void> => {
  const { address: from, kind } = signing;
  const passed = reviews.map(({ digest, moves, place }) => ({ digest, outflows: moves, place }));
  const events = reviews.map(
    ({ verdict, digest, allowed, moves }) =>
      ({ step: 'reviewed', verdict, digest, allowed, moves, from, kind }) as const,
  );
  if (gate && (await gate.hasDailyLimit(signing)))
    return operation.recordChecked(events, {
      // One lock for all wallets: the policy of a profile counts several of them.
      lock: `daily limits ${kind}`,
      check: (isAlone) => gate.assertDay(signing, operation, passed, isAlone),
    });
  for (const event of events) await operation.record(event);
};
