import { addFault, clearFaults, listFaults } from '../../../contract/control/faults.ts';
import type { Endpoint } from '../../../contract/define.ts';
import { closest } from '../../../core/closest.ts';
import { Failure } from '../../../core/failure.ts';
import { boolArg, stringArg } from '../../command/options.ts';
import { wholeArg } from '../../command/whole-arg.ts';
import { controlCommand, fieldOption, wordFrom } from './control.ts';

/** Throws `invalid_input` for an unknown endpoint. The failure lists the endpoints. */
const endpointFrom = async (id: string) => {
  const { ENDPOINTS } = await import('../../../contract/index.ts');
  const ids = ENDPOINTS.map((each) => each.id);
  const word = wordFrom(id, ids, 'endpoint', 'endpoints');
  return ENDPOINTS.find((each) => each.id === word) as Endpoint;
};

/** Throws `invalid_input` where a kind is missing, or no fault of the endpoint. The failure lists the kinds. */
const assertKind = async (endpoint: Endpoint, kind: string | undefined): Promise<void> => {
  const { OWN_KINDS, TRICKS } = await import('../../../contract/control/faults.ts');
  const { problemOfKind } = await import('../../../sandbox/faults/run-with-faults.ts');
  if (kind !== undefined && problemOfKind(endpoint, kind) === undefined) return;
  const errors = [...Object.keys(endpoint.errors), ...(OWN_KINDS[endpoint.id] ?? [])];
  const near = kind === undefined ? undefined : closest(kind, [...errors, ...TRICKS]);
  const valid = `Its errors are ${errors.join(', ')}; also an HTTP status from 200 to 599, or ${TRICKS.join(', ')}.`;
  const hint = `${near === undefined ? '' : `Did you mean ${near}? `}${valid}`;
  if (kind !== undefined) throw new Failure('invalid_input', `"${kind}" is no fault of ${endpoint.id}`, { hint });
  throw new Failure('invalid_input', 'missing: KIND', {
    errors: [{ field: 'KIND', message: 'required', option: 'KIND' }],
    hint,
  });
};

const { count: countField, retry_after: retryField } = addFault.body;

/** `sandbox fault`. */
export const fault = controlCommand({
  verb: 'fault',
  summary: 'Make the next calls of an endpoint fail, or show which will',
  about: [
    'KIND is an error of the endpoint, such as order_limit_reached; an HTTP status, such as 503; or hang,',
    'drop_before, drop_after (the work is done), truncate (done, half an answer) or html.',
    'An injected error of pay.execute leaves the payment in the state of the real error; nothing is sent to the chain.',
    'Every other answered fault changes nothing. yield.earnings also takes earnings_lookup_failed.',
  ],
  controls: [listFaults, addFault, clearFaults],
  arguments: [
    {
      name: 'ENDPOINT',
      description: 'Such as pay.execute; a wrong one lists them all',
      isOptional: true,
      completes: async () => (await import('../../../contract/index.ts')).ENDPOINTS.map(({ id }) => id),
    },
    { name: 'KIND', description: 'How the call fails', isOptional: true, completes: 'fault-kinds' },
  ],
  options: [
    fieldOption('--count', countField, 'N'),
    fieldOption('--retry-after', retryField, 'SECONDS'),
    { flag: '--clear', description: 'Remove the faults that wait, all or those of ENDPOINT' },
  ],
  examples: [
    'sandbox fault pay.execute drop_after',
    'sandbox fault quote.market 429 --count 3 --retry-after 2',
    'sandbox fault --clear',
  ],
  run: async (cli, given, call) => {
    const [endpoint, kind] = [stringArg(given, 'endpoint'), stringArg(given, 'kind')];
    const [count, retry_after] = [wholeArg(given, 'count'), wholeArg(given, 'retry-after')];
    const isCleared = boolArg(given, 'clear');
    if (endpoint !== undefined) {
      const known = await endpointFrom(endpoint);
      if (kind !== undefined || !isCleared) await assertKind(known, kind);
    }
    if (isCleared) await call(clearFaults, { endpoint: kind === undefined ? endpoint : undefined });
    if (endpoint !== undefined && kind !== undefined) {
      return cli.printResult((await call(addFault, { endpoint, kind, count, retry_after })).faults);
    }
    const { faults } = await call(listFaults);
    const none = 'No call will fail. To make one: bursar sandbox fault ENDPOINT KIND';
    return cli.printResult(faults, faults, { none });
  },
});
