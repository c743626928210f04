import { type Check, refuse } from '../../chain/review/check.ts';
import { checkPlannedOutflow, type PlannedOutflow } from '../../chain/review/check-policy.ts';
import { limitsSomething, type Policy, type PolicyInForce } from '../../chain/review/policy.ts';
import type { Service } from '../../client/service.ts';
import type { Kind } from '../../contract/chains.ts';
import type { KeyChain } from '../../contract/key-chain.ts';
import type { Failure } from '../../core/failure.ts';
import { isSameAddress, isSameText } from '../../core/same-text.ts';
import type { Io } from '../../io/io.ts';
import type { SigningIntent } from '../../journal/intents.ts';
import { type Beginning, type Operation, withOperation } from '../../journal/operation.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import { type DayCount, openDay, type Passed, type Ruling } from './day.ts';
import { readKeyPolicy } from './key-policy.ts';
import { refusedByPolicy } from './refusal.ts';

/** A policy of a profile, by the profile's name, and the service that the profile is for. */
export type ProfilePolicy = { readonly profile: string; readonly baseUrl: string; readonly policy: Policy };

/** What is asked of the gate: whose signature it is about, and on which chains, real ones or those of the sandbox. */
export type Signing = {
  readonly chain: KeyChain;
  /** The address that signs. */
  readonly address: string;
  readonly kind: Kind;
  /** Of a transaction of Solana: nothing else in it says which chain it is for. */
  readonly blockhash?: string | undefined;
};

/** What the gate is opened with. */
export type GateSettings = {
  readonly io: Io;
  readonly service: Pick<Service, 'profile' | 'kind' | 'baseUrl'>;
  /** Policies of profiles: of the one in use, and of those that hold beside it. */
  readonly policies: readonly ProfilePolicy[];
  /** Where the profile of the sandbox was asked for by its name: it signs for no real chain. */
  readonly signsOnlySandbox?: boolean;
  /** Whether the sandbox of this home knows a blockhash of Solana. */
  readonly sandboxKnows?: (blockhash: string) => Promise<boolean>;
};

/** The one place where all policies meet: those of profiles, that of the key, and the journal that they count in. */
export type PolicyGate = {
  /** Why what is asked for would be refused whatever its transaction is; `undefined` where nothing says so. */
  readonly refusalOf: (asked: PlannedOutflow) => Promise<Failure | undefined>;
  /**
   * What holds for the review of a transaction, with what left in the last 24 hours by others. Without one, for what moves
   * nothing, no journal is read. Throws `refused_by_review` for a policy that cannot be trusted.
   */
  readonly inForce: (signing: Signing, reviewed?: Pick<Passed, 'digest' | 'place'>) => Promise<PolicyInForce>;
  /**
   * Holds what passed its review, and is in the journal, against the limits of the day once more: another process may
   * have signed meanwhile. Throws `refused_by_review`.
   */
  readonly assertDay: (signing: Signing, operation: Operation, passed: readonly Passed[]) => Promise<void>;
  /**
   * An operation for what is only signed: what is for a payment is written down, and under a policy everything, or it would
   * not be counted.
   */
  readonly withSigning: <T>(
    signing: Signing,
    intent: SigningIntent,
    work: (operation: Operation | undefined) => Promise<T>,
    of?: SigningOf,
  ) => Promise<T>;
};

/** What a signature alone is for: a payment, with what the user states of it and the service that it is of. */
export type SigningOf = Partial<Pick<Beginning, 'profile' | 'kind' | 'baseUrl' | 'asker' | 'payment_id' | 'stated'>>;

/** The hosts that every policy lists which lists any. */
const hostsIn = (policies: readonly Policy[]): readonly string[] | undefined =>
  policies
    .flatMap(({ challenge_hosts: hosts }) => (hosts ? [hosts] : []))
    .reduce<readonly string[] | undefined>(
      (all, hosts) => all?.filter((host) => hosts.some((each) => isSameText(each, host))) ?? hosts,
      undefined,
    );

