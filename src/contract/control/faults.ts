import * as z from 'zod';
import type { Endpoint } from '../define.ts';
import { anyText, list, noted, text, whole } from '../fields.ts';
import { count, defineControl, record } from './define.ts';

/** Faults that break the connection or the answer. The other faults are error answers. */
export const TRICKS = ['hang', 'drop_before', 'drop_after', 'truncate', 'html'] as const;

/** The status of a position that cannot be read. Document: GET /yield/earnings. */
export const LOOKUP_FAILED = 'earnings_lookup_failed';

/** Faults that the handler of an endpoint makes itself, inside a successful answer. */
export const OWN_KINDS: Readonly<Partial<Record<Endpoint['id'], readonly string[]>>> = {
  'yield.earnings': [LOOKUP_FAILED],
};

const faultsData = record(
  {
    faults: list(
      record(
        {
          endpoint: text('Endpoint whose next calls fail'),
          kind: text('How they fail'),
          count: count('How many calls still fail'),
          retry_after: count('Seconds of the Retry-After header').optional(),
        },
        'A fault that waits for its calls',
        'Fault',
      ),
      'Faults that wait for their calls',
    ),
  },
  'The faults',
  'Faults',
);

const EXAMPLE_FAULTS = { faults: [{ endpoint: 'quote.market', kind: '429', count: 3, retry_after: 2 }] };

/** Lists the faults that wait for their calls. */
export const listFaults = defineControl({
  id: 'fault.list',
  method: 'GET',
  path: '/_sandbox/fault',
  summary: 'List the faults that wait for their calls',
  effect: 'reads',
  success: { faults_found: { http: 200, data: faultsData, example: EXAMPLE_FAULTS } },
});

/** Makes the next calls of an endpoint fail with an error, an HTTP status or a trick such as a cut connection. */
export const addFault = defineControl({
  id: 'fault.add',
  method: 'POST',
  path: '/_sandbox/fault',
  summary: 'Make the next calls of an endpoint fail',
  effect: 'writes',
  body: {
    endpoint: anyText('Id of an endpoint, such as pay.execute'),
    kind: noted(z.union([z.string(), z.int()], 'must be text or a number').transform(String), {
      description: 'An error of the endpoint, an HTTP status, or a kind of cut connection',
    }),
    count: whole(1, 10_000, 'How many calls fail').default(1),
    retry_after: whole(0, 86_400, 'Send this Retry-After').optional(),
  },
  success: { fault_added: { http: 200, data: faultsData, example: EXAMPLE_FAULTS } },
  example: { endpoint: 'quote.market', kind: 'pair_not_found', count: 1 },
});

/** Removes all waiting faults, or the faults of one endpoint. */
export const clearFaults = defineControl({
  id: 'fault.clear',
  method: 'DELETE',
  path: '/_sandbox/fault',
  summary: 'Remove the faults that wait, all or of one endpoint',
  effect: 'writes',
  query: { endpoint: anyText('Only those of this endpoint').optional() },
  success: { faults_cleared: { http: 200, data: faultsData, example: { faults: [] } } },
  example: { endpoint: 'quote.market' },
});
