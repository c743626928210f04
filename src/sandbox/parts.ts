import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Failure, isFailure } from '../core/failure.ts';
import { explainEnd, findAnvil } from './chains/anvil-binary.ts';
import { withPackages } from './packages.ts';
import { loadSolana } from './solana/package.ts';

/** Something that only the sandbox needs: what it is where it works, or why it does not. */
export type Part = {
  readonly part: string;
  readonly says: string;
  readonly failure?: Failure;
  /** What it cannot do here. */
  readonly limit?: string;
};

const ANSWERS_WITHIN_MS = 5_000;

/** Why anvil gets no network of its own here; the sandbox starts it in the same way. */
const findLimit = async (): Promise<string | undefined> => {
  try {
    await promisify(execFile)('unshare', ['-r', '-n', 'env', '-i', 'true'], { timeout: ANSWERS_WITHIN_MS });
    return undefined;
  } catch {
    return 'other users, programs and web pages on this machine can change its test balances';
  }
};

const askAnvil = async (): Promise<string> => {
  const path = findAnvil();
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: ANSWERS_WITHIN_MS });
    return stdout.split('\n')[0]?.trim() ?? '';
  } catch (error) {
    throw explainEnd(String((error as { stderr?: unknown }).stderr || error));
  }
};

/** Tries a part; `findLimitOf` is asked where it works. */
const tryPart = async (
  part: string,
  look: () => Promise<string>,
  findLimitOf?: () => Promise<string | undefined>,
): Promise<Part> => {
  try {
    const [says, limit] = [await look(), await findLimitOf?.()];
    return { part, says, ...(limit !== undefined && { limit }) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { part, says: error.message, failure: error };
  }
};

/** Whether each part of the sandbox would work here. Starts no chain, writes nothing. */
export const sandboxParts = (): Promise<readonly Part[]> =>
  Promise.all([
    tryPart('server', () => withPackages(async () => void (await import('./run.ts'))).then(() => 'loads')),
    tryPart('EVM chains', askAnvil, findLimit),
    tryPart('Solana chain', async () => {
      loadSolana();
      return 'litesvm loads';
    }),
  ]);
