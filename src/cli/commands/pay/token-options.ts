import { optionsFor } from '../../fields.ts';
import type { Option } from '../../options.ts';
import { RUN_FIELDS } from './plan.ts';

/** What a card's token needs beside it: a payment that was begun with a raw card was not asked for it. */
export const OF_TOKEN: readonly string[] = ['payer_ip', 'session_id'];

export const TOKEN_OPTIONS: readonly Option[] = RUN_FIELDS.filter(({ name }) => OF_TOKEN.includes(name)).flatMap(
  (field) => optionsFor(field),
);
