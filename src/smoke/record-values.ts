import type { Endpoint } from '../contract/define.ts';
import { isDecimal } from '../core/decimal.ts';
import { isJsonObject } from '../core/json.ts';
import { isCredential, MASK } from '../core/secret.ts';

/** Fields of the document. */
export type Fields = Readonly<Record<string, unknown>>;

/** A step that is written: its endpoint, its answer, and the outputs that later steps read. */
export type Written = {
  readonly stepId: string;
  readonly endpoint: Endpoint;
  readonly answer: unknown;
  readonly outputs: Record<string, string>;
  fields: Fields;
};

/** An input that is written: its schema, where the runner takes it from, and the field and the value that it replaces. */
export type RecordedInput = {
  readonly schema: Fields;
  readonly origin?: Fields | undefined;
  readonly field?: string;
  readonly value?: string;
};

/** What is written so far. */
export type Recording = {
  readonly steps: Written[];
  readonly inputs: Record<string, RecordedInput>;
};

const EVM_WALLET = /^0x[0-9a-f]{40}$/i;
const SOLANA_WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** Fields about people and tenants, and their inputs. The log masks most of their values. */
const PERSONAL = /email|cpf|document|name$|phone|_ip$|session_id|card|wallet|signer|webhook_url|public_client_id/i;

/** Fields whose names match, and that are facts of a payment. */
const NOT_PERSONAL = /^(?:chain_name|receiver_wallet|card_data|payer_document_type)$/;

/** An id is as long as this, and has a digit: a shorter text could be equal by chance. */
const MIN_LINKED = 8;

/** The pointer of a value in an answer, if it is there. */
const pointerOf = (answer: unknown, value: string, path = ''): string | undefined => {
  if (answer === value) return path;
  const entries = Array.isArray(answer) || isJsonObject(answer) ? Object.entries(answer) : [];
  for (const [name, inner] of entries) {
    const found = pointerOf(inner, value, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** An expression for the value of an earlier answer; `undefined` if no answer has it. */
const linked = ({ steps }: Recording, value: string): string | undefined => {
  if (value.length < MIN_LINKED || !/\d/.test(value) || isDecimal(value) || isHidden(value)) return undefined;
  for (const step of steps) {
    const pointer = pointerOf(step.answer, value);
    if (pointer === undefined) continue;
    const name = pointer.split('/').findLast((part) => /^[a-z_]\w*$/i.test(part)) ?? 'value';
    step.outputs[name] ??= `$response.body#${pointer}`;
    const isSame = step.outputs[name] === `$response.body#${pointer}`;
    if (isSame) return `$steps.${step.stepId}.outputs.${name}`;
  }
  return undefined;
};

/** The log writes this for a part of a path that could be a name, an address or a key. */
const HIDDEN_PART = '{…}';

const isHidden = (text: string): boolean => text === HIDDEN_PART || text.includes(MASK);

/** Whether a field has an id. A constant, such as the executor, has no digit. */
const isId = (field: string, text: string): boolean =>
  /^(?:.*_)?id$/i.test(field) && text.length >= MIN_LINKED && /\d/.test(text);

/** A text that stays as it is. Arazzo has no escape, so an input gives each `$` that would begin an expression. */
const literal = ({ inputs }: Recording, text: string): string => {
  const escaped = text.replaceAll(/^\$|(?<=\{)\$/g, '{$inputs.dollar}');
  if (escaped !== text)
    inputs['dollar'] ??= {
      schema: { type: 'string', description: 'The sign that begins an expression', default: '$' },
    };
  return escaped;
};

const originOf = (recording: Recording, field: string, text: string): Fields | undefined => {
  if (field === 'webhook_url') return { from: 'receiver' };
  if (EVM_WALLET.test(text)) return { from: 'evm-key' };
  if (SOLANA_WALLET.test(text)) return { from: 'solana-key' };
  if (isCredential(field)) return undefined;
  if (/email/i.test(field)) return { sandbox: 'payer@example.com' };
  // An id is of the sandbox that was recorded, and another sandbox does not have it.
  const isElsewhere = isHidden(text) || (isId(field, text) && !PERSONAL.test(field));
  return isElsewhere ? undefined : { sandbox: literal(recording, text) };
};

/** The name of a new input. Wallets of two families have two names, and so have two values of one field. */
const newName = ({ inputs }: Recording, field: string, text: string): string => {
  const base = field.replaceAll(/\W+/g, '_') || 'value';
  const names = [base, ...(SOLANA_WALLET.test(text) ? [`${base}_solana`] : [])];
  const free = names.find((name) => !Object.hasOwn(inputs, name));
  if (free !== undefined) return free;
  let count = 2;
  while (Object.hasOwn(inputs, `${base}_${count}`)) count += 1;
  return `${base}_${count}`;
};

/** The input of a value. The hidden values of a field look alike, and are one input. An id is one in every field. */
const inputFor = (recording: Recording, field: string, text: string): string => {
  const value = isHidden(text) ? MASK : text;
  const known = Object.entries(recording.inputs).find(
    ([, input]) =>
      input.value === value && (input.field === field || (isId(field, value) && isId(input.field ?? '', value))),
  );
  if (known) return `$inputs.${known[0]}`;
  const origin = originOf(recording, field, text);
  const why = isId(field, text) && origin === undefined ? ', which no recorded answer has' : '';
  const schema = {
    type: 'string',
    description: `Value of ${field}${why}`,
    ...(isCredential(field) && { format: 'password' }),
  };
  const name = newName(recording, field, text);
  recording.inputs[name] = { schema, origin, field, value };
  return `$inputs.${name}`;
};

/** A value of a request: an output of an earlier step, an input, or itself. */
export const valueFor = (recording: Recording, name: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((entry) => valueFor(recording, name, entry));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([inner, each]) => [inner, valueFor(recording, inner, each)]));
  }
  if (typeof value !== 'string') return value;
  const link = EVM_WALLET.test(value) ? undefined : linked(recording, value);
  if (link !== undefined) return link;
  const isPersonal = PERSONAL.test(name) && !NOT_PERSONAL.test(name);
  return isHidden(value) || isPersonal || isId(name, value)
    ? inputFor(recording, name, value)
    : literal(recording, value);
};
