import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { GLOBAL_OPTIONS } from '../../../src/cli/argv/command-line.ts';
import { AREAS } from '../../../src/cli/command/areas.ts';
import type { Command } from '../../../src/cli/command/command.ts';
import { areaPage, groupedLeaves } from '../../../src/cli/help/area-page.ts';
import { exitsOf, leafPage } from '../../../src/cli/help/command-page.ts';
import { ENVIRONMENT } from '../../../src/cli/help/environment.ts';
import { layOut } from '../../../src/cli/help/lay-out.ts';
import type { Page } from '../../../src/cli/help/page.ts';
import { shortAreaPage, shortLeafPage } from '../../../src/cli/help/short-page.ts';
import { firstPage, rootPage } from '../../../src/cli/help/show.ts';
import { TOPICS } from '../../../src/cli/help/topics.ts';
import { palette } from '../../../src/output/colour.ts';
import { newHome } from '../../support/bursar.ts';
import { newHomeInProcess } from '../../support/in-process.ts';

const areas = await Promise.all(AREAS.map(async (area) => ({ area, leaves: await area.load() })));
const leaves = areas.flatMap((one) => one.leaves);
const topics = await Promise.all(TOPICS.map(({ load }) => load()));
const pages: readonly Page[] = [
  firstPage(),
  rootPage(),
  ...areas.map((one) => areaPage(one.area, one.leaves)),
  ...leaves.map(leafPage),
  ...topics,
];
const shortPages: readonly Page[] = [
  firstPage(),
  ...areas.map((one) => shortAreaPage(one.area, one.leaves)),
  ...leaves.map(shortLeafPage),
];

const plain = palette(false);
const linesAt = (page: Page, columns: number) => layOut(page, { columns, paint: plain }).split('\n');
const blocksOf = ({ sections }: Page) => sections.flatMap(({ blocks }) => blocks);
const commandsOf = (page: Page) => [
  ...(page.examples ?? []),
  ...blocksOf(page).flatMap((block) => (block.kind === 'commands' ? block.lines : [])),
];
const leafNamed = (name: string): Command => {
  const found = leaves.find(({ words }) => words.join(' ') === name);
  if (!found) throw new Error(`no command ${name}`);
  return found;
};

