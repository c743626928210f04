import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Line = { readonly step: string; readonly [name: string]: Json };

const FIXTURES = new URL('../fixtures/journal-0.1/', import.meta.url);

const linesOf = (text: string): readonly Line[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The shape of a recorded value, with the present values in it. */
const filled = (recorded: Json, present: Json | undefined): Json => {
  if (present === undefined) return recorded;
  if (!isObject(recorded) || !isObject(present)) return present;
  return Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, filled(value, present[name])]));
};

/** What version 0.1 named itself is kept as it was recorded. */
const OWN = ['v', 'verdict'];

const asRecorded = (recorded: Line, present: Line): Line =>
  ({
    ...(filled(recorded, present) as Line),
    ...Object.fromEntries(OWN.flatMap((name) => (name in recorded ? [[name, recorded[name]]] : []))),
  }) as Line;

/** The record of an operation of the same kind: each is what version 0.1 wrote of one, from its begin to its end. */
const recordFor = ({ intent, payment_id: paymentId }: Line, ofExecute: string): string => {
  const operation = isObject(intent) ? intent['operation'] : undefined;
  if (operation === 'pix' || operation === 'card') return operation;
  if (operation !== undefined) return `yield-${operation}`;
  return paymentId === undefined ? 'pay-run' : ofExecute;
};

/**
 * Rewrites the journal of a home in the form in which version 0.1 wrote it: each line has the fields that a recorded line
 * of that version has, and the values that it has now. Steps that version 0.1 did not know are left out. `ofExecute` is the
 * record of a `pay execute`.
 */
export const asVersionOne = async (home: string, ofExecute = 'pay-execute-key'): Promise<void> => {
  const folder = join(home, 'state', 'journal');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson'));
  for (const name of names) {
    const present = linesOf(await readFile(join(folder, name), 'utf8'));
    const [begun] = present;
    if (begun === undefined || begun['v'] === 1) continue;
    const recorded = linesOf(await readFile(new URL(`${recordFor(begun, ofExecute)}.ndjson`, FIXTURES), 'utf8'));
    const old = present.flatMap((line) => {
      const same = recorded.find(({ step }) => step === line.step);
      return same ? [asRecorded(same, line)] : [];
    });
    await writeFile(join(folder, name), `${old.map((line) => JSON.stringify(line)).join('\n')}\n`);
  }
};
