import { apiKeyFingerprint } from '../../../client/service.ts';
import { Failure } from '../../../core/failure.ts';
import { secret } from '../../../core/secret.ts';
import { type Claim, claim } from '../../../io/files/claim.ts';
import type { Io } from '../../../io/io.ts';
import { forgetAfter, startedSince } from '../../../journal/forget.ts';
import { counted } from '../../../smoke/report.ts';
import { pathOfRun, runsSince } from '../../../smoke/run-journal.ts';
import { SANDBOX } from '../../profiles/profile.ts';

/** The key that the sandbox of this home gives to its user. Starts the sandbox, if it does not run. */
const sandboxOf = async (io: Io) => {
  const { startSandbox } = await import('../../../sandbox/launcher.ts');
  const { url: baseUrl, api_key } = await startSandbox(io, {});
  const service = { profile: SANDBOX, kind: SANDBOX, baseUrl, apiKey: secret(api_key) } as const;
  return { kind: SANDBOX, baseUrl, asker: apiKeyFingerprint(service) } as const;
};

/** Claims the record of a smoke run. Throws `not_final` if a process works on the run. */
const claimRun = async (io: Io, runId: string): Promise<Claim> => {
  const claiming = await claim(io, pathOfRun(io, runId));
  if ('claim' in claiming) return claiming.claim;
  const { holder } = claiming;
  const who = holder.process ? `process ${holder.process.pid}` : 'another process';
  throw new Failure('not_final', `${who} is working on the smoke run ${runId}`, {
    hint: `${holder.advice} Wait until that process ends, then run the command again.`,
  });
};

const forgetRunsAfter = async <T>(io: Io, runIds: readonly string[], work: () => Promise<T>): Promise<T> => {
  const claims: Claim[] = [];
  try {
    for (const runId of runIds) claims.push(await claimRun(io, runId));
    const result = await work();
    for (const runId of runIds) await io.files.remove(pathOfRun(io, runId));
    return result;
  } finally {
    for (const { release } of claims) await release();
  }
};

/**
 * Restores the sandbox, then removes the records of what the restore undid: operations of the journal and smoke runs since a
 * time of this machine. The sandbox gives their ids again. Throws `not_final` before the restore when a process works on one.
 */
export const forgetUndone = async <T>(io: Io, since: number, restore: () => Promise<T>) => {
  const sandbox = await sandboxOf(io);
  const [operations, runs] = [await startedSince(io, sandbox, since), await runsSince(io, sandbox, since)];
  const result = await forgetRunsAfter(io, runs, () => forgetAfter(io, operations, restore));
  const counts = [
    operations.length > 0 && counted(operations.length, 'operation'),
    runs.length > 0 && counted(runs.length, 'smoke run'),
  ];
  return { result, operations: operations.length, removed: counts.filter(Boolean).join(', ') };
};
