import type { Choice, Other } from './asked.ts';
import { listOf, type Room } from './list-layout.ts';
import { isWhole, narrowed } from './narrow.ts';

/** The place of a choice in its list, or what was typed instead. */
export type Found = number | string;

type Key = readonly [key: string, action: string];

const helpOf = (keys: readonly Key[]): string =>
  [['type', 'to narrow'], ...keys].map(([key, action]) => `${key} ${action}`).join(' • ');

/** A list that is narrowed by what is typed, as inquirer takes it. Where it does not have all, that can be an answer too. */
export const searchOf = <T>(
  question: string,
  choices: readonly Choice<T>[],
  room: Room,
  other: Other<T> | undefined,
) => {
  const longest = Math.max(0, ...choices.map(({ value }) => (typeof value === 'string' ? value.length : 0)));
  const { message, choices: list, pageSize } = listOf(question, choices, room, longest);
  const found = (typed: string) => narrowed(choices, typed).flatMap((choice) => list[choices.indexOf(choice)] ?? []);
  return {
    message,
    pageSize,
    theme: { style: { keysHelpTip: helpOf } },
    source: async (typed = '') => {
      if (typed.trim() === '') return list;
      if (!other || choices.some((choice) => isWhole(choice, typed))) return found(typed);
      // Only a choice that is named as it was typed is asked for again where it is wrong.
      const itself = { name: typed, value: typed, description: 'Enter takes it as it was typed.' };
      return [...found(typed), itself];
    },
    validate: async (value: Found) => {
      const problem = typeof value === 'string' ? await other?.problemIn?.(value.trim()) : undefined;
      return problem === undefined || room.inWidth(problem);
    },
  };
};
