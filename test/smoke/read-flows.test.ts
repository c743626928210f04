import { describe, expect, it } from 'vitest';
import { isFailure } from '../../src/core/failure.ts';
import { effectOfFlow } from '../../src/smoke/flow.ts';
import { arazzoDocument, builtInFlows } from '../../src/smoke/flows/index.ts';
import { readFlows } from '../../src/smoke/read-flows.ts';

const FLOW = `arazzo: 1.0.1
info: { title: Test, version: 1.0.0 }
sourceDescriptions:
  - { name: service, type: openapi, url: ./openapi.json }
workflows:
  - workflowId: test
    inputs:
      type: object
      properties:
        email: { type: string }
    steps:
      - stepId: first
        operationId: $sourceDescriptions.service.kycPrepare
        requestBody:
          contentType: application/json
          payload: { email: $inputs.email }
        successCriteria:
          - condition: $statusCode == 201
        outputs:
          state: $response.body#/data/kyc_status
      - stepId: second
        operationId: kycStatus
        parameters:
          - { name: email, in: query, value: $inputs.email }
`;

/** The problems of a document, each with its line. */
const problemsOf = async (text: string) => {
  try {
    await readFlows(text, 'flow.yaml');
    return [];
  } catch (error) {
    if (!isFailure(error, 'unreadable_file')) throw error;
    return (error.details.errors ?? []).map(({ field, message }) => `${field}: ${message}`);
  }
};

const changed = (from: string, to: string) => {
  if (!FLOW.includes(from)) throw new Error(`the flow lacks ${from}`);
  return FLOW.replace(from, to);
};

describe('a document of flows', () => {
  it('is read', async () => {
    const { flows } = await readFlows(FLOW, 'flow.yaml');
    expect(flows.map(({ id, steps }) => [id, steps.map((step) => step.id)])).toEqual([['test', ['first', 'second']]]);
  });

  it.each([
    ['kycStatus', 'kycStates', 'flow.yaml:22: no operation kycStates; did you mean kycStatus?'],
    [
      '$inputs.email }\n        success',
      '$inputs.mail }\n        success',
      'flow.yaml:16: $inputs.mail: the workflow has no input mail',
    ],
    [
      'value: $inputs.email',
      'value: $steps.first.outputs.other',
      'flow.yaml:24: $steps.first.outputs.other: step first has no output other',
    ],
    [
      'value: $inputs.email',
      'value: $steps.third.outputs.state',
      'flow.yaml:24: $steps.third.outputs.state: no step third runs before',
    ],
    [
      'value: $inputs.email',
      'value: $steps.second.outputs.state',
      'flow.yaml:24: $steps.second.outputs.state: no step second runs before',
    ],
    [
      '$statusCode == 201',
      '$statusCode = 201',
      'flow.yaml:18: the condition $statusCode = 201 cannot be read at "= 201"',
    ],
    ['stepId: second', 'stepId: first', 'flow.yaml:6: two steps are named first'],
    ['arazzo: 1.0.1', 'arazzo: 2.0.0', 'flow.yaml:1: the document must have arazzo: 1.0.1'],
    ['in: query', 'in: cookie', 'flow.yaml:24: a parameter cannot be in cookie'],
    ['workflowId: test', 'workflowId: test\n    x-bursar-cleanup: tidy', 'flow.yaml:6: no workflow tidy'],
    ['contentType: application/json', 'contentType: text/plain', 'flow.yaml:15: bodies are JSON, and not text/plain'],
  ])('with %s replaced by %s is refused with its line', async (from, to, problem) => {
    expect(await problemsOf(changed(from, to))).toContain(problem);
  });

  it.each([
    'payRegister',
    'payTransaction',
    'payExecute',
    'kycSendOtp',
    'kycVerifyOtp',
    'kycCreate',
    'orderCreate',
    'orderToggle',
    'yieldBroadcast',
    'signPayment',
  ])('cannot retry %s', async (operation) => {
    const retried = changed(
      'operationId: kycStatus',
      `operationId: ${operation}\n        onFailure: [{ name: again, type: retry, retryAfter: 1, retryLimit: 2 }]`,
    );
    expect((await problemsOf(retried)).join()).toContain('it cannot be retried');
  });

  it.each(['successActions', 'failureActions'])('cannot retry such a step by the %s of the workflow', async (name) => {
    const retried = FLOW.replace(
      '    steps:\n',
      `    ${name}: [{ name: again, type: retry, retryAfter: 1, retryLimit: 2 }]\n    steps:\n`,
    ).replace('kycStatus', 'kycCreate');
    expect((await problemsOf(retried)).length).toBeGreaterThan(0);
  });

  it.each(['kycStatus', 'quoteMarket', 'yieldDeposit', 'kycPrepare'])('can retry %s', async (operation) => {
    const retried = changed(
      'operationId: kycStatus',
      `operationId: ${operation}\n        onFailure: [{ name: again, type: retry, retryAfter: 1, retryLimit: 2 }]`,
    );
    expect(await problemsOf(retried)).toEqual([]);
  });

  it('that is not YAML has the line and the column', async () => {
    await expect(readFlows('arazzo: [', 'flow.yaml')).rejects.toThrow(/flow\.yaml: not valid YAML or JSON: .*line 1/);
  });
});

describe('the flows of the package', () => {
  it('have a criterion on the data of each answer, and not only on its status', async () => {
    const { flows } = await builtInFlows('1.0.0');
    const bare = flows.flatMap(({ id, steps }) =>
      steps
        .filter(({ criteria }) =>
          criteria.every(({ condition, context }) => /^\$statusCode/.test(condition) && context === undefined),
        )
        .map((step) => `${id}.${step.id}`),
    );
    expect(bare).toEqual([]);
  });

  it('have the effects that the list shows', async () => {
    const { flows } = await builtInFlows('1.0.0');
    expect(flows.map((flow) => [flow.id, effectOfFlow(flow, flows)])).toEqual([
      ['crypto-payment', 'pays'],
      ['checkout-payment', 'pays'],
      ['kyc-email', 'changes'],
      ['kyc-wallet', 'changes'],
      ['yield', 'pays'],
      ['reads', 'reads'],
    ]);
    expect(Object.keys(arazzoDocument('1.0.0'))).toEqual(['arazzo', 'info', 'sourceDescriptions', 'workflows']);
  });
});
