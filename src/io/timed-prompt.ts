import type { Prompt } from './asked.ts';
import type { Clock } from './io.ts';

/** The same questions, that count how long they wait for their answers. */
export const timedPrompt = (prompt: Omit<Prompt, 'waited'>, clock: Clock): Prompt => {
  let total = 0;
  const timed =
    <A extends readonly unknown[], T>(ask: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      const from = clock.monotonic();
      try {
        return await ask(...args);
      } finally {
        total += clock.monotonic() - from;
      }
    };
  return {
    get isPossible() {
      return prompt.isPossible;
    },
    confirm: timed(prompt.confirm),
    text: timed(prompt.text),
    password: timed(prompt.password),
    select: async (question, choices, other) => timed(() => prompt.select(question, choices, other))(),
    waited: () => total,
  };
};
