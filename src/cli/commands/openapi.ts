import { openApi } from '../../contract/openapi/document.ts';
import { Failure } from '../../core/failure.ts';
import { printJson } from '../../core/json.ts';
import type { Command } from '../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../command/options.ts';

const FORMATS = ['json', 'yaml'] as const;

const apiOf = async (given: ParsedArgs) => {
  if (boolArg(given, 'control') && boolArg(given, 'signer'))
    throw new Failure('usage', '--control and --signer contradict each other', { hint: 'Remove one of them.' });
  if (boolArg(given, 'signer')) return (await import('../../smoke/signer.ts')).SIGNER_API;
  return boolArg(given, 'control')
    ? (await import('../../contract/openapi/control.ts')).CONTROL_API
    : (await import('../../contract/openapi/service.ts')).SERVICE_API;
};

const run: Command['run'] = async (cli, given) => {
  const { io, globals, version } = cli;
  const isYaml = stringArg(given, 'format') === 'yaml';
  if (isYaml && globals.json) {
    throw new Failure('usage', '--json and --format yaml contradict each other', { hint: 'Remove one of them.' });
  }
  const document = openApi(await apiOf(given), { version, baseUrl: globals.baseUrl });
  if (globals.json) return cli.printResult(document);
  const text = isYaml ? (await import('../command/yaml.ts')).printYaml(document) : `${printJson(document, 2)}\n`;
  await io.stdout.write(text);
};

/** `openapi`. */
export const openapi: Command = {
  words: ['openapi'],
  summary: 'Print the service API as an OpenAPI 3.1 document',
  about: [
    'For client generators, validating proxies and test tools. Calls no service.',
    'The commands, the sandbox and this document derive from one contract.',
    'With --base-url the document names that deployment; otherwise the server address is a variable.',
  ],
  options: [
    { flag: '--format', value: 'FORMAT', choices: FORMATS, usual: 'json', description: 'Format of the document' },
    { flag: '--control', description: "Describe the sandbox's control API instead" },
    { flag: '--signer', description: 'Describe the operations that bursar smoke run answers itself instead' },
  ],
  examples: ['openapi > openapi.json', 'openapi --format yaml --base-url https://api.example.com', 'openapi --control'],
  run,
};
