import { ENDPOINTS } from '../../contract/index.ts';
import { openApi } from '../../contract/openapi/document.ts';
import { Failure } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import type { Command } from '../command/command.ts';
import { type ParsedArgs, stringArg } from '../command/options.ts';
import type { CommandContext } from '../context/context.ts';

const FORMATS = ['json', 'yaml'] as const;

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { io, globals, version } = cli;
  const isYaml = stringArg(given, 'format') === 'yaml';
  if (isYaml && globals.json) {
    throw new Failure('usage', '--json and --format yaml contradict each other', { hint: 'Give one of them.' });
  }
  const document = openApi(ENDPOINTS, { version, baseUrl: globals.baseUrl });
  if (globals.json) return cli.printResult(document);
  const text = isYaml ? (await import('../command/yaml.ts')).printYaml(document) : `${printJson(document, 2)}\n`;
  await io.stdout.write(text);
};

/** `openapi`. */
export const openapi: Command = {
  words: ['openapi'],
  summary: 'Print the service as an OpenAPI 3.1 document',
  about: [
    'For generators, validating proxies and test tools. It is made from the same contract as the commands and the sandbox, and nothing is contacted.',
    'With --base-url the document names that deployment; otherwise its address is a variable.',
  ],
  options: [
    { flag: '--format', value: 'FORMAT', choices: FORMATS, usual: 'json', description: 'Form of the document' },
  ],
  examples: ['openapi > openapi.json', 'openapi --format yaml --base-url https://api.example.com'],
  run,
};
