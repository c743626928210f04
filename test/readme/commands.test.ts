import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DocumentWorld, startDocumentWorld } from '../support/document-world.ts';
import { commandLines, DOCUMENTS, readDocument, shellBlocks } from '../support/documents.ts';

it('the first command tries it and the second tests it: a line each, as somebody copies them and CI does', () => {
  expect(shellBlocks(readDocument('README.md')).slice(0, 2)).toEqual([
    'npm ci --ignore-scripts && npm run demo\n',
    'npm ci --ignore-scripts && npm test\n',
  ]);
});

const isSmokeTest = (block: string): boolean => block.startsWith('set -euo pipefail\n');

it('the smoke test of the guide for CI is that of the README, which help-topics.test.ts runs', () => {
  const [ofReadme, ofGuide] = ['README.md', 'docs/scripting-and-ci.md'].map((path) =>
    shellBlocks(readDocument(path)).find(isSmokeTest),
  );
  expect(ofReadme).toBeTruthy();
  expect(ofGuide).toBe(ofReadme);
});

/** Lines that end the sandbox of the others, never end, or work on this repository. Other tests run them. */
const NOT_RUN = /^npm |^node |^exit |^bursar sandbox (?:stop|reset)\b|^bursar sandbox logs --follow/;

/** The lines, after the page that they are of, that end with another code than 0 here, and why. */
const ENDS: readonly (readonly [line: RegExp, code: number])[] = [
  // Asks at a terminal.
  [
    /: bursar pay run$|: bursar pay register --dry-run --jq \.body > |: bursar key passwd |: bursar login --base-url/,
    2,
  ],
  // Stands for an address and a signature of the reader.
  [/0x…/, 2],
  // Hosts that are not there.
  [/: (?!export).*(?:api\.example\.com|staging\.example\.com|node\.example .*<)|scripting.*: bursar products/, 5],
  // Nobody has logged in.
  [/: bursar products/, 4],
  // Nobody pays, and nobody decides.
  [/: bursar kyc status .*--wait|pix-and-cards.*: bursar pay resume/, 8],
];

const codeOf = (path: string, line: string): number =>
  ENDS.find(([pattern]) => pattern.test(`${path}: ${line}`))?.[1] ?? 0;

const BODY = /```json\n(\{\n {2}"tenant_data".*?)```\n/s.exec(readDocument('README.md'))?.[1] ?? '';

const blocksOf = (text: string): readonly (readonly string[])[] =>
  shellBlocks(text)
    .filter((block) => !isSmokeTest(block) && block.includes('bursar '))
    .map((block) => commandLines(block).filter((line) => !NOT_RUN.test(line)));

const documents = DOCUMENTS.map((path) => [path, blocksOf(readDocument(path))] as const);

describe('the commands of the documents', () => {
  let world: DocumentWorld;
  beforeAll(async () => {
    world = await startDocumentWorld(BODY);
  });
  afterAll(() => world.end());

  describe.each(documents.filter(([, blocks]) => blocks.length > 0))('%s', (path, blocks) => {
    beforeAll(() => world.begin(readDocument(path)));

    it.each(blocks.map((lines) => [lines[0], lines] as const))('%s', async (_, lines) => {
      const { codes, stderr } = await world.type(lines);
      const ended = codes.map((code, at) => [code, lines[at] ?? ''] as const);
      expect(
        ended.filter(([code, line]) => code !== codeOf(path, line)),
        stderr,
      ).toEqual([]);
      expect(codes).toHaveLength(lines.length);
    });
  });
});
