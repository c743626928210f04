import type { FlowReport, RunReport, StepReport } from '../../src/smoke/report.ts';

const step = (id: string, more: Partial<StepReport> = {}): StepReport => ({
  id,
  operation: 'GET /config/products',
  description: '',
  status: 'passed',
  attempts: 1,
  ms: 5,
  http: 200,
  code: 'products_listed',
  ...more,
});

const flow = (name: string, status: FlowReport['status'], more: Partial<FlowReport> = {}): FlowReport => ({
  name,
  summary: '',
  status,
  ms: 5,
  steps: [],
  ...more,
});

/** The body of a failed step is wider than a terminal. */
const BODY = `< {"message":"a, b: {c} \\"d\\" ${'word '.repeat(20)}","data":{"list":[1,{}],"rest":[${'"x",'.repeat(40)}`;

const failed = step('wrong', { status: 'failed', expected: '$statusCode == 201', actual: '200', lines: [BODY] });

/** A run with a flow of each kind: with handled, failed and left steps, interrupted, kept from an earlier part, skipped. */
export const EVERY_KIND: RunReport = {
  run: 'run-1',
  profile: 'sandbox',
  kind: 'sandbox',
  status: 'interrupted',
  ms: 20,
  flows: [
    flow('good', 'passed', { steps: [step('only')] }),
    flow('bad', 'failed', {
      steps: [step('handled', { status: 'handled', http: 404, expected: 'e', actual: 'a <&' }), failed],
      left: ['wrong', 'never'],
    }),
    flow('cut', 'interrupted', { steps: [step('first')], left: ['second'] }),
    flow('resumed', 'passed', { steps: [step('execute', { http: undefined, code: undefined })] }),
    flow('kept-good', 'passed', { kept: true }),
    flow('kept-bad', 'failed', { kept: true }),
    flow('waiting', 'skipped', { reason: 'the run was interrupted' }),
  ],
};
