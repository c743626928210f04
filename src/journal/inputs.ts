import { join } from 'node:path';
import { isJsonObject, parseJson, printJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { journalFolder, unwritable } from './places.ts';
/** What the calls of a movement are made with. It may hold personal data, which the journal itself never does. */
export type Inputs = Readonly<Record<string, unknown>>;

const inputsPath = (io: Io, id: string): string => join(journalFolder(io), `${id}.inputs`);

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
 * Keeps the inputs of a movement beside it, for the owner alone, until it is over. Throws `journal_unwritable`: then
 * nothing was sent, and what could not be taken up again is not begun.
 */
export const keepInputs = async (io: Io, id: string, inputs: Inputs): Promise<void> => {
  const path = inputsPath(io, id);
  try {
    await io.files.replacePrivate(path, printJson(withoutCards(inputs)));
  } catch (error) {
    throw unwritable(path, error);
  }
};

/** The inputs of a movement; `undefined` where they are gone, or damaged. */
export const readInputs = async (io: Io, id: string): Promise<Inputs | undefined> => {
  const bytes = await io.files.read(inputsPath(io, id));
  try {
    const inputs = bytes && parseJson(new TextDecoder().decode(bytes));
    return isJsonObject(inputs) ? inputs : undefined;
  } catch {
    return undefined;
  }
};

/** Removes the inputs of a movement; nothing where there are none. */
export const dropInputs = (io: Io, id: string): Promise<void> => io.files.remove(inputsPath(io, id));
