import { findEndpoint, segmentsOf } from '../client/raw.ts';
import type { Endpoint } from '../contract/define.ts';
import { ENDPOINTS } from '../contract/index.ts';
import { camel } from '../contract/openapi/parts.ts';
import { isJsonObject, textAt, valueAt } from '../core/json.ts';
import { type Fields, type RecordedInput, type Recording, valueFor, type Written } from './record-values.ts';
import { counted } from './report.ts';

/** A request in the log of a sandbox, with its bodies. Secrets in them are masked. */
export type LoggedRequest = {
  readonly method: string;
  readonly path: string;
  readonly http: number;
  readonly status: string | undefined;
  readonly query: unknown;
  readonly request: unknown;
  readonly answer: unknown;
};

const SERVICE = '$sourceDescriptions.service.';
const SIGNER = '$sourceDescriptions.signer.';

const nameFor = ({ steps }: Recording, base: string): string => {
  const taken = steps.filter(({ stepId }) => stepId === base || stepId.startsWith(`${base}-`)).length;
  return taken === 0 ? base : `${base}-${taken + 1}`;
};

const write = (recording: Recording, step: Omit<Written, 'outputs'>): Written => {
  const written = { ...step, outputs: {} };
  recording.steps.push(written);
  return written;
};

const signerStep = (recording: Recording, operation: string, payload: Fields, output: string): string => {
  const stepId = nameFor(recording, operation);
  const step = write(recording, {
    stepId,
    endpoint: ENDPOINTS[0] as Endpoint,
    answer: undefined,
    fields: {
      stepId,
      operationId: SIGNER + operation,
      requestBody: { contentType: 'application/json', payload },
      successCriteria: [{ condition: '$statusCode == 200' }],
    },
  });
  step.outputs[output] = `$response.body#/data/${output}`;
  return `$steps.${stepId}.outputs.${output}`;
};

/** The facts of the last yield operation that was built, for its signature. */
const yieldFacts = ({ steps }: Recording): Fields => {
  const built = steps.findLast(
    ({ endpoint, fields }) => /^yield\.(?:deposit|withdraw|rebalance)$/.test(endpoint.id) && 'requestBody' in fields,
  );
  if (built === undefined) return {};
  built.outputs['transaction'] = '$response.body#/data/transaction';
  const {
    wallet: _,
    chain_name: __,
    signer: ___,
    ...facts
  } = Object(valueAt(built.fields, 'requestBody', 'payload')) as Fields;
  return { transaction: `$steps.${built.stepId}.outputs.transaction`, kind: built.endpoint.id.slice(6), ...facts };
};

/** The fields that a step of the signer fills. */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  'pay.execute': ['signed_transaction'],
  'yield.broadcast': ['op_signed'],
  'kyc.verify-otp': ['code'],
  'kyc.prepare-wallet': ['signed_bytes', 'message'],
};

const withoutSigned = ({ id }: Endpoint, fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => SIGNED[id]?.includes(name) !== true));

/** The signature of a payment, with a bound where it is priced in another currency. */
const paymentToSign = ({ steps, inputs }: Recording, paymentId: unknown): Fields => {
  const fieldIn = (id: string, name: string) =>
    textAt(steps.findLast(({ endpoint }) => endpoint.id === id)?.fields, 'requestBody', 'payload', name);
  const currency = fieldIn('pay.register', 'from_currency_symbol');
  if (currency === undefined || currency === fieldIn('pay.transaction', 'payer_token_symbol'))
    return { payment_id: paymentId };
  const description = 'Most that the payer pays, in the token';
  inputs['pay_at_most'] ??= { schema: { type: 'string', description }, origin: { sandbox: '1000' } };
  return { payment_id: paymentId, pay_at_most: '$inputs.pay_at_most' };
};

/** Replaces what only a signer or the receiver of an e-mail has: a step of the signer gives it. */
const withSigner = (recording: Recording, { id }: Endpoint, payload: Fields): Fields => {
  if (id === 'pay.execute')
    return {
      ...payload,
      signed_transaction: signerStep(
        recording,
        'signPayment',
        paymentToSign(recording, payload['payment_id']),
        'signed_transaction',
      ),
    };
  if (id === 'yield.broadcast')
    return { ...payload, op_signed: signerStep(recording, 'signYield', yieldFacts(recording), 'op_signed') };
  if (id === 'kyc.verify-otp')
    return { ...payload, code: signerStep(recording, 'readCode', { email: payload['email'] }, 'code') };
  if (id !== 'kyc.prepare-wallet') return payload;
  const challenged = recording.steps.findLast(
    ({ endpoint, fields }) => endpoint.id === 'kyc.challenge' && 'requestBody' in fields,
  );
  if (challenged) challenged.outputs['message'] = '$response.body#/data/message';
  const message = challenged ? `$steps.${challenged.stepId}.outputs.message` : payload['message'];
  const signing = { wallet: payload['wallet'], message };
  return { ...payload, message, signed_bytes: signerStep(recording, 'signChallenge', signing, 'signed_bytes') };
};

