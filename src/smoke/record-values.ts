import type { Endpoint } from '../contract/define.ts';
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

/** An input that is written: its schema, and where the runner takes it from. */
export type RecordedInput = { readonly schema: Fields; readonly origin?: Fields };

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

const inputFor = (name: string, value: unknown): RecordedInput => {
  const text = String(value);
  const schema = { type: 'string', description: `Value of ${name}` };
  if (name === 'webhook_url') return { schema, origin: { from: 'receiver' } };
  if (EVM_WALLET.test(text)) return { schema, origin: { from: 'evm-key' } };
  if (SOLANA_WALLET.test(text)) return { schema, origin: { from: 'solana-key' } };
  if (isCredential(name)) return { schema: { ...schema, format: 'password' } };
  if (/email/i.test(name)) return { schema, origin: { sandbox: 'payer@example.com' } };
  return { schema, ...(value !== MASK && { origin: { sandbox: value } }) };
};

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
  if (value.length < MIN_LINKED || !/\d/.test(value) || value === MASK) return undefined;
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

/** A value of a request: an output of an earlier step, an input, or itself. */
export const valueFor = (recording: Recording, name: string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((entry) => valueFor(recording, name, entry));
  if (isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([inner, each]) => [inner, valueFor(recording, inner, each)]));
  }
  const link = typeof value === 'string' && !EVM_WALLET.test(value) ? linked(recording, value) : undefined;
  if (link !== undefined) return link;
  const isInput = value === MASK || (typeof value === 'string' && PERSONAL.test(name) && !NOT_PERSONAL.test(name));
  if (!isInput) return value;
  recording.inputs[name] ??= inputFor(name, value);
  return `$inputs.${name}`;
};
