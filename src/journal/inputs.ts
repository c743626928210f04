import { undefinedOn } from '../core/failure.ts';
import { isJsonObject, parseJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { storeOf } from './open-store.ts';
import type { OperationState } from './operation-state.ts';
import { stateOf } from './reduce.ts';
import { needsNoInputs } from './status.ts';
import { readOperation } from './wire.ts';

/** The request bodies of an operation. They may hold personal data, which the journal never holds. */
export type Inputs = Readonly<Record<string, unknown>>;

/** Card data is never stored on the disk; the user enters it each time. */
export const withoutCards = (inputs: Inputs): Inputs => {
  const withoutCard = (input: Inputs): Inputs =>
    Object.fromEntries(Object.entries(input).filter(([field]) => field !== 'card_data'));
  const stored = ([name, input]: [string, unknown]) => [name, isJsonObject(input) ? withoutCard(input) : input];
  return Object.fromEntries(Object.entries(inputs).map(stored));
};

/** The inputs of an operation; `undefined` if they are missing or damaged. */
export const readInputs = async (io: Io, id: string): Promise<Inputs | undefined> => {
  const bytes = await (await storeOf(io)).inputs.read(id);
  const inputs = bytes && undefinedOn(() => parseJson(new TextDecoder().decode(bytes)));
  return isJsonObject(inputs) ? inputs : undefined;
};

/** Personal data is stored only while it is needed. Without `known`, the state is read from the disk. */
export const dropWhenUseless = async (io: Io, id: string, known?: OperationState): Promise<void> => {
  const recorded = known ? undefined : await readOperation(io, id);
  const state = known ?? (recorded && stateOf(recorded));
  if (state && needsNoInputs(state)) await (await storeOf(io)).inputs.remove(id);
};
