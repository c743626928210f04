import { wrap } from '../output/wrap.ts';
import type { Cli } from './cli.ts';

/** A sentence of conversation, wrapped for a terminal; a pipe or a log has no width. */
export const sayWrapped = (cli: Cli, text: string): Promise<void> =>
  cli.say(cli.io.stderr.isTerminal ? wrap(text, cli.talkStyle.columns) : text);
