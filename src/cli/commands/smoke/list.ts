import { Failure } from '../../../core/failure.ts';
import { MASK } from '../../../core/secret.ts';
import { effectOfFlow, type Flow } from '../../../smoke/flow.ts';
import { arazzoDocument, builtInFlows } from '../../../smoke/flows/index.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { isSecretInput } from './inputs.ts';
import { chooseFlows } from './select.ts';

/** The inputs of a flow: where the runner takes each from, and its values in the sandbox and by default. */
const inputRows = ({ id, inputs }: Flow) =>
  inputs.map(({ name, isRequired, isSecret, from, inSandbox, usual, description }) => {
    const shown = (value: unknown) =>
      value !== undefined && (isSecret || isSecretInput(name)) ? MASK : (value ?? null);
    const values = { from: from ?? null, sandbox: shown(inSandbox), default: shown(usual) };
    return { flow: id, name, required: isRequired, ...values, description };
  });

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { version, globals, io } = cli;
  const word = stringArg(given, 'flow');
  if (word !== undefined) {
    if (boolArg(given, 'arazzo')) throw new Failure('usage', '--arazzo prints all flows of the package, and no FLOW');
    const chosen = await chooseFlows(cli, [word], true);
    const inputs = chosen.flatMap(({ flow }) => inputRows(flow));
    return cli.printResult(inputs, inputs, {
      // The flow of a row is known if there is one flow.
      brief: [...(chosen.length > 1 ? ['flow'] : []), 'name', 'required', 'default', 'from', 'sandbox', 'description'],
      none: 'The flow has no inputs.',
    });
  }
  if (boolArg(given, 'arazzo')) {
    const document = arazzoDocument(version);
    if (globals.json) return cli.printResult(document);
    return io.stdout.write((await import('../../command/yaml.ts')).printYaml(document));
  }
  const { flows } = await builtInFlows(version);
  const rows = flows.map((flow) => ({
    name: flow.id,
    summary: flow.summary,
    effect: effectOfFlow(flow, flows),
    steps: flow.steps.length,
  }));
  return cli.printResult(rows, rows, { brief: ['name', 'effect', 'steps', 'summary'] });
};

/** `smoke list`. */
export const list: Command = {
  words: ['smoke', 'list'],
  summary: 'List the flows of the package, or the inputs of a flow',
  about: [
    'With FLOW it lists the inputs of that flow, or of each flow of a file. from names what gives the value: a key, the receiver of webhooks, an order, the run or the profile. sandbox is the value in the sandbox.',
    'The effect of a flow is reads, changes or pays.',
    '--arazzo prints the flows as a document of Arazzo 1.0.1, to start your own from. Its sources are the documents of bursar openapi and bursar openapi --signer.',
  ],
  arguments: [
    {
      name: 'FLOW',
      description: 'Flow of the package, or a file',
      isOptional: true,
      completes: async () => (await import('../../../smoke/flows/index.ts')).FLOW_NAMES,
    },
  ],
  options: [{ flag: '--arazzo', description: 'Print the flows as an Arazzo document' }],
  examples: ['smoke list', 'smoke list crypto-payment', 'smoke list --arazzo > flows.arazzo.yaml'],
  run,
};
