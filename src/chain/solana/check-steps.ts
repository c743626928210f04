import { escapeText } from '../../core/escape.ts';
import { inSentence } from '../../core/remote-text.ts';
import { allowProgram, allowRecipient, type Check, confirm, pass, refuse } from '../review/check.ts';
import type { Context } from './context.ts';
import type { Step } from './step.ts';

const checkUnknown = (context: Context, program: string): Check => {
  const message = `It calls the program ${program}, which is not understood.`;
  if (context.isProgramAllowed(program)) return pass('program', `${message} You allowed that.`);
  return confirm('program', message, allowProgram(program));
};

const checkOpens = (context: Context, step: Extract<Step, { kind: 'opens' }>): readonly Check[] => {
  if (step.payer !== context.wallet || step.owner === context.wallet) return [];
  const holder = context.holderOf(step.account, step.mint, step.program);
  const message = `It pays for a token account of ${step.owner}`;
  if (holder !== undefined && holder.is !== 'named') return [pass('rent', `${message}, ${holder.name}.`)];
  return [confirm('rent', `${message}, a stranger.`, allowRecipient(step.owner))];
};

/** What is put in is for the wallet, and what is taken out is the wallet's. */
const checkLending = ({ wallet }: Context, step: Extract<Step, { kind: 'lends' }>): readonly Check[] => {
  const { owner, position, direction } = step;
  if (owner !== wallet) return [refuse('position', `The position ${position} is that of ${owner}, not of the wallet.`)];
  if (step.wallet !== wallet) return [refuse('position', `It acts for ${step.wallet}, not for the wallet.`)];
  const message = direction === 'deposit' ? 'It adds to' : 'It takes from';
  return [pass('position', `${message} the position ${position} of the wallet.`)];
};

const MAX_MEMO = 80;

const memoText = (text: string): string => (text.length <= MAX_MEMO ? text : `${text.slice(0, MAX_MEMO)}…`);

const checkStep = (context: Context, step: Step): readonly Check[] => {
  const { wallet } = context;
  switch (step.kind) {
    case 'dangerous':
      return [refuse('call', `It calls the ${step.name}. Nothing that was asked for needs that.`)];
    case 'malformed':
      return [refuse('call', `It calls the ${step.name} with what does not belong to its instructions: ${step.why}.`)];
    case 'unknown':
      return [checkUnknown(context, step.program)];
    case 'closes':
      if (step.to === wallet && step.authority === wallet) {
        return [pass('call', `It closes the account ${step.account}; what lies in it comes to the wallet.`)];
      }
      return [refuse('call', `It closes the account ${step.account} in favour of ${step.to}.`)];
    case 'mints':
      if (step.authority !== wallet) return [];
      return [refuse('call', `It makes new units of ${step.mint} by the authority of the wallet.`)];
    case 'opens':
      return checkOpens(context, step);
    case 'lends':
      return checkLending(context, step);
    case 'memo':
      return [pass('memo', `It carries the text "${inSentence(escapeText(memoText(step.text)))}".`)];
    case 'harmless':
      return [pass('call', step.name)];
    case 'pays_coin':
    case 'moves':
    case 'burns':
    case 'budget':
      return [];
    default: {
      const never: never = step;
      return never;
    }
  }
};

/** What of it is understood, what is not, and what no deposit, withdrawal or rebalance does. */
export const checkSteps = (context: Context): readonly Check[] => {
  const { steps, isOpaque, simulation, flows } = context;
  const checks = steps.flatMap((step) => checkStep(context, step));
  const once = checks.filter(({ message }, at) => checks.findIndex((other) => other.message === message) === at);
  const debit =
    isOpaque && simulation === undefined
      ? [
          confirm(
            'debit',
            'A program that is not understood acts with the signature of the wallet: what it takes cannot be judged from the bytes. A simulation by --rpc-url can show it.',
          ),
        ]
      : [];
  const moved = flows.length === 0 && !isOpaque ? [pass('call', 'It moves nothing of the wallet but the fee.')] : [];
  return [...once, ...debit, ...moved];
};
