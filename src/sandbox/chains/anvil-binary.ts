import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '../../core/failure.ts';
import { nextStep } from '../../core/next.ts';

/** The systems and processors with a build of anvil, and the processor's name in the package. */
const BUILDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  darwin: { x64: 'amd64', arm64: 'arm64' },
  linux: { x64: 'amd64', arm64: 'arm64' },
  win32: { x64: 'amd64' },
};

/** The npm package of anvil for a system and processor, in Node's names; `undefined` if there is no build. */
export const anvilPackage = (system: string, processor: string): string | undefined => {
  const build = BUILDS[system]?.[processor];
  return build && `@foundry-rs/anvil-${system}-${build}`;
};

/** The failure if anvil cannot run. Everything except the sandbox's EVM chains still works. */
export const cannotRun = (message: string, advice: string): Failure =>
  new Failure('sandbox_unavailable', `the sandbox's EVM chains cannot run here: ${message}`, {
    hint: `${advice} Commands against a deployment do not need them.`,
    next: nextStep('doctor'),
  });

/** Returns the path of anvil's binary. Throws `sandbox_unavailable` without a build for this machine or without its package. */
export const findAnvil = (system: string = platform(), processor: string = arch()): string => {
  const name = anvilPackage(system, processor);
  if (!name) {
    throw cannotRun(
      `anvil has no build for ${system} on ${processor}`,
      'Use Linux or macOS on x64 or arm64, or Windows on x64.',
    );
  }
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(folder, 'bin', system === 'win32' ? 'anvil.exe' : 'anvil');
  } catch {
    throw cannotRun(
      `the optional package ${name} is not installed`,
      'Install bursar again with its optional dependencies: npm install --include=optional.',
    );
  }
};

/** Messages of the shell and the loader if a binary does not fit the machine's C library. */
const WRONG_LIBRARY = /GLIBC_|not found|No such file|ENOENT/i;

/** The failure for an anvil that ended before it listened. `stderr` is the output of anvil or its loader. */
export const explainEnd = (stderr: string): Failure => {
  const reason = stderr.trim().split('\n')[0] ?? '';
  return WRONG_LIBRARY.test(stderr)
    ? cannotRun(
        `anvil needs glibc 2.35 or newer, and there is no build for musl (${reason})`,
        'Use a newer distribution, such as Debian 12 or Ubuntu 22.04, or an image that is not Alpine.',
      )
    : cannotRun(
        `anvil ended at its start: ${reason || 'without a message'}`,
        'Everything but the sandbox works without it.',
      );
};
