import { join } from 'node:path';
import type { Kind } from '../contract/chains.ts';
import { Failure, messageOf } from '../core/failure.ts';
import { printJson } from '../core/json.ts';
import type { Io } from '../io/io.ts';
import { type Entry, type Intent, JOURNAL_VERSION } from './entry.ts';

/** One movement of money, recorded step by step in a file of its own. */
export type Movement = {
  /** Sorts by time. */
  readonly id: string;
  /** Resolves when the step is on the disk. Throws `journal_unwritable`: then nothing may be sent. */
  readonly record: (entry: Entry) => Promise<void>;
  /**
   * Records how something ended that has happened already. A failure to write must not hide the outcome, so it
   * is swallowed: the next `record` meets the same trouble before anything else is sent.
   */
  readonly note: (entry: Entry) => Promise<void>;
};

export type Beginning = {
  readonly profile: string;
  readonly kind: Kind;
  readonly baseUrl: string;
  readonly intent: Intent;
};

/** The folder of the journal. */
export const journalFolder = (io: Io): string => join(io.places.state, 'journal');

const newId = (io: Io): string => {
  const time = new Date(io.clock.now()).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${time}-${Buffer.from(io.random.bytes(4)).toString('hex')}`;
};

const pathOf = (io: Io, id: string): string => join(journalFolder(io), `${id}.ndjson`);

const movementIn = (io: Io, id: string): Movement => {
  const path = pathOf(io, id);
  const record = async (entry: Entry): Promise<void> => {
    const { step, ...rest } = entry;
    const line = { v: JOURNAL_VERSION, at: new Date(io.clock.now()).toISOString(), movement: id, step, ...rest };
    try {
      await io.files.appendDurably(path, `${printJson(line)}\n`);
    } catch (error) {
      throw new Failure('journal_unwritable', `${path}: ${messageOf(error)}`, {
        hint: 'Nothing is sent without a record of it. Make room or mend the folder, then try again.',
        cause: error,
      });
    }
  };
  const note = (entry: Entry): Promise<void> => record(entry).catch(() => undefined);
  return { id, record, note };
};

/** Opens a journal for a movement of money and records what it is for, before anything is done. */
export const beginMovement = async (io: Io, { baseUrl, ...beginning }: Beginning): Promise<Movement> => {
  const movement = movementIn(io, newId(io));
  await movement.record({ step: 'begun', base_url: baseUrl, ...beginning });
  return movement;
};

/** Goes on with the journal of a movement, for what is found out about it later. */
export const reopenMovement = async (io: Io, id: string): Promise<Movement> => {
  const text = new TextDecoder().decode(await io.files.read(pathOf(io, id)));
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  // The half line of a crash would run into the next entry.
  if (whole !== text) await io.files.replacePrivate(pathOf(io, id), whole);
  return movementIn(io, id);
};
