import { CONTROL_ENDPOINTS } from '../contract/control/index.ts';
import type { AnyEndpoint, Endpoint } from '../contract/define.ts';
import { ENDPOINTS } from '../contract/index.ts';
import { camel } from '../contract/openapi/parts.ts';
import { outcomeOf } from '../contract/outcomes.ts';
import { isJsonObject } from '../core/json.ts';
import type { Criterion } from './criterion.ts';
import { SIGNER_ENDPOINTS, type SignerId } from './signer.ts';

/** What a step calls: an endpoint of the service, of the sandbox's control or of the signer, or another workflow. */
export type Operation =
  | { readonly source: 'service'; readonly endpoint: Endpoint }
  | { readonly source: 'control'; readonly endpoint: AnyEndpoint }
  | { readonly source: 'signer'; readonly endpoint: AnyEndpoint & { readonly id: SignerId } }
  | { readonly source: 'workflow'; readonly workflowId: string };

/** A parameter of a request. Without `in` it is an input of the workflow that a step calls. */
export type Parameter = {
  readonly name: string;
  readonly in?: 'path' | 'query' | 'header' | undefined;
  readonly value: unknown;
};

/** An action after a step. Its criteria decide whether it is taken. */
export type Action = {
  readonly name: string;
  readonly type: 'end' | 'goto' | 'retry';
  readonly criteria: readonly Criterion[];
  readonly stepId?: string | undefined;
  readonly workflowId?: string | undefined;
  /** Seconds before a retry. */
  readonly retryAfter: number;
  readonly retryLimit: number;
};

/** A step of a workflow. */
export type Step = {
  readonly id: string;
  readonly description: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  readonly payload: unknown;
  readonly criteria: readonly Criterion[];
  readonly onSuccess: readonly Action[];
  readonly onFailure: readonly Action[];
  readonly outputs: Readonly<Record<string, string>>;
};

/** Where the runner takes an input from that nobody gave, by `x-bursar-inputs` of the workflow. */
export const INPUT_ORIGINS = ['evm-key', 'solana-key', 'receiver', 'run-id', 'profile', 'order'] as const;

/** The JSON Schema of an input: its keywords, with their values. */
export type InputSchema = Readonly<Record<string, unknown>>;

/** An input of a workflow, from its JSON Schema. */
export type InputSpec = {
  readonly name: string;
  readonly schema: InputSchema;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly usual: unknown;
  /** The value in the sandbox, where it reaches nobody. */
  readonly inSandbox: unknown;
  readonly from: (typeof INPUT_ORIGINS)[number] | undefined;
};

/** A workflow: a flow of a smoke test. */
export type Flow = {
  readonly id: string;
  readonly summary: string;
  readonly inputs: readonly InputSpec[];
  readonly parameters: readonly Parameter[];
  readonly dependsOn: readonly string[];
  readonly steps: readonly Step[];
  readonly successActions: readonly Action[];
  readonly failureActions: readonly Action[];
  readonly outputs: Readonly<Record<string, string>>;
  /** The workflow that cleans up after this one, also after an interrupt. */
  readonly cleanup: string | undefined;
};

/** The flows of one document, and its name for messages. */
export type FlowFile = {
  readonly name: string;
  readonly flows: readonly Flow[];
  /** Of its text: a changed file is another one. */
  readonly digest: string;
};

/** What a flow does: it reads, it changes records or uses quotas, or it pays. */
export type FlowEffect = 'reads' | 'changes' | 'pays';

/** Whether a call of the service may move money with some input. */
export const paysWith = (endpoint: Endpoint, input: Readonly<Record<string, unknown>>): boolean =>
  endpoint.effect === 'moves_money' || outcomeOf(endpoint, input).movesMoney === true;

const fieldsIn = (payload: unknown) => (isJsonObject(payload) ? payload : {});

/** The worst effect of an operation. */
const effectOf = (operation: Operation, payload: unknown, flows: readonly Flow[]): FlowEffect => {
  switch (operation.source) {
    case 'service': {
      if (paysWith(operation.endpoint, fieldsIn(payload))) return 'pays';
      return operation.endpoint.effect === 'reads' ? 'reads' : 'changes';
    }
    case 'control':
      return operation.endpoint.effect === 'reads' ? 'reads' : 'changes';
    case 'signer':
      return operation.endpoint.id === 'sign.payment' || operation.endpoint.id === 'sign.yield' ? 'pays' : 'reads';
    case 'workflow': {
      const called = flows.find(({ id }) => id === operation.workflowId);
      return called
        ? effectOfFlow(
            called,
            flows.filter((flow) => flow !== called),
          )
        : 'reads';
    }
    default:
      return operation satisfies never;
  }
};

