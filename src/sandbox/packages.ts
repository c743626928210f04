import { createRequire } from 'node:module';
import { Failure, hasCode, messageOf } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';

/** The package that only the sandbox needs; an installation may omit it. */
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

const missing = (name: string, cause?: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox needs a package that is not installed: ${name}`, {
    hint: 'Install bursar again with its optional dependencies (npm install --include=optional). Everything but the sandbox works without them.',
    next: nextStep('doctor'),
    cause,
  });

/**
 * Loads a part of the sandbox. Throws `sandbox_unavailable`, saying which package is missing and how to get it, when
 * the installation does not have what the sandbox needs.
 */
export const withPackages = async <T>(load: () => Promise<T>): Promise<T> => {
  if (!isInstalled()) throw missing(OPTIONAL);
  try {
    return await load();
  } catch (error) {
    // The package of this machine's processor and system, which libsql asks for by name.
    if (isMissingModule(error)) throw missing(messageOf(error).split('\n')[0] ?? '', error);
    throw error;
  }
};
