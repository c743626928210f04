import { createRequire } from 'node:module';
import { Failure, hasCode, messageOf } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';

/** The optional package of the sandbox. An installation may omit it. */
const OPTIONAL = 'libsql';

const isInstalled = (): boolean => {
  try {
    createRequire(import.meta.url).resolve(OPTIONAL);
    return true;
  } catch {
    return false;
  }
};

const isMissingModule = (error: unknown): boolean => hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND');

const missingPackage = (name: string, cause?: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox needs a package that is not installed: ${name}`, {
    hint: 'Install bursar again with its optional dependencies (npm install --include=optional). Everything but the sandbox works without them.',
    next: nextStep('doctor'),
    cause,
  });

/**
 * Loads a part of the sandbox. Throws `sandbox_unavailable` for a missing package, with its name and the way to install
 * it.
 */
export const withPackages = async <T>(load: () => Promise<T>): Promise<T> => {
  if (!isInstalled()) throw missingPackage(OPTIONAL);
  try {
    return await load();
  } catch (error) {
    // libsql loads another package for this machine's processor and system.
    if (isMissingModule(error)) throw missingPackage(messageOf(error).split('\n')[0] ?? '', error);
    throw error;
  }
};
