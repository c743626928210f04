import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, by the parts of a path. */
const LONG = [
  '/simulation/',
  '/judges/',
  '/crash/',
  '/cli/command/every-',
  '/terminal/',
  '/browser/',
  '/journeys/',
  '/bad-input/',
  '/readme/',
  '/cli/print/every-look',
];

/** What waits for most of its time. */
const WAITING = ['/terminal/', '/cli/command/every-'];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((part) => moduleId.includes(part));
  return at < 0 ? LONG.length : at;
};

const waits = ({ moduleId }: TestSpecification): boolean => WAITING.some((part) => moduleId.includes(part));

/**
 * Starts long files first, for one that is left to the end runs alone, and those that wait beside those that compute. The
 * order is Vitest's own otherwise. A class, for Vitest asks for one.
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