/** Whether a step cannot move money, and signs nothing that can. */
export const paysNothing = ({ operation, payload }: Step, flows: readonly Flow[]): boolean =>
  effectOf(operation, payload, flows) !== 'pays';

/** The worst effect of the steps of a flow. */
export const effectOfFlow = ({ steps }: Flow, flows: readonly Flow[]): FlowEffect => {
  const effects = steps.map(({ operation, payload }) => effectOf(operation, payload, flows));
  if (effects.includes('pays')) return 'pays';
  return effects.includes('changes') ? 'changes' : 'reads';
};

/** A flow, and the workflows that it calls, also after its end. */
export const withCalled = (flow: Flow, flows: readonly Flow[]): readonly Flow[] => {
  const ids = [
    flow.cleanup,
    ...flow.steps.map(({ operation }) => (operation.source === 'workflow' ? operation.workflowId : undefined)),
  ];
  const others = flows.filter((other) => other !== flow);
  return [flow, ...others.filter(({ id }) => ids.includes(id)).flatMap((called) => withCalled(called, others))];
};

/** Whether a call may be repeated: it reads, or the contract lets a lost answer be repeated. */
export const isRepeatable = (operation: Operation, payload: unknown): boolean => {
  if (operation.source === 'service') {
    return outcomeOf(operation.endpoint, fieldsIn(payload)).after === 'repeat';
  }
  if (operation.source === 'signer') return operation.endpoint.effect === 'reads';
  return operation.source === 'control' && operation.endpoint.effect === 'reads';
};

type Registered = Exclude<Operation, { readonly source: 'workflow' }>;

const REGISTRY: readonly Registered[] = [
  ...ENDPOINTS.map((endpoint) => ({ source: 'service' as const, endpoint })),
  ...CONTROL_ENDPOINTS.map((endpoint) => ({ source: 'control' as const, endpoint })),
  ...SIGNER_ENDPOINTS.map((endpoint) => ({ source: 'signer' as const, endpoint })),
];

/** All ids of operations that a step can call, such as `payRegister`. */
export const operationIds = (): readonly string[] => REGISTRY.map(({ endpoint }) => camel(endpoint.id));

/** The operation of an id, such as `payRegister` or `$sourceDescriptions.service.payRegister`; `undefined` without one. */
export const operationById = (text: string): Registered | undefined => {
  const id = text.replace(/^\$sourceDescriptions\.[\w-]+\./, '');
  return REGISTRY.find(({ endpoint }) => camel(endpoint.id) === id);
};

/** The operation of a path, such as `{$sourceDescriptions.service.url}#/paths/~1config~1products/get`. */
export const operationByPath = (text: string): Registered | undefined => {
  const [, path = '', method = ''] =
    /^\{?\$sourceDescriptions\.[\w-]+\.url\}?#\/paths\/([^/]+)\/(\w+)$/.exec(text) ?? [];
  const plain = path.replaceAll('~1', '/').replaceAll('~0', '~');
  return REGISTRY.find(({ endpoint }) => endpoint.path === plain && endpoint.method === method.toUpperCase());
};

/** The fields that state what is paid: they come from the user, and never from an answer. */
export const FACTS: Readonly<Record<string, readonly string[]>> = {
  'pay.register': ['amount_from', 'from_currency_symbol', 'to_currency_symbol', 'to_chain', 'split_payment_config'],
  'pay.transaction': ['chain_name', 'payer_token_symbol', 'payer_wallet', 'transaction_type'],
  'sign.payment': ['pay_at_most'],
  'sign.yield': ['kind', 'provider', 'provider_out', 'provider_in', 'asset', 'amount'],
};

/** Whether a step states what is paid. */
export const statesFacts = ({ operation }: Step): boolean =>
  operation.source !== 'workflow' && Object.hasOwn(FACTS, operation.endpoint.id);
