import { partRemote, rowsBelow } from '../core/remote-text.ts';
import type { Prompt } from './asked.ts';
import type { Output } from './io.ts';

type Asking = Omit<Prompt, 'waited'>;

/** The same questions; what a server says in one of them stands above it, on rows of its own. */
export const remotePrompt = (prompt: Asking, stderr: Output, unicode: boolean): Asking => {
  const shown = async (question: string): Promise<string> => {
    const parted = partRemote(question, stderr.columns);
    const rows = rowsBelow(parted, stderr.columns, '  ', unicode);
    if (rows.length > 0) await stderr.write(`${rows.join('\n')}\n`);
    return parted.sentence;
  };
  return {
    get isPossible() {
      return prompt.isPossible;
    },
    confirm: async (question, isUsual) => prompt.confirm(await shown(question), isUsual),
    text: async (question, more) => prompt.text(await shown(question), more),
    password: async (question, more) => prompt.password(await shown(question), more),
    select: async (question, choices, other) => prompt.select(await shown(question), choices, other),
  };
};
