import type { RemainingApproval } from '../../chain/review/footprint.ts';
import type { KeyChain } from '../../contract/key-chain.ts';
import { isSameAddress } from '../../core/same-text.ts';
import type { Io } from '../../io/io.ts';
import { openKeystore } from '../../keystore/keystore.ts';
import type { CommandContext } from '../context/context.ts';
import { reviewLines, type ShownReview } from './show-review.ts';
import { step } from './steps.ts';

/** The mint and the token program of a token account. With an owner they determine the account's address. */
type TokenAccountFacts = { readonly mint: string; readonly program: string };

/** Finds the user's key name for an address or a token account; `undefined` if there is none. */
export type NameOf = (address: string, tokenAccount?: TokenAccountFacts) => string | undefined;

type OwnKey = { readonly name: string; readonly chain: KeyChain; readonly address: string };

const ownKeys = async (io: Io): Promise<readonly OwnKey[]> => {
  const keys = await openKeystore(io)
    .list()
    .catch(() => []);
  return keys.flatMap((key) =>
    key.status === 'usable' && key.address !== undefined ? [{ ...key, address: key.address }] : [],
  );
};

/** Reads the names of the user's keys. An unreadable keystore gives no names and no failure. */
export const ownNames = async (io: Io): Promise<NameOf> => {
  const keys = await ownKeys(io);
  const ofSolana = keys.filter(({ chain }) => chain === 'solana');
  const accountOf = ofSolana.length > 0 ? (await import('../../chain/solana/address.ts')).tokenAccountOf : undefined;
  return (address, tokenAccount) => {
    const own = keys.find((key) => isSameAddress(key.address, address));
    if (own || !tokenAccount) return own?.name;
    const { mint, program } = tokenAccount;
    const owner = ofSolana.find((key) => accountOf?.(key.address, mint, program) === address);
    return owner && `the token account of ${owner.name}`;
  };
};

/** Looks up the user's key name for one address. */
export const nameIn =
  ({ io }: { readonly io: Io }) =>
  async (address: string): Promise<string | undefined> =>
    (await ownNames(io))(address);

const named = <K extends string>(field: K, name: string | undefined) =>
  (name === undefined ? {} : { [field]: name }) as { readonly [_ in K]?: string };

/** Adds the user's key names to a review. They take precedence over bursar's own names. */
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

/** The step line of a review, followed by the lines of the review. */
export const reviewedStep = async (cli: CommandContext, review: ShownReview, elapsed: number): Promise<string> => {
  const named = withNames(review, await ownNames(cli.io));
  const head = step(cli, 'reviewed', `${review.checks.length} checks`, elapsed, review.verdict);
  return `${head}\n${reviewLines(cli, named)}`.trimEnd();
};
