import type { Input } from '../../../client/call.ts';
import type { Endpoint } from '../../../contract/define.ts';
import { readStrategies } from '../../../flows/yield/strategies.ts';
import { boolArg, type Option, type ParsedArgs } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';

export const REFRESH_OPTION: Option = {
  flag: '--refresh',
  description: 'Ask the service anew; otherwise what it said in the last 10 hours counts',
};

const MINUTE_MS = 60_000;

const ageInWords = (age: number): string => {
  const minutes = Math.floor(age / MINUTE_MS);
  if (minutes < 1) return 'less than a minute';
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** Fetches strategies from the cache where it may; stderr then says how old they are. */
export const fetchCached = (endpoint: Endpoint) => async (cli: CommandContext, given: ParsedArgs, input: Input) => {
  const { envelope, age } = await readStrategies(await cli.client(), endpoint, input, {
    // An envelope is the answer to a call, and what was kept is none of now.
    isFresh: boolArg(given, 'refresh') || cli.globals.envelope,
  });
  if (age > 0) await cli.say(`these strategies are ${ageInWords(age)} old; --refresh asks for new ones`);
  return envelope;
};
