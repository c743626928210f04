import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { storeOf } from './file-store.ts';
import { readOperation } from './read.ts';
import { stateOf } from './reduce.ts';
import { needsNoInputs } from './status.ts';

/** What the calls of an operation are made with. It may hold personal data, which the journal itself never does. */
export type Inputs = Readonly<Record<string, unknown>>;

/** Cards are asked for again each time: their data is nowhere on the disk. */
const withoutCards = (inputs: Inputs): Inputs =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [
      name,
      isJsonObject(input)
        ? Object.fromEntries(Object.entries(input).filter(([field]) => field !== 'card_data'))
        : input,
    ]),
  );

/**
 * Stores the inputs of an operation beside it, for the owner alone, until it is over. Throws `journal_unwritable`: then
 * nothing was sent, and what could not be resumed is not begun.
 */
export const keepInputs = (io: Io, id: string, inputs: Inputs): Promise<void> =>
  storeOf(io).inputs.write(id, printJson(withoutCards(inputs)));

/** The inputs of an operation; `undefined` where they are gone, or damaged. */
export const readInputs = async (io: Io, id: string): Promise<Inputs | undefined> => {
  const bytes = await storeOf(io).inputs.read(id);
  try {
    const inputs = bytes && parseJson(new TextDecoder().decode(bytes));
    return isJsonObject(inputs) ? inputs : undefined;
  } catch {
    return undefined;
  }
};

/** Removes the inputs of an operation; nothing where there are none. */
export const dropInputs = (io: Io, id: string): Promise<void> => storeOf(io).inputs.remove(id);

/** What is personal is stored no longer than it is of use. */
export const dropWhenUseless = async (io: Io, id: string): Promise<void> => {
  const recorded = await readOperation(io, id);
  if (recorded && needsNoInputs(stateOf(recorded))) await dropInputs(io, id);
};

/**
 * Takes away what killed processes left in the journal: claims, inputs of what is over, files that never got their name,
 * an operation of half a line. Where that fails it is left for the next time.
 */
export const cleanUpJournal = (io: Io): Promise<void> =>
  storeOf(io).cleanUp(async (id) => {
    const recorded = await readOperation(io, id);
    if (recorded === undefined) return 'nothing';
    return needsNoInputs(stateOf(recorded)) ? 'lines' : 'inputs';
  });
