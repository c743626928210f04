import { openKeystore } from '../../keystore/keystore.ts';
import { stringArg } from '../command/options.ts';
import type { Source } from './ask.ts';

/** What a key can be written out as: not every family has every format. */
export const exportFormats: Source = async ({ io }, _, given) => {
  const { FORMATS, IN_THE_CLEAR } = await import('../commands/key/export.ts');
  const { chain } = await openKeystore(io).find(stringArg(given, 'name') ?? '');
  const name = (format: string) => `${format} (${IN_THE_CLEAR.includes(format) ? 'in the clear' : 'encrypted'})`;
  return { closed: true, choices: FORMATS[chain].map((format) => ({ name: name(format), value: format })) };
};
