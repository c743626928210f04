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

/** The recorded value with the fields that it has, and the present values in them. */
const filled = (recorded: Json, present: Json | undefined): Json => {
  if (present === undefined) return recorded;
  if (!isObject(recorded) || !isObject(present)) return present;
  return Object.fromEntries(Object.entries(recorded).map(([name, value]) => [name, filled(value, present[name])]));
};

/** Fields that keep the recorded values of version 0.1. */
const RECORDED_FIELDS = ['v', 'verdict'];

const asRecorded = (recorded: Line, present: Line): Line =>
  ({
    ...(filled(recorded, present) as Line),
    ...Object.fromEntries(RECORDED_FIELDS.flatMap((name) => (name in recorded ? [[name, recorded[name]]] : []))),
  }) as Line;

/** The recorded journal of the same kind of operation. Each is a whole operation as version 0.1 wrote it. */
const recordFor = ({ intent, payment_id: paymentId }: Line, ofExecute: string): string => {
  const operation = isObject(intent) ? intent['operation'] : undefined;
  if (operation === 'pix' || operation === 'card') return operation;
  if (operation !== undefined) return `yield-${operation}`;
  return paymentId === undefined ? 'pay-run' : ofExecute;
};

/**
 * Rewrites the journal of a home in the format of version 0.1. Each line gets the fields of the recorded line with the same
 * step, and keeps its present values. Steps that version 0.1 did not have are removed. `ofExecute` names the record of a
 * `pay execute`.
 */
export const asVersionOne = async (home: string, ofExecute = 'pay-execute-key'): Promise<void> => {
  const folder = join(home, 'state', 'journal');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson'));
  for (const name of names) {
    const present = linesOf(await readFile(join(folder, name), 'utf8'));
    const [first] = present;
    if (first === undefined || first['v'] === 1) continue;
    const recorded = linesOf(await readFile(new URL(`${recordFor(first, ofExecute)}.ndjson`, FIXTURES), 'utf8'));
    const converted = present.flatMap((line) => {
      const same = recorded.find(({ step }) => step === line.step);
      return same ? [asRecorded(same, line)] : [];
    });
    await writeFile(join(folder, name), `${converted.map((line) => JSON.stringify(line)).join('\n')}\n`);
  }
};
