import { escapeText, inSentence } from '../../core/text.ts';
import { allowProgram, allowRecipient, type Check, confirm, pass, refuse } from '../review/check.ts';
import type { Context } from './context.ts';
import type { Step } from './step.ts';

const checkUnknown = (context: Context, program: string): Check => {
  const message = `The transaction calls the program ${program}, which bursar cannot decode.`;
  if (context.isProgramAllowed(program)) return pass('program', `${message} You allowed that program.`);
  return confirm('program', message, allowProgram(program));
};

const checkOpens = (context: Context, step: Extract<Step, { kind: 'opens' }>): readonly Check[] => {
  if (step.payer !== context.wallet || step.owner === context.wallet) return [];
  const holder = context.holderOf(step.account, step.mint, step.program);
  const message = `The wallet pays the rent of a token account of ${step.owner}`;
  if (holder !== undefined && holder.is !== 'named') return [pass('rent', `${message}, ${holder.name}.`)];
  return [confirm('rent', `${message}, which bursar does not know.`, allowRecipient(step.owner))];
};

/** A deposit credits the wallet, and a withdrawal takes from the wallet's position. */
const checkLending = ({ wallet }: Context, step: Extract<Step, { kind: 'lends' }>): readonly Check[] => {
  const { owner, position, direction } = step;
  if (owner !== wallet) return [refuse('position', `The position ${position} belongs to ${owner}, not to the wallet.`)];
  if (step.wallet !== wallet)
    return [refuse('position', `The transaction acts for ${step.wallet}, not for the wallet.`)];
  const verb = direction === 'deposit' ? 'adds to' : 'takes from';
  return [pass('position', `The transaction ${verb} the wallet's position ${position}.`)];
};

const MAX_MEMO = 80;

const checkStep = (context: Context, step: Step): readonly Check[] => {
  const { wallet } = context;
  switch (step.kind) {
    case 'dangerous':
      return [refuse('call', `The transaction calls the ${step.name}. No request needs this call.`)];
    case 'malformed':
      return [refuse('call', `The transaction calls the ${step.name} with a malformed instruction: ${step.why}.`)];
    case 'unknown':
      return [checkUnknown(context, step.program)];
    case 'closes':
      if (step.to === wallet && step.authority === wallet) {
        return [pass('call', `The transaction closes the account ${step.account}; its money goes to the wallet.`)];
      }
      return [refuse('call', `The transaction closes the account ${step.account}; its money goes to ${step.to}.`)];
    case 'mints':
      if (step.authority !== wallet) return [];
      return [refuse('call', `The transaction mints ${step.mint} with the wallet's authority.`)];
    case 'opens':
      return checkOpens(context, step);
    case 'lends':
      return checkLending(context, step);
    case 'memo': {
      const text = step.text.length <= MAX_MEMO ? step.text : `${step.text.slice(0, MAX_MEMO)}…`;
      return [pass('memo', `Memo: "${inSentence(escapeText(text))}".`)];
    }
    case 'harmless':
      return [pass('call', step.name)];
    case 'pays_coin':
    case 'moves':
    case 'burns':
    case 'budget':
      return [];
    default:
      return step satisfies never;
  }
};

/** Each instruction: whether bursar can decode it, and whether a request needs it. */
export const checkSteps = (context: Context): readonly Check[] => {
  const { steps, isOpaque, simulation, flows } = context;
  const checks = steps.flatMap((step) => checkStep(context, step));
  const once = checks.filter(({ message }, at) => checks.findIndex((other) => other.message === message) === at);
  if (isOpaque && simulation === undefined) {
    const message = "A program that bursar cannot decode acts with the wallet's signature";
    return [...once, confirm('debit', `${message}. Only a simulation shows what it takes: --rpc-url.`)];
  }
  if (flows.length > 0 || isOpaque) return once;
  return [...once, pass('call', 'The transaction takes only the fee from the wallet.')];
};
