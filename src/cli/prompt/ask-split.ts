import type { CommandContext } from '../context/context.ts';
import { type Asking, askText } from './ask.ts';
import { leftOf, wholeSplit } from './whole-split.ts';

const hasShare = (text: string): boolean => text.includes('=');

/** A wallet alone is judged with a share that it could have. */
const MIN = '0.000001';

/** What is wrong with a receiver and its share, beside those that are there. */
const problemWith =
  ({ problemIn }: Asking, found: readonly string[]) =>
  async (text: string): Promise<string | undefined> => {
    const whole = hasShare(text) ? text : `${text}=${MIN}`;
    return (await problemIn?.(whole)) ?? wholeSplit([...found, whole]).problem;
  };

/** Asks for the receivers of a payment until they have all of it. A wallet alone is asked for its share: all that is left, or less. */
export const askSplit = async (cli: CommandContext, asking: Asking): Promise<readonly string[]> => {
  const found: string[] = [];
  for (;;) {
    const says = found.length === 0 ? asking.description : `Another receiver: ${wholeSplit(found).says}`;
    const problemIn = problemWith(asking, found);
    const typed = await askText(cli, { ...asking, description: says, problemIn });
    const share = hasShare(typed)
      ? undefined
      : await askText(cli, {
          flag: asking.flag,
          description: 'Its share of the 100 per cent',
          initial: leftOf(found),
          problemIn: (text) => problemIn(`${typed}=${text}`),
        });
    found.push(share === undefined ? typed : `${typed}=${share}`);
    if (wholeSplit(found).isWhole) return found;
  }
};
