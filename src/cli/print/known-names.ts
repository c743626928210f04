import type { RemainingApproval } from '../../chain/review/footprint.ts';
import type { KeyChain } from '../../contract/key-chain.ts';
import { isSameAddress } from '../../core/same-text.ts';
import type { Io } from '../../io/io.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import type { CommandContext } from '../context/context.ts';
import { reviewLines, type ShownReview } from './show-review.ts';
import { step } from './steps.ts';

/** What a token account holds: with an owner's address it tells the account's. */
type TokenAccountFacts = { readonly mint: string; readonly program: string };

/** The user's own name for an address, or for a token account of one; `undefined` where there is none. */
export type NameOf = (address: string, held?: TokenAccountFacts) => string | undefined;

type OwnKey = { readonly name: string; readonly chain: KeyChain; readonly address: string };

const ownKeys = async (io: Io): Promise<readonly OwnKey[]> => {
  const keys = await openKeystore(io)
    .list()
    .catch(() => []);
  return keys.flatMap((key) =>
    key.status === 'usable' && key.address !== undefined ? [{ ...key, address: key.address }] : [],
  );
};

/** The names of the user's own keys. A keystore that cannot be read names nobody, and stops nothing. */
export const ownNames = async (io: Io): Promise<NameOf> => {
  const keys = await ownKeys(io);
  const ofSolana = keys.filter(({ chain }) => chain === 'solana');
  const accountOf = ofSolana.length > 0 ? (await import('../../chain/solana/address.ts')).tokenAccountOf : undefined;
  return (address, held) => {
    const own = keys.find((key) => isSameAddress(key.address, address));
    if (own || !held) return own?.name;
    const owner = ofSolana.find((key) => accountOf?.(key.address, held.mint, held.program) === address);
    return owner && `the token account of ${owner.name}`;
  };
};

/** The user's own name for an address, looked up when it is needed. */
export const nameIn =
  ({ io }: { readonly io: Io }) =>
  async (address: string): Promise<string | undefined> =>
    (await ownNames(io))(address);

const named = <K extends string>(field: K, name: string | undefined) =>
  (name === undefined ? {} : { [field]: name }) as { readonly [_ in K]?: string };

/** A review with the user's own names for whom it is about, before those that bursar knows. */
export const withNames = <R extends ShownReview>(review: R, nameOf: NameOf): R & { readonly from_name?: string } => ({
  ...review,
  ...named('from_name', nameOf(review.from)),
  moves: review.moves.map((move) => ({
    ...move,
    ...named('to_name', nameOf(move.to, 'token_account' in move ? move.token_account : undefined)),
  })),
  remainingApprovals: review.remainingApprovals.map(
    (one): RemainingApproval => ({ ...one, ...(one.who === undefined ? {} : named('who_name', nameOf(one.who))) }),
  ),
});

/** The step of a review, with the review in words below it. */
export const reviewedStep = async (cli: CommandContext, review: ShownReview, elapsed: number): Promise<string> => {
  const named = withNames(review, await ownNames(cli.io));
  const head = step(cli, 'reviewed', `${review.checks.length} checks`, elapsed, review.verdict);
  return `${head}\n${reviewLines(cli, named)}`.trimEnd();
};
