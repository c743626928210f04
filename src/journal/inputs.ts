import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { storeOf } from './file-store.ts';
import { stateOf } from './reduce.ts';
import { needsNoInputs } from './status.ts';
import { readOperation } from './wire.ts';

/** The request bodies of an operation. They may hold personal data, which the journal never holds. */
export type Inputs = Readonly<Record<string, unknown>>;

/** Card data is never stored on the disk; the user enters it each time. */
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
 * Stores the inputs of an operation, readable only by the owner, until it ends. Throws `journal_unwritable`. Then
 * nothing was sent, because an operation without inputs could not be resumed.
 */
export const keepInputs = (io: Io, id: string, inputs: Inputs): Promise<void> =>
  storeOf(io).inputs.write(id, printJson(withoutCards(inputs)));

/** The inputs of an operation; `undefined` if they are missing or damaged. */
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

/** Personal data is stored only while it is needed. */
export const dropWhenUseless = async (io: Io, id: string): Promise<void> => {
  const recorded = await readOperation(io, id);
  if (recorded && needsNoInputs(stateOf(recorded))) await dropInputs(io, id);
};

/**
 * Removes what killed processes left in the journal: claims, inputs of closed operations, unnamed files, half-written
 * operations. A failed removal is repeated at the next clean-up.
 */
export const cleanUpJournal = (io: Io): Promise<void> =>
  storeOf(io).cleanUp(async (id) => {
    const recorded = await readOperation(io, id);
    if (recorded === undefined) return 'nothing';
    return needsNoInputs(stateOf(recorded)) ? 'lines' : 'inputs';
  });
