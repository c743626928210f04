import { type UnstatedFact, withoutPlaceholder } from '../chain/review/check.ts';
import { Failure, type FieldError } from '../core/failure.ts';
import { nextStep } from '../core/next.ts';
import { inSentence, isSameText } from '../core/text.ts';
import type { Io } from '../io/io.ts';
import { isStepIntent } from '../journal/intents.ts';
import { type Deployment, deploymentOf, isSameDeployment, paymentKey } from '../journal/keys.ts';
import { statesUnder } from '../journal/look-up.ts';
import type { OperationState } from '../journal/operation-state.ts';
import {
  boundIn,
  FACTS,
  type FactName,
  type Facts,
  type FactValue,
  factInWords,
  isSameFact,
  NOTHING_STATED,
  type Source,
  type Statement,
  withLater,
} from '../journal/statement.ts';
import { cardSent } from '../journal/status.ts';
import { differing, isRegistration } from './pay/identity.ts';

/** The start of a sentence about a fact, and the option that states it. */
type FactWords = { readonly subject: string; readonly option: string };

type WordsOfFacts = Partial<Readonly<Record<FactName, FactWords>>>;

/** The words and options of facts, for payments and charges. */
export const PAYMENT_WORDS: WordsOfFacts = {
  amount: { subject: 'The amount is', option: '--amount-from AMOUNT' },
  currency: { subject: 'The currency of the amount is', option: '--from-currency-symbol SYMBOL' },
  token: { subject: 'The token that the payer pays in is', option: '--payer-token-symbol SYMBOL' },
  chain: { subject: 'The chain that the payer pays on is', option: '--chain-name CHAIN' },
  to_chain: { subject: 'The chain of the receivers is', option: '--to-chain CHAIN' },
  to_currency: { subject: 'The currency that the receivers get is', option: '--to-currency-symbol SYMBOL' },
  receivers: { subject: 'The receivers with their shares are', option: '--split WALLET=PERCENT' },
};

/** The words and options of facts, for yield operations. */
export const YIELD_WORDS: WordsOfFacts = {
  operation: { subject: 'The kind of operation is', option: '--kind deposit|withdraw|rebalance' },
  amount: { subject: 'The amount is', option: '--amount AMOUNT' },
  asset: { subject: 'The token is', option: '--asset SYMBOL' },
  chain: { subject: 'The chain is', option: '--chain-name CHAIN' },
  wallet: { subject: 'The wallet is', option: '--wallet ADDRESS' },
  provider_out: { subject: 'The provider that pays out is', option: '--provider-out PROVIDER' },
  provider_in: { subject: 'The provider that takes the deposit is', option: '--provider-in PROVIDER' },
};

/** The local data about a payment id: what the user entered and confirmed. */
export type StatedBefore = {
  readonly entered: Statement;
  readonly confirmed: readonly Facts[];
  /** The service returned this id for two registrations with different facts: neither counts. */
  readonly isContradicted: boolean;
};

/** A payment, and the deployment that supplied its id. */
export type Subject = { readonly paymentId: string; readonly deployment: Deployment };

const hasSigned = ({ signed }: OperationState): boolean => signed.length > 0;

/**
 * Whether the options of an operation count for later ones. That applies after a possibly accepted registration or
 * creation, and after a passed review. Refused options may have been typing errors.
 */
const counts = (state: OperationState): boolean => {
  const { started, stage, stop } = state;
  if (isStepIntent(started.intent)) return stage === 'registered' || stage === 'created' || stop?.is_unknown !== false;
  return started.payment_id === undefined || hasSigned(state) || cardSent(state) !== 'no';
};

const ofSource = ({ facts }: Statement, source: Source): Facts =>
  Object.fromEntries(
    FACTS.flatMap((name) => (facts[name]?.from === source ? [[name, facts[name].value] as const] : [])),
  );

/** The local statement about a payment of a deployment; newer entries replace older ones. Ids are case-sensitive. */
export const statedBefore = async (io: Io, { paymentId, deployment }: Subject): Promise<StatedBefore> => {
  const statements: Statement[] = [];
  const confirmed: Facts[] = [];
  let isContradicted = false;
  const registrations: OperationState[] = [];
  const skip = () => undefined;
  for await (const state of statesUnder(io, [paymentKey(paymentId)], skip)) {
    if (state.payment_id !== paymentId || !isSameDeployment(deploymentOf(state), deployment)) continue;
    // A killed process may not have recorded that the second registration differs.
    isContradicted ||= state.isContradicted || registrations.some((other) => differing(state, other).length > 0);
    if (isRegistration(state)) registrations.push(state);
    const facts = Object.fromEntries(Object.entries(state.stated.facts).filter(([, { from }]) => from === 'options'));
    if (counts(state)) statements.push({ ...state.stated, facts });
    confirmed.push(ofSource(state.stated, 'confirmed'));
  }
  // The newest is first.
  const entered = statements.reduceRight(withLater, NOTHING_STATED);
  return isContradicted
    ? { entered: NOTHING_STATED, confirmed: [], isContradicted }
    : { entered, confirmed, isContradicted };
};

