import { Failure } from '../../core/failure.ts';
import type { Command } from '../command/command.ts';
import type { ParsedArgs } from '../command/options.ts';

/** The refusal of --envelope: no one call of the service answers this, and an envelope is never made up. */
export const noEnvelope = (command: string, where = ''): Failure =>
  new Failure('usage', `${[command, where].filter(Boolean).join(' ')} has no envelope of one call to print`, {
    hint: 'Nothing was done. --json prints the answer as JSON.',
  });

/** Throws `usage` where a command, with the options that are given, declares no call whose envelope could be printed. */
export const assertEnvelope = ({ words, envelopeOf = [], noEnvelopeWith = [] }: Command, given: ParsedArgs): void => {
  const command = words.join(' ');
  if (envelopeOf.length === 0) throw noEnvelope(command);
  const found = noEnvelopeWith.find((name) => given[name] !== undefined);
  if (found !== undefined) throw noEnvelope(command, `with --${found}`);
};
