import { createRequire } from 'node:module';
import { Failure, hasCode, messageOf } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';

/** Packages that only the sandbox needs; an installation may omit them. */
const OPTIONAL = ['hono', '@hono/node-server', 'kysely', 'libsql'];

const isThere = (name: string): boolean => {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
};

const isMissingModule = (error: unknown): boolean => hasCode(error, 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND');

const missing = (names: string, cause?: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox needs packages that are not installed: ${names}`, {
    hint: 'Install bursar again with its optional dependencies (npm install --include=optional). Everything but the sandbox works without them.',
    next: nextStep('doctor'),
    cause,
  });

/**
 * Loads a part of the sandbox. Throws `sandbox_unavailable`, saying which packages are missing and how to get
 * them, when the installation does not have what the sandbox needs.
 */
export const withPackages = async <T>(load: () => Promise<T>): Promise<T> => {
  const absent = OPTIONAL.filter((name) => !isThere(name));
  if (absent.length > 0) throw missing(absent.join(', '));
  try {
    return await load();
  } catch (error) {
    // The package of this machine's processor and system, which libsql asks for by name.
    if (isMissingModule(error)) throw missing(messageOf(error).split('\n')[0] ?? '', error);
    throw error;
  }
};
