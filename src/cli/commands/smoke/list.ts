import { effectOfFlow } from '../../../smoke/flow.ts';
import { arazzoDocument, builtInFlows } from '../../../smoke/flows/index.ts';
import type { Command, CommandContext } from '../../command/command.ts';
import { boolArg, type ParsedArgs } from '../../command/options.ts';

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { version, globals, io } = cli;
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
  summary: 'List the flows of the package',
  about: [
    'The effect of a flow is reads, changes or pays.',
    '--arazzo prints the flows as a document of Arazzo 1.0.1, to start your own from. Its sources are the documents of bursar openapi and bursar openapi --signer.',
  ],
  options: [{ flag: '--arazzo', description: 'Print the flows as an Arazzo document' }],
  examples: ['smoke list', 'smoke list --arazzo > flows.arazzo.yaml'],
  run,
};
