import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fewAtATime } from '../support/few-at-a-time.ts';
import { describedFolder } from './document.ts';
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

/** A program and its words, what it makes of `openapi.json`, and how the type of a request is named in that. */
type Generator = {
  readonly words: readonly string[];
  readonly client: string;
  /** Left out where the types are made to take any field. */
  readonly typeOf?: (name: string) => string;
};

const byName = (name: string): string => `made.${name}`;

const GENERATORS: readonly Generator[] = [
  {
    words: ['openapi-typescript', 'openapi.json', '-o', 'openapi-typescript.ts'],
    client: 'openapi-typescript.ts',
    typeOf: (name) => `made.components['schemas']['${name}']`,
  },
  {
    words: ['openapi-ts', '-i', 'openapi.json', '-o', 'hey-api', '--no-log-file'],
    client: 'hey-api/index.ts',
    typeOf: byName,
  },
  {
    words: ['orval', '--input', 'openapi.json', '--output', 'orval.ts', '--client', 'fetch'],
    client: 'orval.ts',
    typeOf: byName,
  },
  { words: ['kubb', 'generate', '--config', 'kubb.config.mjs'], client: 'kubb/index.ts', typeOf: byName },
  {
    words: ['swagger-typescript-api', 'generate', '-p', 'openapi.json', '-o', '.', '-n', 'swagger-typescript-api.ts'],
    client: 'swagger-typescript-api.ts',
    typeOf: byName,
  },
  { words: ['openapi-zod-client', 'openapi.json', '-o', 'zod-client.ts'], client: 'zod-client.ts' },
  {
    words: [
      ...['openapi-zod-client', 'openapi.json', '-o', 'zod-client-closed.ts'],
      ...['--export-schemas', '--additional-props-default-value=false'],
    ],
    client: 'zod-client-closed.ts',
    typeOf: (name) => `ReturnType<typeof made.schemas.${name}.parse>`,
  },
];

/** A folder with the document, beside the packages that generate and compile. */
const generatorsFolder = async (): Promise<string> => {
  const { folder } = await describedFolder();
  await symlink(join(GENERATORS_FOLDER, 'node_modules'), join(folder, 'node_modules'));
  await cp(join(GENERATORS_FOLDER, 'kubb.config.mjs'), join(folder, 'kubb.config.mjs'));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: COMPILER, exclude: ['node_modules'] }),
  );
  return folder;
};

/** Runs one of the package's programs on Node 24, which the newest of them need. */
const run = (folder: string, [name = '', ...words]: readonly string[]) =>
  startTool(NODE_24, [join(GENERATORS_FOLDER, 'node_modules/.bin', name), ...words], {}, folder).ended;

judged(
  'clients of six generators compile strictly; their requests take the examples and reject a misspelt field anywhere',
  async () => {
    const folder = await generatorsFolder();
    await fewAtATime(
      GENERATORS,
      async ({ words, client, typeOf }) => {
        const { code, output } = await run(folder, words);
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
  'swagger-parser, by whose word many tools take a document, takes it',
  async () => {
    const folder = await generatorsFolder();
    const validate = "import parser from '@apidevtools/swagger-parser'; await parser.validate('openapi.json');";
    await writeFile(join(folder, 'validate.mjs'), validate);
    const { code, output } = await startTool(NODE_24, ['validate.mjs'], {}, folder).ended;
    expect(code, output).toBe(0);
  },
  NEEDS,
);
