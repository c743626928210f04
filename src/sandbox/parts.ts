import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Failure, isFailure } from '../core/failure.ts';
import { explainEnd, findAnvil } from './chains/anvil-binary.ts';
import { withPackages } from './packages.ts';
import { loadSolana } from './solana/package.ts';

/** The test result of a part of the sandbox. `message` is its version or state, or the message of the failure. */
export type Part = {
  readonly part: string;
  readonly message: string;
  readonly failure?: Failure;
  /** A limit of the part on this machine. */
  readonly limit?: string;
};

const TIMEOUT_MS = 5_000;

/**
 * The consequence when anvil cannot have a network of its own; `undefined` when it can. The sandbox starts anvil
 * likewise.
 */
const findLimit = async (): Promise<string | undefined> => {
  try {
    await promisify(execFile)('unshare', ['-r', '-n', 'env', '-i', 'true'], { timeout: TIMEOUT_MS });
    return undefined;
  } catch {
    return 'other users, programs and web pages on this machine can change its test balances';
  }
};

const readAnvilVersion = async (): Promise<string> => {
  const path = findAnvil();
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: TIMEOUT_MS });
    return stdout.split('\n')[0]?.trim() ?? '';
  } catch (error) {
    throw explainEnd(String((error as { stderr?: unknown }).stderr || error));
  }
};

/** Tests a part. A part that works is also tested for a limit. */
const tryPart = async (
  part: string,
  test: () => Promise<string>,
  testLimit?: () => Promise<string | undefined>,
): Promise<Part> => {
  try {
    const [message, limit] = [await test(), await testLimit?.()];
    return { part, message, ...(limit !== undefined && { limit }) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { part, message: error.message, failure: error };
  }
};

/** Tests each part of the sandbox on this machine. Starts no chain and writes nothing. */
export const sandboxParts = (): Promise<readonly Part[]> =>
  Promise.all([
    tryPart('server', () => withPackages(async () => void (await import('./run.ts'))).then(() => 'loads')),
    tryPart('EVM chains', readAnvilVersion, findLimit),
    tryPart('Solana chain', async () => {
      loadSolana();
      return 'litesvm loads';
    }),
  ]);