/** A request of the log, and its endpoint. */
type KnownRequest = NonNullable<ReturnType<typeof findEndpoint>> & { readonly logged: LoggedRequest };

const recordOne = (recording: Recording, { logged, endpoint, params }: KnownRequest): void => {
  const query = Object.entries(isJsonObject(logged.query) ? logged.query : {});
  const parameters = [
    ...Object.entries(params).map(([name, value]) => ({ name, in: 'path', value: valueFor(recording, name, value) })),
    ...query.map(([name, value]) => ({ name, in: 'query', value: valueFor(recording, name, value) })),
  ];
  const asked = isJsonObject(logged.request) ? withoutSigned(endpoint, logged.request) : undefined;
  const values = asked && (valueFor(recording, '', asked) as Fields);
  const payload = values && withSigner(recording, endpoint, values);
  const last = recording.steps.at(-1);
  const request = {
    ...(parameters.length > 0 && { parameters }),
    ...(payload && { requestBody: { contentType: 'application/json', payload } }),
  };
  const status = logged.status === undefined ? [] : [{ condition: `$response.body#/status == '${logged.status}'` }];
  const state = textAt(logged.answer, 'data', 'status');
  const isPoll = endpoint.id === 'pay.status' && state !== undefined;
  const criteria = [
    { condition: `$statusCode == ${logged.http}` },
    ...status,
    ...(isPoll ? [{ condition: `$response.body#/data/status == '${state}'` }] : []),
  ];
  const wait = { name: 'wait', type: 'retry', retryAfter: 1, retryLimit: 30 };
  const operationId = SERVICE + camel(endpoint.id);
  const fields = {
    operationId,
    ...request,
    successCriteria: criteria,
    ...(isPoll && state !== 'registered' && { onFailure: [wait] }),
  };
  // A read that was repeated until something changed is one step that waits.
  if (
    last?.endpoint === endpoint &&
    endpoint.effect === 'reads' &&
    JSON.stringify(last.fields['parameters']) === JSON.stringify(parameters)
  ) {
    last.fields = { stepId: last.stepId, ...fields };
    return;
  }
  const stepId = nameFor(recording, camel(endpoint.id));
  write(recording, { stepId, endpoint, answer: logged.answer, fields: { stepId, ...fields } });
};

/**
 * Writes the requests of a log as an Arazzo document with one workflow. Values of earlier answers become outputs; secrets
 * and personal data become inputs; signatures and codes become steps of the signer. `undefined` if no request is one of
 * the service.
 */
export const recordFlow = (requests: readonly LoggedRequest[], name: string, version: string): Fields | undefined => {
  const known = requests.flatMap((logged): readonly KnownRequest[] => {
    const found = findEndpoint(logged.method, segmentsOf(logged.path));
    return found ? [{ ...found, logged }] : [];
  });
  if (known.length === 0) return undefined;
  const api_key: RecordedInput = {
    schema: { type: 'string', description: 'Key of the service', format: 'password' },
    origin: { from: 'profile' },
  };
  const recording: Recording = { steps: [], inputs: { api_key } };
  for (const one of known) recordOne(recording, one);
  const summary = `Recorded from ${counted(known.length, 'request')}`;
  const steps = recording.steps.map(({ fields, outputs }) => ({
    ...fields,
    ...(Object.keys(outputs).length > 0 && { outputs }),
  }));
  const inputs = Object.entries(recording.inputs);
  return {
    arazzo: '1.0.1',
    info: { title: name, version, summary },
    sourceDescriptions: [
      { name: 'service', type: 'openapi', url: './openapi.json' },
      { name: 'signer', type: 'openapi', url: './signer.json' },
    ],
    workflows: [
      {
        workflowId: name,
        summary,
        inputs: {
          type: 'object',
          properties: Object.fromEntries(inputs.map(([input, { schema }]) => [input, schema])),
          required: inputs.map(([input]) => input),
        },
        'x-bursar-inputs': Object.fromEntries(
          inputs.flatMap(([input, { origin }]) => (origin ? [[input, origin]] : [])),
        ),
        parameters: [{ name: 'x-api-key', in: 'header', value: '$inputs.api_key' }],
        steps,
      },
    ],
  };
};