describe('every page of help', () => {
  it.each(pages.map((page) => [page.name, page] as const))('%s fits 80 columns', (_, page) => {
    expect(linesAt(page, 80).filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(pages.map((page) => [page.name, page] as const))(
    '%s breaks lines at 40 columns where possible',
    (_, page) => {
      const wide = linesAt(page, 40).filter((line) => line.length > 40);
      // The remaining long lines are one option with its value, one address or one quoted text.
      expect(
        wide.filter(
          (line) =>
            line
              .replaceAll(/"[^"]*"|'[^']*'/g, '_')
              .trim()
              .split(' ').length > 4,
        ),
      ).toEqual([]);
    },
  );

  it.each(pages.map((page) => [page.name, page] as const))('%s has lines at a width of 0 and of 1', (_, page) => {
    for (const columns of [0, 1]) expect(linesAt(page, columns).length).toBeGreaterThan(3);
  });

  it('shows broken command lines that bash can parse', async () => {
    const shown = pages.flatMap((page) =>
      linesAt(page, 60).filter((line, at, all) => /^ {2}\$ /.test(line) || /\\$/.test(all[at - 1] ?? '')),
    );
    const script = shown.map((line) => line.replace(/^ {2}\$ /, '')).join('\n');
    expect(script.length).toBeGreaterThan(1000);
    const { stderr } = await promisify(execFile)('bash', ['-n', '-c', script]);
    expect(stderr).toBe('');
  });
});

it('only a field without an option is named as a field of --body', () => {
  const named = leaves.map(({ words, bodyOnly = [] }) => [words.join(' '), bodyOnly.map(({ name }) => name)] as const);
  expect(Object.fromEntries(named.filter(([, names]) => names.length > 0))).toEqual({
    'order create': ['order_items', 'subscription_payment_config'],
    'order update': ['order_items', 'subscription_payment_config'],
  });
});

describe('bursar without arguments', () => {
  it('fits a terminal of 80x24, and names every area', async () => {
    const { bursar } = await newHome();
    const { code, stdout } = await bursar([]);
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeLessThanOrEqual(24);
    for (const { name } of AREAS) expect(stdout).toMatch(new RegExp(`[ ,]${name}(?:,|$)`, 'm'));
    expect(stdout).toContain('bursar --help');
  });
});

describe('the help of a command', () => {
  it.each(leaves.map((leaf) => [leaf.words.join(' '), leaf] as const))(
    'of %s has usage, options, an example and exit codes',
    (name, leaf) => {
      const page = leafPage(leaf);
      expect(page.usage).toMatch(new RegExp(`^bursar ${name} `));
      const headings = page.sections.map(({ heading }) => heading);
      for (const wanted of ['Environment', 'Exit codes', 'Global options']) expect(headings).toContain(wanted);
      expect(page.examples?.length).toBeGreaterThan(0);
      const terms = blocksOf(page)
        .flatMap((block) => (block.kind === 'items' ? block.items : []))
        .map(([term]) => term);
      for (const { flag } of leaf.options ?? []) {
        expect(terms.filter((term) => `${term} `.startsWith(`${flag} `))).toHaveLength(1);
      }
    },
  );

  it.each([
    ['key list', [0, 1, 2, 130]],
    ['quote', [0, 1, 2, 3, 4, 5, 7, 9, 130]],
    ['order create', [0, 1, 2, 3, 4, 5, 7, 9, 130]],
    ['kyc create', [0, 1, 2, 3, 4, 5, 6, 7, 9, 130]],
    ['pay status', [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 130]],
    ['pay run', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 130]],
    ['key verify-message', [0, 1, 2, 10, 130]],
  ])('of %s lists exactly its exit codes', (name, codes) => {
    expect(exitsOf(leafNamed(name))).toEqual(codes);
  });

  it('lists the many options of a payment under headings, and a few options in one list', () => {
    const headingOf = (name: string, flag: string) =>
      leafPage(leafNamed(name)).sections.find(({ blocks }) =>
        blocks.some(
          (block) => block.kind === 'items' && block.items.some(([term]) => `${term} `.startsWith(`${flag} `)),
        ),
      )?.heading;
    expect(headingOf('pay run', '--amount-from')).toBe('What is paid, and to whom');
    expect(headingOf('pay run', '--card-token')).toBe('By card');
    expect(headingOf('pay run', '--key')).toBe('Signing and sending');
    expect(headingOf('pay transaction', '--payer-wallet')).toBe('Who pays');
    expect(headingOf('pay run', '--webhook-url')).toBe('The tenant, and what kind of payment');
    expect(headingOf('pay resume', '--all')).toBe('Options');
    expect(headingOf('yield deposit', '--key')).toBe('Signing and sending');
    expect(headingOf('order update', '--amount-from')).toBe('Options');
  });

  it('has its examples after the usage, and one line each for variables and common exit codes', () => {
    for (const leaf of leaves) {
      const shown = linesAt(leafPage(leaf), 10_000).join('\n');
      const words = shown.replaceAll(/\s+/g, ' ');
      expect(shown, leaf.words.join(' ')).toMatch(
        /^[^\n]+\n\nUsage: bursar [^\n]+(?:\n {2}[^\n]+)*\n\nExamples:\n {2}\$ bursar /,
      );
      expect(words).toMatch(/ Environment: [A-Z_, ;]*(?:all: )?bursar help environment Exit codes: /);
      expect(words).toMatch(/ 0, 1, 2, [\d, ]*130 as for every command: bursar help exit-codes $/);
    }
  });

  it.each(shortPages.map((page) => [page.name, page] as const))(
    '%s -h fits 24 lines of 80 columns, and has a usage',
    (_, page) => {
      const lines = linesAt(page, 80);
      expect(lines.length).toBeLessThanOrEqual(24);
      expect(lines.filter((line) => line.length > 80)).toEqual([]);
      expect(page.usage).toBeDefined();
    },
  );

  it.each(leaves.map((leaf) => [leaf.words.join(' '), leaf] as const))(
    '%s -h shows two examples, the first options of its example, and --help',
    (name, leaf) => {
      const page = shortLeafPage(leaf);
      const shown = linesAt(page, 80).join('\n');
      expect(page.examples?.length).toBe(2);
      const globals: readonly string[] = GLOBAL_OPTIONS.map(({ flag }) => flag);
      if (leaf.arguments?.some(({ isVerbatim }) => isVerbatim)) return;
      const used = (leaf.examples[0] ?? '').split(/[ =]/).filter((word) => word.startsWith('--'));
      for (const flag of used.filter((each) => !globals.includes(each)).slice(0, 3))
        expect(shown).toMatch(new RegExp(`^ {2}${flag}`, 'm'));
      expect(shown).toContain(`bursar ${name} --help`);
      for (const { flag, isRequired } of leaf.options ?? []) if (isRequired) expect(shown).toContain(flag);
    },
  );

  it('names the options in the rules between options', () => {
    const { rules } = leafNamed('pay transaction');
    expect(rules).toContain('--payer-cpf: required when --transaction-type is pixcrypto or fiatcrypto');
    expect(leafNamed('pay register').rules).toContain('--allow: at least one must be true');
    expect(leafNamed('kyc create').rules).toEqual(['at least one of --email, --wallet']);
  });

  it('has a heading in every area that has headings', () => {
    const lost = areas.flatMap(({ area, leaves: own }) =>
      groupedLeaves(area.name, own).filter(({ heading }) => heading === 'Others'),
    );
    expect(lost).toEqual([]);
  });
});

describe('examples', () => {
  const globals: readonly string[] = GLOBAL_OPTIONS.map(({ flag }) => flag);
  const all = [...new Set(pages.flatMap(commandsOf))].flatMap((line) =>
    [...line.matchAll(/(?:^|\|\| |= )?(?:\w+=\S+ )*bursar ((?:[^|]|\|\|(?! bursar))+)/g)].map(([, words = '']) =>
      words.trim(),
    ),
  );

  it.each(all)('bursar %s is an existing command with existing options', (line) => {
    const words = line.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
    if (words[0] === 'help' || words[0]?.startsWith('-')) return;
    const leaf = leaves.find((one) => one.words.every((word, at) => words[at] === word));
    expect(leaf, line).toBeDefined();
    // The words of an alias belong to another command.
    if (leaf?.arguments?.some(({ isVerbatim }) => isVerbatim)) return;
    const known = [...globals, ...(leaf?.options ?? []).map(({ flag }) => flag as string)];
    const flags = words.filter((word) => word.startsWith('--')).map((word) => word.split('=')[0] ?? '');
    expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
  });
});

describe.each([40, 60, 80])('examples at %i columns', (columns) => {
  it.each(pages.filter(({ examples = [] }) => examples.length > 0))('of $name are complete when pasted', (page) => {
    const printed = linesAt(page, columns)
      .join('\n')
      .replaceAll(/ \\\n +/g, ' ');
    for (const line of page.examples ?? []) expect(printed).toContain(`$ ${line}`);
  });
});

describe('the output of help', () => {
  it.each([...AREAS.map(({ name }) => name), 'order list', 'pay run', 'sandbox fault', 'yield rebalance'])(
    'of %s is the same by the word help and by --help',
    async (name) => {
      const { bursar } = await newHomeInProcess();
      const words = name.split(' ');
      const [word, option] = await Promise.all([bursar(['help', ...words]), bursar([...words, '--help'])]);
      expect(word).toEqual(option);
      expect(word).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Usage: bursar ') });
    },
  );

  it.each(TOPICS.map(({ name }) => name))('of the topic %s has an example', async (name) => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar(['help', name]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^ {2}\$ .*bursar /m);
  });

  it('has bold headings with colour, and otherwise no escape byte', async () => {
    const { bursar } = await newHomeInProcess();
    const forced = { FORCE_COLOR: '1' };
    expect((await bursar(['--help'], { env: forced })).stdout).toContain('\u001b[1mMoney:');
    const ends = await Promise.all([
      bursar(['--help']),
      bursar(['--help'], { env: { ...forced, NO_COLOR: '1' } }),
      bursar(['pay', '--help', '--no-color'], { env: forced }),
    ]);
    for (const { code, stdout } of ends)
      expect({ code, escapes: stdout.includes('\u001b') }).toEqual({ code: 0, escapes: false });
  });

  it.each([
    [['help', 'exit-code'], 'Did you mean exit-codes?'],
    [['help', 'nope'], '"nope"'],
    [['help', 'pay', 'rum'], 'Did you mean run?'],
    [['help', 'quote', 'nope'], '"nope"'],
  ])('%s is exit 2, and the error names the word or suggests another', async (args, said) => {
    const { bursar } = await newHomeInProcess();
    const { code, stdout, stderr } = await bursar(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
  });
});

/** Variables by which a terminal identifies itself. */
const TERMINALS = [
  'VTE_VERSION',
  'TERM_PROGRAM',
  'WT_SESSION',
  'KONSOLE_VERSION',
  'DOMTERM',
  'KITTY_WINDOW_ID',
  'TMUX',
  'STY',
];

describe('help environment', () => {
  it('names every variable that the sources read, and no other', async () => {
    const folder = 'src';
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const sources = await Promise.all(
      files
        .filter((name) => !/cli\/(?:help|commands\/doctor)\//.test(name))
        .map((name) => readFile(join(folder, name), 'utf8')),
    );
    const text = sources.join('\n');
    const read = [...text.matchAll(/env\['([A-Z_]+)'\]|base\('(XDG_\w+)'|'((?:ALL|HTTPS?|NO)_PROXY)'/g)].map(
      ([, ...names]) => names.find(Boolean) ?? '',
    );
    // Variables of other programs: Snap, CGI, terminals, and the home of the user.
    const others = ['SNAP', 'REQUEST_METHOD', 'HOME', 'USERPROFILE', ...TERMINALS];
    expect([...new Set(read)].filter((name) => !others.includes(name)).sort()).toEqual(
      ENVIRONMENT.map(({ name }) => name).sort(),
    );
  });
});
