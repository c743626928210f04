import type { Judge } from './asked.ts';

/**
 * inquirer keeps a refused answer for more to be typed behind it, where nobody sees it: what is unseen is asked for anew
 * instead. A refused one has no mark of one that was taken.
 */
export const inspected = (problemIn: Judge | undefined) => {
  let problem: string | undefined;
  const validate = async (answer: string) => {
    problem = await problemIn?.(answer);
    return true;
  };
  const theme = {
    get prefix() {
      return problem === undefined ? {} : { done: '?' };
    },
  };
  return { looking: { validate, theme }, problem: () => problem };
};