const optionIn = (words: WordsOfFacts, name: FactName): string => withoutPlaceholder(words[name]?.option ?? name);

/**
 * The statement of this command's options combined with the earlier one. Throws `invalid_input` with both values if
 * they differ.
 */
export const combine = (
  options: Statement,
  { entered }: Pick<StatedBefore, 'entered'>,
  words: WordsOfFacts,
): Statement => {
  const errors = FACTS.flatMap((name): readonly FieldError[] => {
    const [now, before] = [options.facts[name]?.value, entered.facts[name]?.value];
    if (now === undefined || before === undefined || isSameFact(now, before)) return [];
    const message = `${factInWords(now)} here, and ${factInWords(before)} was entered before on this machine`;
    return [{ field: name, message, option: optionIn(words, name) }];
  });
  assertNoDifference(errors);
  return withLater(entered, options);
};

/** Throws `invalid_input` for statements of the user that differ. */
export const assertNoDifference = (errors: readonly FieldError[]): void => {
  if (errors.length === 0) return;
  throw new Failure('invalid_input', 'nothing was sent: two statements of yours differ', { errors });
};

/** Throws `refused_by_review` with every fact in which the service differs from the statement. */
export const assertShownAsStated = (paymentId: string, shown: Facts, { facts }: Statement): void => {
  const errors = FACTS.flatMap((name) => {
    const [stated, value] = [facts[name]?.value, shown[name]];
    // A missing field contradicts nothing; the statement completes it.
    if (stated === undefined || value === undefined || isSameFact(stated, value)) return [];
    const shows = inSentence(factInWords(value));
    return [{ field: name, message: `you stated ${factInWords(stated)}, and the service shows ${shows}` }];
  });
  assertAsStated(paymentId, errors);
};

/** Throws `refused_by_review` for fields in which the service differs from the statement. */
export const assertAsStated = (paymentId: string, errors: readonly FieldError[]): void => {
  if (errors.length === 0) return;
  throw new Failure('refused_by_review', `payment ${paymentId} is not what you stated for it`, {
    errors,
    hint: 'Nothing was signed or sent now.',
    next: nextStep('pay.status', paymentId),
  });
};

/** The service's facts, completed by stated ones. */
export const completedBy = (shown: Facts, { facts }: Statement): Facts =>
  Object.fromEntries(FACTS.map((name) => [name, shown[name] ?? facts[name]?.value]));

const isTextOther = (one: FactValue | undefined, other: FactValue | undefined): boolean =>
  typeof one === 'string' && typeof other === 'string' && !isSameText(one, other);

/** Whether a payment limit replaces price and amount: only if the payer pays in another currency. */
export const isPricedOtherwise = ({ currency, token }: Facts): boolean => isTextOther(currency, token);

/** Whether the service shows everything that a confirmed screen showed. Parts of two screens were never confirmed together. */
const isShownWhole = (shown: Facts, facts: Facts): boolean =>
  FACTS.every((name) => {
    const [value, now] = [facts[name], shown[name]];
    return value === undefined || (now !== undefined && isSameFact(value, now));
  });

/** A payment limit covers the price; a confirmed screen covers exactly its values. */
const coveredBy = (shown: Facts, statement: Statement, confirmed: readonly Facts[]) => {
  const isBound = boundIn(statement, shown.token) !== undefined && isPricedOtherwise(shown);
  const covering = confirmed.filter((facts) => isShownWhole(shown, facts));
  return (name: FactName, value: FactValue): boolean => {
    if (statement.facts[name] !== undefined) return true;
    if (isBound && (name === 'amount' || name === 'currency')) return true;
    return covering.some((facts) => facts[name] !== undefined && isSameFact(facts[name], value));
  };
};

/** The names of the facts that a statement does not cover. */
export const uncovered = (shown: Facts, statement: Statement, confirmed: readonly Facts[] = []) => {
  const isCovered = coveredBy(shown, statement, confirmed);
  return FACTS.filter((name) => shown[name] !== undefined && !isCovered(name, shown[name]));
};

/** Unstated facts, for a review. */
export const unstatedIn = (
  shown: Facts,
  names: readonly FactName[],
  words: WordsOfFacts,
  by: UnstatedFact['by'] = 'the service',
): readonly UnstatedFact[] =>
  names.flatMap((name) => {
    const [value, wording] = [shown[name], words[name]];
    if (wording === undefined) return [];
    return [{ fact: name, ...wording, by, value: value === undefined ? undefined : shownText(value) }];
  });

/** A fact for display; addresses keep their letter case. */
const shownText = (value: FactValue): string =>
  typeof value === 'string' ? value : value.map(({ wallet, percent }) => `${wallet}=${percent}`).join(', ');
