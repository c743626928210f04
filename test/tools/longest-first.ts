import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Parts of the paths of the files that take longest. */
const LONG = [
  '/simulation/',
  '/judges/',
  '/crash/',
  '/bulk/queue/',
  '/journal/postgres/',
  '/cli/commands/webhook-slow',
  '/sandbox/kill',
  '/sandbox/bridge-kill',
  '/smoke/bounds',
  '/cli/command/every-',
  '/terminal/',
  '/browser/',
  '/journeys/',
  '/bad-input/',
  '/readme/',
  '/cli/print/every-look',
];

/** Parts of the paths of files that wait most of the time, and use little of the processor. */
const WAITING = [
  '/bulk/queue/',
  '/journal/postgres/',
  '/cli/commands/webhook-slow',
  '/terminal/',
  '/cli/command/every-',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((part) => moduleId.includes(part));
  return at < 0 ? LONG.length : at;
};

const waits = ({ moduleId }: TestSpecification): boolean => WAITING.some((part) => moduleId.includes(part));

/**
 * Starts long files first, because a long file at the end runs alone. Alternates files that compute with files that wait.
 * Otherwise it keeps the order of Vitest, which requires a class.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
    const waiting = sorted.filter(waits);
    const computing = sorted.filter((file) => !waits(file));
    const pairs = computing.flatMap((file, at) => [file, ...waiting.slice(at, at + 1)]);
    return [...pairs, ...waiting.slice(computing.length)];
  }
}
