import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { Failure, hasCode } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';

/** Processors that have a build, of each system. */
const BUILDS: Readonly<Record<string, readonly string[]>> = { darwin: ['x64', 'arm64'], linux: ['x64', 'arm64'] };

/** The packages that may hold litesvm for a system and processor, as Node names them; on Linux one for each C library. */
export const solanaPackages = (system: string, processor: string): readonly string[] => {
  if (!BUILDS[system]?.includes(processor)) return [];
  const name = `litesvm-${system}-${processor}`;
  return system === 'linux' ? [`${name}-gnu`, `${name}-musl`] : [name];
};

/** Failures of this kind leave everything but the sandbox's Solana chain working. */
const cannotRun = (message: string, advice: string, cause?: unknown): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's Solana chain cannot run here: ${message}`, {
    hint: `${advice} Payments on EVM chains and commands against a deployment do not need it.`,
    next: nextStep('doctor'),
    cause,
  });

const isMissing = (error: unknown): boolean => hasCode(error, 'MODULE_NOT_FOUND') && !/GLIBC/i.test(String(error));

/**
 * Loads the first of this machine's packages that is installed. Throws `sandbox_unavailable` when there is none for
 * it, when it is not installed, or when it does not fit the C library.
 */
export const loadSolana = (system: string = platform(), processor: string = arch()): unknown => {
  const names = solanaPackages(system, processor);
  if (names.length === 0) {
    throw cannotRun(`litesvm has no build for ${system} on ${processor}`, 'Use Linux or macOS on x64 or arm64.');
  }
  const require = createRequire(import.meta.url);
  for (const name of names) {
    try {
      return require(name);
    } catch (error) {
      if (!isMissing(error))
        throw cannotRun(
          `${name} does not load here: ${String(error)}`,
          'Read its message: it names the missing part.',
          error,
        );
    }
  }
  throw cannotRun(
    `the optional package ${names.join(' or ')} is not installed`,
    'Install bursar again with its optional dependencies: npm install --include=optional.',
  );
};
