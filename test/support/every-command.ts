import { AREAS } from '../../src/cli/command/areas.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { type Line, recipeOf, type World } from './recipes.ts';

const leaves = (await Promise.all(AREAS.map(({ load }) => load()))).flat();

const nameOf = ({ words }: Command): string => words.join(' ');

/** Commands that end the sandbox of the other commands come last. */
const LAST = ['sandbox reset', 'sandbox stop'];

/** Every command of the program, by its words. A test of all commands covers a new command too. */
export const COMMANDS: readonly (readonly [string, Command])[] = leaves
  .toSorted((one, other) => LAST.indexOf(nameOf(one)) - LAST.indexOf(nameOf(other)))
  .map((leaf) => [nameOf(leaf), leaf] as const);

/** A command line that succeeds in the home of the world. */
export const lineOf = async (world: World, name: string): Promise<Line> => {
  const command = leaves.find((leaf) => nameOf(leaf) === name);
  if (!command) throw new Error(`no command ${name}`);
  if (name === 'sandbox stop') await world.bursar(['sandbox', 'start']);
  return recipeOf(command)(world);
};
