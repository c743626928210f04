import type { Input } from '../../client/call.ts';
import { sumsTo100 } from '../../contract/rules.ts';
import { compareDecimals, fromUnits, isDecimal, parseDecimal, sumDecimals, toUnits } from '../../core/decimal.ts';
import { digitsOf } from '../../core/json.ts';
import type { Ask } from '../command/options.ts';
import { askText, askThen } from './ask.ts';

const FIELD = 'split_payment_config';

const RULE = sumsTo100(FIELD);

/** Refuses a wallet that is entered twice. A second entry is probably a wrong paste. */
const twice = (receivers: readonly Input[]): string | undefined => {
  const wallets = receivers.map(({ receiver_wallet }) => String(receiver_wallet));
  const names = wallets.map((wallet) => (wallet.startsWith('0x') ? wallet.toLowerCase() : wallet));
  return names.some((name, at) => names.indexOf(name) < at) ? 'has a share already: name another wallet' : undefined;
};

const sumOf = (receivers: readonly Input[]): string =>
  sumDecimals(receivers.map(({ receiver_percent }) => digitsOf(receiver_percent) ?? '0'));

/** The percentage that the receivers leave. */
const leftBy = (receivers: readonly Input[]): string => {
  const { units, scale } = parseDecimal(sumOf(receivers));
  return fromUnits(toUnits('100', scale) - units, scale);
};

/** The problem of all receivers together that no further receiver can fix. */
const problemOfAll = (receivers: readonly Input[]): string | undefined => {
  const [wrong] = RULE.check({ [FIELD]: receivers });
  return twice(receivers) ?? (compareDecimals(sumOf(receivers), '100') > 0 ? wrong?.message : undefined);
};

const hasShare = (text: string): boolean => text.includes('=');

/** A share or a receiver as typed, without a per cent sign at its end. */
const withoutSign = (text: string): string => text.replace(/\s*%\s*$/, '');

/** What is wrong with a share alone; `undefined` if nothing is. */
const problemOfShare = (text: string, left: string): string | undefined => {
  if (!isDecimal(text)) return `must be a number, such as ${left}`;
  if (!/[1-9]/.test(text)) return 'must be above 0';
  return compareDecimals(text, left) > 0 ? `is too much: ${left} % is left` : undefined;
};

/** The share that a wallet is checked with, until its share is known. */
const MIN = '0.000001';

/**
 * Asks for receivers until their shares sum to 100. If the user enters only a wallet, it asks for the share. Enter keeps an
 * earlier receiver whose share still fits. `receiverOf` parses one receiver.
 */
export const askSplit =
  (receiverOf: (text: string) => Input): Ask =>
  async (cli, question) => {
    const askFrom = (found: readonly string[]): Promise<readonly string[]> => {
      const left = leftBy(found.map(receiverOf));
      if (left === '0') return Promise.resolve(found);
      const problemIn = async (typed: string): Promise<string | undefined> => {
        const text = withoutSign(typed);
        const whole = hasShare(text) ? text : `${text}=${MIN}`;
        const problem = (await question.problemIn?.(whole)) ?? problemOfAll([...found, whole].map(receiverOf));
        const ofShare = problemOfShare(whole.slice(whole.indexOf('=') + 1).trim(), left);
        return problem ?? (ofShare === undefined ? undefined : `the share ${ofShare}`);
      };
      const askReceiver = async (before: string | undefined): Promise<string> => {
        const kept = question.kept?.[found.length];
        const next = { initial: undefined, example: undefined, description: `Next receiver (${left} % is left)` };
        const own = found.length === 0 ? question : { ...question, ...next };
        const earlier = before ?? (kept !== undefined && !(await problemIn(kept)) ? kept : undefined);
        return withoutSign(await askText(cli, { ...own, initial: earlier ?? own.initial, problemIn }));
      };
      const askShare = (before = left): Promise<string> =>
        askText(cli, {
          flag: question.flag,
          description: 'Share in %',
          initial: before,
          problemIn: async (text) => problemOfShare(withoutSign(text), left),
        });
      return askThen<string, readonly string[]>(cli, askReceiver, (typed) => {
        if (hasShare(typed)) return askFrom([...found, typed]);
        return askThen<string, readonly string[]>(cli, askShare, (share) =>
          askFrom([...found, `${typed}=${withoutSign(share)}`]),
        );
      });
    };
    return askFrom([]);
  };
