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
    ['stepId: second', 'stepId: first', 'flow.yaml:21: two steps are named first'],
    ['arazzo: 1.0.1', 'arazzo: 2.0.0', 'flow.yaml:1: the document must have arazzo: 1.0.1'],
    ['in: query', 'in: cookie', 'flow.yaml:24: a parameter cannot be in cookie'],
    ['workflowId: test', 'workflowId: test\n    x-bursar-cleanup: tidy', 'flow.yaml:7: no workflow tidy'],
    ['contentType: application/json', 'contentType: text/plain', 'flow.yaml:15: bodies are JSON, and not text/plain'],
  ])('with %s replaced by %s is refused with its line', async (from, to, problem) => {
    expect(await problemsOf(changed(from, to))).toContain(problem);
  });

  it.each([
    [
      '{ condition: $statusCode == 201 }',
      '{ type: regex, context: $response.body }',
      'a criterion needs the field condition',
    ],
    ['condition: $statusCode == 201', 'condition: true', 'condition must be a text that is not empty'],
    [
      '{ condition: $statusCode == 201 }',
      "{ condition: '', context: $response.body, type: regex }",
      'condition must be a text that is not empty',
    ],
    [
      '{ condition: $statusCode == 201 }',
      '{ condition: $statusCode == 201, type: [regex] }',
      'criteria are simple, regex, jsonpath, and not ["regex"]',
    ],
    [
      '{ condition: $statusCode == 201 }',
      '{ condition: $.data, context: $response.body, type: { type: jsonpath, version: draft-goessner-dispatch-jsonpath-00 } }',
      'jsonpath is RFC 9535, and has no other version',
    ],
    [
      '{ condition: $statusCode == 201 }',
      '{ condition: $statusCode == 201, type: null }',
      'criteria are simple, regex, jsonpath, and not null',
    ],
    ['{ condition: $statusCode == 201 }', '$statusCode == 201', 'a criterion must be an object'],
    ['condition: $statusCode == 201', "condition: $statusCode == 201 && '5' == 5", "compares '5' with 5"],
    [
      '{ condition: $statusCode == 201 }',
      '{ condition: $.data, context: $response.body.data/x, type: jsonpath }',
      '$response.body.data/x is no expression',
    ],
    ['condition: $statusCode == 201', 'condition: $inputs.email.a == null', 'input email is no object and no list'],
    ['condition: $statusCode == 201', "condition: $statusCode == 201 || $inputs.email == '$5'", undefined],
  ])('with the criterion %s replaced by %s: %s', async (from, to, problem) => {
    const problems = await problemsOf(changed('- condition: $statusCode == 201', `- ${from}`).replace(from, to));
    if (problem === undefined) expect(problems).toEqual([]);
    else expect(problems).toEqual([expect.stringMatching(/^flow\.yaml:18: /)]);
    expect(problems.join()).toContain(problem ?? '');
  });

  it.each([
    [
      20,
      'response.body#/status',
      'output state must be an expression: response.body#/status is no expression; did you',
    ],
    [20, '/data/kyc_status', 'did you mean $response.body#/data/kyc_status?'],
    [20, '[a]', 'output state must be an expression'],
    [20, 'a{$response.body#/status}', 'output state must be an expression'],
  ])('line %i: an output %s is refused', async (line, output, problem) => {
    const problems = await problemsOf(changed('$response.body#/data/kyc_status', output));
    expect(problems).toEqual([expect.stringMatching(`^flow\\.yaml:${line}: `)]);
    expect(problems.join()).toContain(problem);
  });

  it.each([
    [
      '    inputs:\n',
      '    x-bursar-cleanup: [tidy]\n    inputs:\n',
      '7: x-bursar-cleanup must be a text that is not empty',
    ],
    ['    inputs:\n', '    dependsOn: [1]\n    inputs:\n', '7: dependsOn must be a list of texts'],
    ['    inputs:\n', '    summary: 5\n    inputs:\n', '7: summary must be a text'],
    ['          state: $response.body#/data/kyc_status', '          - a', '20: outputs must be an object'],
    ['stepId: second', 'stepId: 2', '21: stepId must be a text that is not empty'],
    ['in: query, ', '', '24: a parameter of a request needs in: path, query or header'],
    [', value: $inputs.email }\n', ' }\n', '24: a parameter needs the field value'],
    [
      'operationId: kycStatus',
      'operationId: kycStatus\n        onFailure: [{ type: end }]',
      '23: an action needs the field name',
    ],
    [
      'operationId: kycStatus',
      'operationId: kycStatus\n        onFailure:\n          - { name: r, type: retry, retryAfter: [1] }',
      '24: retryAfter must be a number',
    ],
    [
      'operationId: kycStatus',
      'operationId: kycStatus\n        onFailure:\n          - { name: r, type: retry, retryLimit: {} }',
      '24: retryLimit must be a number',
    ],
    [
      'operationId: kycStatus',
      'operationId: kycStatus\n        onFailure:\n          - { name: r, type: retry, retryLimit: 1.5 }',
      '24: retryLimit must be a whole number',
    ],
    ['workflows:', 'components: { parameters: { e: { nam: x, value: 1 } } }\nworkflows:', undefined],
    ['sourceDescriptions:', 'source: 1\nsourceDescriptions:', '3: a document has no field source'],
    [
      'payload: { email: $inputs.email }',
      'payload:\n            email: $inputs.emial',
      '17: $inputs.emial: the workflow',
    ],
  ])('with %j replaced by %j: %s', async (from, to, problem) => {
    const problems = await problemsOf(changed(from, to));
    expect(problems.join('\n')).toContain(problem === undefined ? '' : `flow.yaml:${problem}`);
    expect(problems.length === 0).toBe(problem === undefined);
  });

  it('checks the fields of components that it uses', async () => {
    const document = changed(
      '- { name: email, in: query, value: $inputs.email }',
      '- { reference: $components.parameters.e, value: { a: 1 }, in: query }',
    ).replace('workflows:', 'components: { parameters: { e: { nam: email, in: query } } }\nworkflows:');
    expect(await problemsOf(document)).toEqual([
      'flow.yaml:25: a reference has no field in',
      'flow.yaml:25: a parameter has no field nam; did you mean name?',
      'flow.yaml:25: a parameter needs the field name',
    ]);
  });

  it.each([
    ['{ type: strng }', 'type must be one of string, boolean, integer, number, object, array'],
    ['{ type: [string, "null"] }', 'type must be one of'],
    ['{ type: string, maximum: 5 }', 'maximum is for inputs of type number or integer'],
    ['{ type: integer, maximum: five }', 'maximum must be a number'],
    ['{ type: string, maxLenght: 5 }', 'the keyword maxLenght is not supported; did you mean maxLength?'],
    ['{ type: array, items: { type: string } }', 'the keyword items is not supported'],
    ['{ type: string, pattern: "(" }', 'pattern must be a regular expression'],
    ['{ type: string, enum: [] }', 'enum must be a list of values'],
    ['{ type: integer, default: 6, maximum: 5 }', 'input email: it must be at most 5'],
    ['{ type: string, default: 5 }', 'input email: it must be of type string'],
    ['{ type: string, default: $inputs.other }', '$inputs.other is no input before it'],
    ['text', 'its schema must be an object'],
  ])('with the schema %s of an input: %s', async (schema, problem) => {
    const problems = await problemsOf(changed('email: { type: string }', `email: ${schema}`));
    expect(problems).toEqual([expect.stringMatching(/^flow\.yaml:10: input email: /)]);
    expect(problems.join()).toContain(problem);
  });

  it.each([
    ['      required: [emial]', '    steps:', 'no input is named emial'],
    [
      '    x-bursar-inputs: { email: { form: evm-key } }',
      '    steps:',
      'an origin has no field form; did you mean from?',
    ],
    ['    x-bursar-inputs: { emial: { from: evm-key } }', '    steps:', 'no input is named emial'],
    ['    x-bursar-inputs: { email: { sandbox: 5 } }', '    steps:', 'input email: it must be of type string'],
    ['    x-bursar-inputs: [email]', '    steps:', 'x-bursar-inputs must be an object'],
  ])('with %s before %s: %s', async (line, place, problem) => {
    expect(await problemsOf(changed(place, `${line}\n${place}`))).toEqual([`flow.yaml:11: ${problem}`]);
  });

  it('that has a number with a leading zero is refused with its line', async () => {
    const document = changed('payload: { email: $inputs.email }', 'payload: { email: 010 }');
    await expect(readFlows(document, 'flow.yaml')).rejects.toThrow(
      'flow.yaml: not valid YAML or JSON: the number 010 begins with 0 at line 16, column 29: put it in quotes as text',
    );
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

describe('workflows that need each other', () => {
  const document = (...workflows: readonly string[]) =>
    `arazzo: 1.0.1\nsourceDescriptions: [{ name: service }]\nworkflows:\n${workflows.join('')}`;
  const workflow = (id: string, more = '') => `  - workflowId: ${id}
    steps: [{ stepId: read, operationId: productsList, outputs: { code: $response.body#/status } }]
${more}`;
  const call = (id: string, parameters = '[]') => `  - workflowId: main
    inputs: { properties: { sure: { type: string, default: a }, unsure: { type: string } } }
    steps:
      - stepId: call
        workflowId: ${id}
        parameters: ${parameters}
`;
  const needing = (name: string, more = '') =>
    workflow('sub', `    inputs: { required: [${name}], properties: { ${name}: { type: string } } }\n${more}`);

  it.each([
    [
      'dependsOn of a called workflow',
      document(workflow('a', '    dependsOn: [sub]\n'), workflow('sub'), call('sub')),
      6,
      'sub runs only as a part of main: dependsOn cannot name it',
    ],
    [
      'dependsOn in a called workflow',
      document(workflow('a'), workflow('sub', '    dependsOn: [a]\n'), call('sub')),
      8,
      'workflow sub is called by main: dependsOn belongs to it',
    ],
    [
      'a cleanup that pays',
      document(
        workflow('a', '    x-bursar-cleanup: pay\n'),
        '  - workflowId: pay\n    steps: [{ stepId: s, operationId: signPayment }]\n',
      ),
      6,
      'the cleanup pay may move money or states what is paid, and a cleanup must not',
    ],
    ['a call of no workflow', document(call('nothing')), 8, 'no workflow nothing'],
    [
      'an input that the called workflow lacks',
      document(call('sub', '[{ name: to, value: a }]'), workflow('sub')),
      9,
      'sub has no input to',
    ],
    [
      'a required input that nobody gives',
      document(call('sub'), needing('to')),
      8,
      'sub needs the input to: give it here, or make it a required input of main',
    ],
    [
      'a required input that the caller may lack',
      document(call('sub'), needing('unsure')),
      8,
      'sub needs the input unsure',
    ],
    [
      'an origin of a called workflow',
      document(
        call('sub'),
        workflow(
          'sub',
          '    inputs: { properties: { to: { type: string } } }\n    x-bursar-inputs: { to: { from: evm-key } }\n',
        ),
      ),
      8,
      'sub needs the input to',
    ],
    [
      'a required input of a cleanup',
      document(workflow('a', '    x-bursar-cleanup: sub\n'), needing('to')),
      6,
      'sub needs the input to',
    ],
  ])('%s is refused with its line', async (_, text, line, problem) => {
    const problems = await problemsOf(text);
    expect(problems).toEqual([expect.stringMatching(`^flow\\.yaml:${line}: `)]);
    expect(problems.join()).toContain(problem);
  });

  it.each([
    ['a required input that the caller has', document(call('sub'), needing('sure'))],
    ['a required input that the call gives', document(call('sub', '[{ name: to, value: a }]'), needing('to'))],
    [
      'the key of the profile',
      document(call('sub'), needing('api_key', '    x-bursar-inputs: { api_key: { from: profile } }\n')),
    ],
    ['an output that its cleanup needs', document(workflow('a', '    x-bursar-cleanup: sub\n'), needing('code'))],
  ])('%s is enough', async (_, text) => {
    expect(await problemsOf(text)).toEqual([]);
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
