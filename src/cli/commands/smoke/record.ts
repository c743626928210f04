import { logs } from '../../../contract/control/process.ts';
import { Failure } from '../../../core/failure.ts';
import { isJsonObject, printJson, textAt } from '../../../core/json.ts';
import { nextStep } from '../../../core/next.ts';
import type { Flow, InputSpec } from '../../../smoke/flow.ts';
import { readFlows } from '../../../smoke/read-flows.ts';
import { type LoggedRequest, recordFlow } from '../../../smoke/record.ts';
import { createGiven } from '../../command/body.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { wholeArg } from '../../command/whole-arg.ts';
import { kindOf } from '../../profiles/selection.ts';

/** More than a sandbox stores. */
const ALL = 1000;

const loggedIn = (entry: unknown): readonly LoggedRequest[] => {
  if (!isJsonObject(entry)) return [];
  const [method, path] = [textAt(entry, 'method'), textAt(entry, 'path')];
  if (method === undefined || path === undefined) return [];
  const { http, query, request, answer } = entry;
  return [{ method, path, http: Number(http), status: textAt(entry, 'status'), query, request, answer }];
};

/** The inputs that only a user can give: values that the log masks, and ids that no recorded answer has. */
const inputsWithoutValue = ({ inputs }: Flow): readonly InputSpec[] =>
  inputs.filter(({ from, inSandbox, usual }) => from === undefined && inSandbox === undefined && usual === undefined);

const NAME = /^[\w-]{1,60}$/;

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const name = stringArg(given, 'name') ?? 'recorded';
  if (!NAME.test(name))
    throw new Failure('invalid_input', `--name: "${name.slice(0, 40)}" must have letters, digits, - and _ alone`);
  const last = wholeArg(given, 'last', [1, ALL]);
  if (kindOf(await cli.selection()) !== 'sandbox')
    throw new Failure(
      'usage',
      'only a sandbox has a log of requests: a flow is recorded from it, and not from a live service',
    );
  const { findRunning, control } = await import('../../../sandbox/control-client.ts');
  const running = await findRunning(cli.io);
  if (running === undefined)
    throw new Failure('sandbox_unavailable', 'no sandbox of this home is running', { next: nextStep('sandbox.start') });
  const { entries } = await control(cli.io, running.address)(logs, { lines: ALL, bodies: true });
  const all = entries.flatMap(loggedIn).filter(({ path }) => !path.startsWith('/_'));
  const document = recordFlow(last === undefined ? all : all.slice(-last), name, cli.version);
  if (document === undefined)
    throw new Failure('not_found', 'the sandbox has no requests of the service in its log', {
      hint: 'It keeps the bodies of the last requests. Make some, then record them.',
    });
  const { flows } = await readFlows(printJson(document), 'the recorded flow');
  for (const { name: input, description } of flows.flatMap(inputsWithoutValue))
    await cli.warn(`input ${input} has no value in the flow: ${description}. smoke run needs --input ${input}=VALUE`);
  const out = stringArg(given, 'out');
  if (out === undefined && cli.globals.json) return cli.printResult(document);
  const isJson = out?.endsWith('.json') === true;
  const text = isJson ? `${printJson(document, 2)}\n` : (await import('../../command/yaml.ts')).printSafeYaml(document);
  if (out === undefined) return cli.io.stdout.write(text);
  const path = await createGiven(cli.io, out, text);
  return cli.printCommitted({ path, flow: name });
};

/** `smoke record`. */
export const record: Command = {
  words: ['smoke', 'record'],
  summary: 'Write the last requests of the sandbox as a flow',
  about: [
    'Reads the log of the running sandbox, which keeps the bodies of the last requests, with secrets masked.',
    'Values of earlier answers become outputs. Secrets and personal data become inputs. Signatures and codes become steps that bursar answers.',
    'An id that no recorded answer has becomes an input without a value, and a warning names it.',
    'The result is a document of Arazzo 1.0.1 for bursar smoke run. Read it, and add criteria about the data.',
  ],
  options: [
    { flag: '--out', value: 'FILE', usual: 'stdout', description: 'File to create, never overwritten' },
    { flag: '--name', value: 'NAME', usual: 'recorded', description: 'Name of the flow' },
    { flag: '--last', value: 'N', usual: 'all', description: 'Only the last requests' },
  ],
  fails: ['sandbox_unavailable', 'not_found'],
  examples: ['smoke record', 'smoke record --last 6 --name checkout --out checkout.arazzo.yaml'],
  run,
};
