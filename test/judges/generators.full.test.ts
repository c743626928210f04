import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fewAtATime } from '../support/few-at-a-time.ts';
import { writeDocuments } from './document.ts';
import { GENERATORS_FOLDER, judged, NODE_24, startTool } from './tools.ts';
import { typedRequests } from './typed-requests.ts';

const NEEDS = { needs: ['generators', 'node24'], timeoutMs: 240_000 } as const;

const COMPILER = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'esnext',
  moduleResolution: 'bundler',
  allowImportingTsExtensions: true,
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: ['node'],
};

/** A generator: its command line, the client that it writes, and how the client names the type of a request. */
type Generator = {
  readonly command: readonly string[];
  readonly client: string;
  /** Absent if the generated types accept any field. */
  readonly typeOf?: (name: string) => string;
};

const byName = (name: string): string => `generated.${name}`;

const GENERATORS: readonly Generator[] = [
  {
    command: ['openapi-typescript', 'openapi.json', '-o', 'openapi-typescript.ts'],
    client: 'openapi-typescript.ts',
    typeOf: (name) => `generated.components['schemas']['${name}']`,
  },
  {
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'hey-api', '--no-log-file'],
    client: 'hey-api/index.ts',
    typeOf: byName,
  },
  {
    command: ['orval', '--input', 'openapi.json', '--output', 'orval.ts', '--client', 'fetch'],
    client: 'orval.ts',
    typeOf: byName,
  },
  { command: ['kubb', 'generate', '--config', 'kubb.config.mjs'], client: 'kubb/index.ts', typeOf: byName },
  {
    command: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'swagger-typescript-api.ts'],
    client: 'swagger-typescript-api.ts',
    typeOf: byName,
  },
  { command: ['openapi-zod-client', 'openapi.json', '-o', 'zod-client.ts'], client: 'zod-client.ts' },
  {
    command: [
      ...['openapi-zod-client', 'openapi.json', '-o', 'zod-client-closed.ts'],
      ...['--export-schemas', '--additional-props-default-value=false'],
    ],
    client: 'zod-client-closed.ts',
    typeOf: (name) => `ReturnType<typeof generated.schemas.${name}.parse>`,
  },
];

/** Makes a folder with the documents and with a link to the packages of the generators. */
const newGeneratorsFolder = async (): Promise<string> => {
  const { folder } = await writeDocuments();
  await symlink(join(GENERATORS_FOLDER, 'node_modules'), join(folder, 'node_modules'));
  await cp(join(GENERATORS_FOLDER, 'kubb.config.mjs'), join(folder, 'kubb.config.mjs'));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER, exclude: ['node_modules'] }),
  );
  return folder;
};

/** Runs a program of the generators on Node 24, because the newest of them need it. */
const run = (folder: string, [name = '', ...args]: readonly string[]) =>
  startTool(NODE_24, [join(GENERATORS_FOLDER, 'node_modules/.bin', name), ...args], {}, folder).ended;

judged(
  'six generators write clients that compile under strict, accept every example and reject a misspelt field',
  async () => {
    const folder = await newGeneratorsFolder();
    await fewAtATime(
      GENERATORS,
      async ({ command, client, typeOf }) => {
        const { code, output } = await run(folder, command);
        expect(code, output).toBe(0);
        const program = typedRequests(`./${client}`, typeOf);
        await writeFile(join(folder, `use-${client.replace('/index', '')}`), program);
      },
      2,
    );
    const { code, output } = await run(folder, ['tsc', '-p', '.']);
    expect(output).toBe('');
    expect(code).toBe(0);
  },
  NEEDS,
);

judged(
  'swagger-parser accepts the OpenAPI document',
  async () => {
    const folder = await newGeneratorsFolder();
    const validate = "import parser from '@apidevtools/swagger-parser'; await parser.validate('openapi.json');";
    await writeFile(join(folder, 'validate.mjs'), validate);
    const { code, output } = await startTool(NODE_24, ['validate.mjs'], {}, folder).ended;
    expect(code, output).toBe(0);
  },
  NEEDS,
);
