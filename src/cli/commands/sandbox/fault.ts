import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import type { CommandContext } from '../../context/context.ts';
import { sandboxControl } from './control.ts';

const numberOf = (given: ParsedArgs, name: string): number | undefined => {
  const text = stringArg(given, name);
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Failure('invalid_input', `--${name}: "${text}" is not a whole number`);
};

/**
 * Throws `invalid_input` where an endpoint is named alone, and is none or has nothing to be cleared: it says what can come
 * next, the endpoints or the errors of this one.
 */
const assertWhole = async (id: string, isCleared: boolean): Promise<void> => {
  const [{ ENDPOINTS }, { OWN_KINDS }] = await Promise.all([
    import('../../../contract/index.ts'),
    import('../../../sandbox/faults/faults.ts'),
  ]);
  const endpoint = ENDPOINTS.find((each) => each.id === id);
  if (!endpoint) {
    const ids = ENDPOINTS.map((each) => each.id).join(', ');
    throw new Failure('invalid_input', `"${id}" is no endpoint`, { hint: `The endpoints are ${ids}.` });
  }
  if (isCleared) return;
  const errors = [...Object.keys(endpoint.errors), ...(OWN_KINDS[endpoint.id] ?? [])].join(', ');
  throw new Failure('invalid_input', 'missing: KIND', {
    errors: [{ field: 'KIND', message: 'required', option: 'KIND' }],
    hint: `Its errors are ${errors}; also an HTTP status, hang, drop_before, drop_after, truncate or html.`,
  });
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const [endpoint, kind] = [stringArg(given, 'endpoint'), stringArg(given, 'kind')];
  const [count, retry_after] = [numberOf(given, 'count'), numberOf(given, 'retry-after')];
  const isCleared = boolArg(given, 'clear');
  if (endpoint !== undefined && kind === undefined) await assertWhole(endpoint, isCleared);
  const control = await sandboxControl(cli);
  if (isCleared) await control.clearFaults(kind === undefined ? endpoint : undefined);
  if (endpoint === undefined || kind === undefined) {
    const faults = await control.faults();
    return cli.printResult(faults, faults, {
      none: 'No call will fail. To make one: bursar sandbox fault ENDPOINT KIND',
    });
  }
  const numbers = { ...(count !== undefined && { count }), ...(retry_after !== undefined && { retry_after }) };
  return cli.printResult(await control.addFault({ endpoint, kind, ...numbers }));
};

/** `sandbox fault`. */
export const fault: Command = {
  words: ['sandbox', 'fault'],
  summary: 'Make the next calls of an endpoint fail, or show which will',
  about: [
    'KIND is an error of the endpoint, such as order_limit_reached; an HTTP status, such as 503; or hang, drop_before, drop_after (the work is done), truncate (done, half an answer) or html.',
    'An injected error of pay.execute leaves the payment in the state of the real error; nothing is sent to the chain.',
    'Every other answered fault changes nothing. yield.earnings also takes earnings_lookup_failed.',
  ],
  arguments: [
    {
      name: 'ENDPOINT',
      description: 'Such as pay.execute; a wrong one names them all',
      isOptional: true,
      completes: async () => (await import('../../../contract/index.ts')).ENDPOINTS.map(({ id }) => id),
    },
    { name: 'KIND', description: 'How the call fails', isOptional: true },
  ],
  options: [
    { flag: '--count', value: 'N', usual: '1', description: 'How many calls fail' },
    { flag: '--retry-after', value: 'SECONDS', description: 'Send this Retry-After' },
    { flag: '--clear', description: 'Forget the faults that wait, all or those of ENDPOINT' },
  ],
  fails: ['sandbox_unavailable', 'rejected'],
  examples: [
    'sandbox fault pay.execute drop_after',
    'sandbox fault quote.market 429 --count 3 --retry-after 2',
    'sandbox fault --clear',
  ],
  run,
};
