import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes longest, by the parts of a path. */
const LONG = [
  '/judges/',
  '/crash/',
  '/cli/command/every-command',
  '/terminal/',
  '/browser/',
  '/journeys/',
  '/bad-input/',
  '/readme/',
  '/cli/print/every-look',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONG.findIndex((part) => moduleId.includes(part));
  return at < 0 ? LONG.length : at;
};

/** Starts long files first, else in Vitest's order: one that is left to the end runs alone. A class, for Vitest asks for one. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
