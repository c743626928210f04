import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DocumentWorld, startDocumentWorld } from '../support/document-world.ts';
import { commandLines, DOCUMENTS, readDocument, shellBlocks } from '../support/documents.ts';
import { canRunPostgres } from '../support/postgres.ts';

it('the first two shell blocks of the README run the demo and the tests, each in one line', () => {
  expect(shellBlocks(readDocument('README.md')).slice(0, 2)).toEqual([
    'npm ci --ignore-scripts && npm run demo\n',
    'npm ci --ignore-scripts && npm test\n',
  ]);
});

const isSmokeTest = (block: string): boolean => block.startsWith('set -euo pipefail\n');

it('the README and the guide for CI contain the same smoke test', () => {
  const [ofReadme, ofGuide] = ['README.md', 'docs/scripting-and-ci.md'].map((path) =>
    shellBlocks(readDocument(path)).find(isSmokeTest),
  );
  expect(ofReadme).toBeTruthy();
  expect(ofGuide).toBe(ofReadme);
});

/** Lines that stop or reset the shared sandbox, never end, or work on this repository. Other tests run them. */
const NOT_RUN = /^npm |^node |^exit |^bursar sandbox (?:stop|reset)\b|^bursar (?:sandbox logs --follow|webhook listen)/;

/** Exit codes other than 0, by `page: line`. */
const EXIT_CODES: readonly (readonly [line: RegExp, code: number])[] = [
  // Needs a terminal.
  [
    /: bursar pay run$|: bursar pay register --dry-run --jq \.body > |: bursar key passwd |: bursar login --base-url/,
    2,
  ],
  // A placeholder for an address or a signature of the reader.
  [/0x…/, 2],
  // Hosts that do not exist.
  [/: (?!export).*(?:api\.example\.com|staging\.example\.com|node\.example .*<)|scripting.*: bursar products/, 5],
  // Needs a login.
  [/: bursar products/, 4],
  // A deployment without an answer.
  [/smoke.*--profile staging/, 4],
  // Waits for a payment or a KYC decision that never comes.
  [/: bursar kyc status .*--wait|pix-and-cards.*: bursar pay resume/, 8],
];

const expectedCode = (path: string, line: string): number =>
  EXIT_CODES.find(([pattern]) => pattern.test(`${path}: ${line}`))?.[1] ?? 0;

const BODY = /```json\n(\{\n {2}"tenant_data".*?)```\n/s.exec(readDocument('README.md'))?.[1] ?? '';

const blocksOf = (text: string): readonly (readonly string[])[] =>
  shellBlocks(text)
    .filter((block) => !isSmokeTest(block) && block.includes('bursar '))
    .map((block) => commandLines(block).filter((line) => !NOT_RUN.test(line)));

/** The guides whose commands need a database. */
const OF_POSTGRES = ['docs/shared-journal.md', 'docs/queue.md'];

const isRunnable = (path: string): boolean => !OF_POSTGRES.includes(path) || canRunPostgres(`the commands of ${path}`);

const documents = DOCUMENTS.filter(isRunnable).map((path) => [path, blocksOf(readDocument(path))] as const);

describe('the commands of the documents', () => {
  let world: DocumentWorld;
  beforeAll(async () => {
    world = await startDocumentWorld(BODY);
  });
  afterAll(() => world.end());

  describe.each(documents.filter(([, blocks]) => blocks.length > 0))('%s', (path, blocks) => {
    beforeAll(() => world.begin(readDocument(path)));

    it.each(blocks.map((lines) => [lines[0], lines] as const))(
      'ends with the expected exit codes: %s',
      async (_, lines) => {
        const { codes, stderr } = await world.type(lines);
        const results = codes.map((code, at) => [code, lines[at] ?? ''] as const);
        expect(
          results.filter(([code, line]) => code !== expectedCode(path, line)),
          stderr,
        ).toEqual([]);
        expect(codes).toHaveLength(lines.length);
      },
    );
  });
});