/** The name that the user knows a key by; its address where this home has none. */
const nameOfKey = async (io: Io, address: string): Promise<string> => {
  const keys = await openKeystore(io).list();
  const own = keys.find((key) => key.status === 'usable' && key.address && isSameAddress(key.address, address));
  return own?.name ?? address;
};

const REAL_CHAIN = refuse(
  'world',
  'It is for a real chain, and the profile sandbox signs for chains of the sandbox alone. Leave --profile sandbox out, or name the profile that it is for.',
);

const UNKNOWN_BLOCKHASH = refuse(
  'blockhash',
  'The sandbox of this home does not know its blockhash: it may be of a real chain, or too old.',
);

/** Opens the gate of a command. */
export const openGate = ({ io, service, policies, ...world }: GateSettings): PolicyGate => {
  const { profile, baseUrl } = service;
  const ofProfiles = policies
    .filter(({ policy }) => limitsSomething(policy))
    .map(({ profile: name, baseUrl: own, policy }): Ruling => {
      // A policy that holds beside the profile in use counts what is signed under that one too.
      const services = [
        { profile: name, baseUrl: own },
        { profile, baseUrl },
      ];
      return { policy, owner: { kind: 'profile', name }, counted: { services } };
    });
  const rulingsFor = async (signing: Signing | undefined) => {
    const own = signing && (await readKeyPolicy(io, signing));
    if (signing === undefined || own === undefined || !limitsSomething(own.policy))
      return { rulings: ofProfiles, hasMandate: false };
    const { address, kind } = signing;
    const owner = { kind: 'key', name: await nameOfKey(io, address) } as const;
    const ruling: Ruling = { policy: own.policy, owner, counted: { wallet: address, kind } };
    return { rulings: [...ofProfiles, ruling], hasMandate: own.hasMandate };
  };
  const refusalsFor = async ({ chain, kind, blockhash }: Partial<Signing> = {}): Promise<readonly Check[]> => {
    if (kind !== 'sandbox') return kind === 'live' && world.signsOnlySandbox ? [REAL_CHAIN] : [];
    if (chain !== 'solana' || blockhash === undefined || world.sandboxKnows === undefined) return [];
    return (await world.sandboxKnows(blockhash)) ? [] : [UNKNOWN_BLOCKHASH];
  };
  const inForceWith = async (
    signing: Signing | undefined,
    countUnder: (ruling: Ruling) => Promise<Partial<DayCount>>,
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
  const askedBy = (asked: PlannedOutflow): Signing | undefined =>
    asked.payer === undefined ? undefined : { chain: 'evm', address: asked.payer, kind: service.kind };
  return {
    refusalOf: async (asked) => {
      const before = (ruling: Ruling) => openDay(io, ruling).countAhead(asked);
      const found = checkPlannedOutflow(await inForceWith(askedBy(asked), before), asked);
      // What only the user can let pass is refused where nobody can be asked.
      const wrong = found.filter(({ verdict }) => verdict === 'refuse' || !io.prompt.isPossible);
      return wrong.length === 0 ? undefined : refusedByPolicy(wrong, 'Nothing was sent.');
    },
    inForce: (signing, reviewed) =>
      inForceWith(signing, async (ruling) => (reviewed ? openDay(io, ruling).countBeside(reviewed) : {})),
    assertDay: async (signing, operation, passed) => {
      const { rulings } = await rulingsFor(signing);
      for (const ruling of rulings) await openDay(io, ruling).assertFits(operation, passed);
    },
    withSigning: async (signing, intent, work, of) => {
      const { rulings } = await rulingsFor(signing);
      if (rulings.length === 0 && of?.payment_id === undefined) return work(undefined);
      // Bytes of the other world are of no service that was selected.
      const own = signing.kind === service.kind ? service : { profile: signing.kind, baseUrl: '' };
      return withOperation(io, { ...own, kind: signing.kind, intent, ...of }, work);
    },
  };
};
