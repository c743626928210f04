import { type Given, type Option, textOf } from '../../options.ts';

export const MESSAGE_OPTION: Option = {
  flag: '--message',
  value: 'TEXT',
  says: 'The text, as it is, line ends included (required)',
};

/** The text; an empty one is one too. */
export const messageFrom = (given: Given): string | undefined => textOf(given, 'message');
