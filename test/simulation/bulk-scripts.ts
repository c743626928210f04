import { BULK, type BulkPlan, type BulkScriptName, bulkArgs } from './bulk-plan.ts';
import { nodeOf, resumeArgs, type Script } from './scripts.ts';

/** The scripts of bulk payments: the runs of a plan, and resumes of the same home beside them. */
export const bulkScript = (name: BulkScriptName, bulk: BulkPlan): Script =>
  name === BULK
    ? async (shell, { actor }) => {
        for (const step of bulk.steps) {
          await shell.pause(step.pauseMs);
          await shell.run(bulkArgs(bulk, step, nodeOf(actor)));
        }
      }
    : async (shell, { actor }) => {
        for (let time = 1; time <= 2; time += 1) {
          await shell.run(resumeArgs(actor));
          await shell.pause(30_000);
        }
      };
