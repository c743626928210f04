import { fund } from '../../../contract/control/chains.ts';
import { decideCard, decidePix } from '../../../contract/control/charges.ts';
import { resendEvent } from '../../../contract/control/events.ts';
import { addFault, clearFaults } from '../../../contract/control/faults.ts';
import { decideKyc } from '../../../contract/control/identity.ts';
import { advance } from '../../../contract/control/process.ts';
import { fieldsOf, validate } from '../../../contract/define.ts';
import type { FieldError } from '../../../core/failure.ts';
import { capitalized } from '../../../core/text.ts';
import { readQuery } from '../../http/read-input.ts';

/** The endpoints of the control that the dashboard may call. */
const ENDPOINTS = [advance, fund, addFault, clearFaults, resendEvent, decidePix, decideCard, decideKyc] as const;

/** The id of an act, which is the id of its endpoint. */
export type ActId = (typeof ENDPOINTS)[number]['id'];

type Input = Readonly<Record<string, unknown>>;

/** One act of the dashboard: a call of the control with a valid input. */
export type Act = { readonly id: ActId; readonly input: Input };

/** The texts of an act on its pages. */
export type ActTexts = {
  /** The question to the user. */
  readonly question: string;
  readonly button: string;
  /** The address of the page that shows the result. */
  readonly back: string;
};

type DescribeAct = (value: (name: string) => string) => ActTexts;

const callsOf = (count: string): string => (count === '1' ? 'the next call' : `the next ${count} calls`);

const ofPayment = (id: string): string => `./?payment=${encodeURIComponent(id)}`;

const DESCRIPTIONS: Readonly<Record<ActId, DescribeAct>> = {
  'process.advance': (value) => ({
    question: `Move the clock forward by ${value('advance')}?`,
    button: 'Move the clock',
    back: './',
  }),
  'chain.fund': (value) => ({
    question: `Give test money to ${value('address')}?`,
    button: 'Give test money',
    back: './?list=chains',
  }),
  'fault.add': (value) => ({
    question: `Make ${callsOf(value('count'))} of ${value('endpoint')} fail with ${value('kind')}?`,
    button: 'Add the fault',
    back: './?list=faults',
  }),
  'fault.clear': (value) => ({
    question: value('endpoint') ? `Remove the faults of ${value('endpoint')}?` : 'Remove all faults?',
    button: 'Remove',
    back: './?list=faults',
  }),
  'event.resend': (value) => ({
    question: `Send webhook ${value('id')} again?`,
    button: 'Send again',
    back: './?list=webhooks',
  }),
  'charge.decide-pix': (value) => ({
    question: `${capitalized(value('outcome'))} the Pix of ${value('payment_id')}?`,
    button: `${capitalized(value('outcome'))} the Pix`,
    back: ofPayment(value('payment_id')),
  }),
  'charge.decide-card': (value) => ({
    question: `${capitalized(value('outcome'))} the card of ${value('payment_id')}?`,
    button: `${capitalized(value('outcome'))} the card`,
    back: ofPayment(value('payment_id')),
  }),
  'identity.decide': (value) => ({
    question: `${capitalized(value('decision'))} the verification of ${value('email') || value('wallet')}?`,
    button: capitalized(value('decision')),
    back: './?list=kyc',
  }),
};

/** The texts of an act. */
export const describeAct = ({ id, input }: Act): ActTexts => DESCRIPTIONS[id]((name) => String(input[name] ?? ''));

/** A valid act, or all its wrong fields. */
type ActResult =
  | { readonly ok: true; readonly act: Act }
  | { readonly ok: false; readonly problems: readonly FieldError[] };

/**
 * Reads an act from the query of an address, by the contract of its endpoint. Empty fields of the form are missing
 * fields.
 */
export const readAct = (id: string | undefined, url: string): ActResult | undefined => {
  const endpoint = ENDPOINTS.find((each) => each.id === id);
  if (!endpoint) return undefined;
  const fields = fieldsOf(endpoint);
  const filled = Object.entries(readQuery(fields, url)).filter(([name, value]) => name in fields && value !== '');
  const validated = validate(endpoint, Object.fromEntries(filled));
  if (!validated.ok) return { ok: false, problems: validated.problems };
  return { ok: true, act: { id: endpoint.id, input: validated.input } };
};
