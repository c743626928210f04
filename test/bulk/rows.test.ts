import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRows } from '../../src/bulk/rows.ts';
import { systemDisk } from '../../src/io/files/disk.ts';
import { filesOn } from '../../src/io/files/files.ts';
import { testIo } from '../support/io.ts';
import { allOf, COLUMNS, readText } from './read-rows.ts';

const RECEIVERS = ['0xabc=70', '0xdef=30'];

const problem = (row: number, line: number, column: string | undefined, message: RegExp | string, id?: string) => ({
  kind: 'problem',
  row,
  line,
  column,
  id,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
});

describe('a CSV file', () => {
  it('gives each row with its number, its first line and its fields, without empty cells', async () => {
    const { all } = await readText(
      'id,amount_from,payer_name,split\na-1,10.50,"Doe, ""Jo""\nSmith",0xabc=70;0xdef=30\n\nb-2,,,"0xabc=70  0xdef=30"\n',
    );
    expect(all).toMatchObject([
      {
        row: 1,
        line: 2,
        id: 'a-1',
        fields: { amount_from: '10.50', payer_name: 'Doe, "Jo"\nSmith', split: RECEIVERS },
      },
      { row: 2, line: 5, id: 'b-2', fields: { split: RECEIVERS } },
    ]);
    expect(Object.keys(all[1]?.kind === 'row' ? all[1].fields : {})).toEqual(['split']);
  });

  it('may have a byte order mark, CRLF, mixed line ends, names with hyphens, and no line end at its end', async () => {
    const { all } = await readText('\ufeffamount-from,id\r\n1,a\n2,b\r\n\r\n"3","c"');
    expect(all).toMatchObject([
      { row: 1, line: 2, id: 'a', fields: { amount_from: '1' } },
      { row: 2, line: 3, id: 'b', fields: { amount_from: '2' } },
      { row: 3, line: 5, id: 'c', fields: { amount_from: '3' } },
    ]);
  });

  it('without rows gives none', async () => {
    expect((await readText('id,amount_from\n')).all).toEqual([]);
    expect((await readText('id')).all).toEqual([]);
  });

  it.each([
    ['an unknown column', 'id,amount_form\na,1\n', /line 1: unknown column amount_form$/, 'Did you mean amount_from?'],
    [
      'a column that is like no other',
      'id,zzzzzzzz\n',
      /unknown column zzzzzzzz/,
      /^Known: id, amount_from, .*allow\.$/,
    ],
    ['a repeated column', 'id,amount_from,amount-from\n', /line 1: the column amount_from is there twice/, undefined],
    ['a header without id', 'amount_from\n1\n', /line 1: the column id is missing/, /id of its own/],
    ['a column without a name', 'id,,split\n', /line 1: column 2 has no name/, undefined],
    ['columns between semicolons', 'id;amount_from\n', /unknown column id;amount_from/, 'Separate columns by commas.'],
    ['a header below a blank line', '\n\nid,splits\n', /line 3: unknown column splits/, 'Did you mean split?'],
    ['no content', '', /has no header/, undefined],
    ['a broken header', 'id,"split\n', /header cannot be read: the quote of this cell is not closed/, undefined],
    ['UTF-16', Buffer.from('\ufeffid\n', 'utf16le'), /is UTF-16 text/, 'Save the file as UTF-8.'],
    ['UTF-16 without its mark', Buffer.from('id\n', 'utf16le'), /is UTF-16 text/, 'Save the file as UTF-8.'],
    ['CR as its line end', 'id\ra\rb\r', /has line ends of CR alone/, 'Save the file with line ends of LF or CRLF.'],
  ])('with %s is refused as a whole', async (_, content, message, hint) => {
    const details = hint === undefined ? {} : { details: { hint: expect.stringMatching(hint) } };
    const expected = { code: 'invalid_input', message: expect.stringMatching(message), ...details };
    await expect(readText(content)).rejects.toMatchObject(expected);
  });

  it('names line and column of a wrong header as data, and escapes the name', async () => {
    const header = 'id,"\u001b[2Jamount"\n';
    const data = { line: 1, column: '\\u{1b}[2Jamount' };
    await expect(readText(header)).rejects.toMatchObject({ details: { data } });
    const failure = await readText(header).catch((error: Error) => error.message);
    expect(failure).not.toContain('\u001b');
  });
});

describe('a wrong row of a CSV file is a problem with its line and column, and the next row is read:', () => {
  const HEADER = 'id,amount_from,split\n';
  const next = { kind: 'row', row: 2, id: 'next' };

  it.each([
    ['too few cells', 'a,1\n', 'split', 'the row has 2 cells, and the header has 3', 'a'],
    ['too many cells', 'a,1,x,y\n', 'split', 'the row has 4 cells, and the header has 3', 'a'],
    ['text after a closing quote', 'a,"1"2,x\n', 'amount_from', /text follows a closing quote/, undefined],
    ['a quote inside a cell', 'a,1"2,x\n', 'amount_from', /a quote stands inside a cell/, undefined],
    ['a cell of separators only', 'a,1, ; \n', 'split', /separators and no value/, 'a'],
    ['no id', ',1,x\n', 'id', 'the id is missing', undefined],
    ['an id with a space at its end', 'a ,1,x\n', 'id', /1 to 200 printable characters/, undefined],
    ['an id with a control character', '"a\nb",1,x\n', 'id', /1 to 200 printable characters/, undefined],
    ['an id with an invisible character', 'a\u200bb,1,x\n', 'id', /1 to 200 printable characters/, undefined],
    ['an id that is not in form NFC', 'cafe\u0301,1,x\n', 'id', /form NFC/, undefined],
    ['an id of 201 characters', `${'é'.repeat(201)},1,x\n`, 'id', /1 to 200 printable characters/, undefined],
    ['a row above 64 KB', `a,${'1'.repeat(65_536)},x\n`, undefined, 'the row is longer than 65536 bytes', undefined],
    ['64 KB of commas', `a${','.repeat(70_000)}\n`, undefined, 'the row is longer than 65536 bytes', undefined],
    ['bytes that are not UTF-8', Buffer.from('a,\xff,x\n', 'latin1'), undefined, /not UTF-8/, undefined],
    ['a replacement character', 'a,\ufffd,x\n', 'amount_from', /not Unicode text/, 'a'],
  ] as const)('%s', async (_, row, column, message, id) => {
    const parts = [HEADER, row, 'next,1,x\n'].map((part) => Buffer.from(part as string));
    const { all } = await readText(Buffer.concat(parts));
    const lines = Buffer.concat(parts).toString('latin1').split('\n').length - 1;
    expect(all).toMatchObject([problem(1, 2, column, message, id), { ...next, line: lines }]);
  });

  it('a quoted cell of many lines above 64 KB', async () => {
    const { all } = await readText(`${HEADER}a,"${'1\n'.repeat(40_000)}",x\nnext,1,x\n`);
    const message = 'the row is longer than 65536 bytes (lines 2 to 40002)';
    expect(all).toMatchObject([problem(1, 2, undefined, message), { ...next, line: 40_003 }]);
  });

  it('an id of 200 characters and one with spaces inside are valid', async () => {
    const ids = ['é'.repeat(200), 'a b', '付款 7'];
    const { rows } = await readText(`${HEADER}${ids.map((id) => `${id},1,x\n`).join('')}`);
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  it('a quote that is not closed names its column and all its lines', async () => {
    const { all } = await readText(`${HEADER}a,1,x\nb,"1,x\nc,2,x\nd,3,x\n`);
    const message = 'the quote of this cell is not closed before the end of the file (lines 3 to 6)';
    expect(all).toMatchObject([{ row: 1 }, problem(2, 3, 'amount_from', message)]);
  });

  it('an id that a row before has, also if that row has a problem itself', async () => {
    const { problems } = await readText(`${HEADER}a,1,x\nb,1\na,2,x\nb,1,x\na,3,x\n`);
    expect(problems).toMatchObject([
      problem(2, 3, 'split', /2 cells/, 'b'),
      problem(3, 4, 'id', 'the id is that of row 1', 'a'),
      problem(4, 5, 'id', 'the id is that of row 2', 'b'),
      problem(5, 6, 'id', 'the id is that of row 1', 'a'),
    ]);
  });

  it('no message repeats a value, such as a name', async () => {
    const content = 'id,payer_name\na,"Maria"Silva\nb,Mar"ia\nc,Maria,Silva\n ,Maria\nd,"Maria\n';
    for (const { message } of (await readText(content)).problems) expect(message).not.toMatch(/Maria|Silva/);
  });
});

describe('an NDJSON file', () => {
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

  it('gives texts, numbers with all their digits, booleans and lists', async () => {
    const { all } = await readText(
      '\ufeff{"id":9007199254740991,"amount-from":1.10,"payer_name":true,"split":["0xabc=70","0xdef=30"]}\r\n \n' +
        '{"id":"b","amount_from":100000000000000000000.000,"split":"0xabc=70;0xdef=30","crypto_from":null,"allow":[]}',
      'rows.ndjson',
    );
    const amount = '100000000000000000000.000';
    expect(all).toMatchObject([
      { row: 1, line: 1, id: '9007199254740991' },
      { row: 2, line: 3, id: 'b', fields: { amount_from: amount, split: RECEIVERS } },
    ]);
    const [first, second] = all.map((row) => (row.kind === 'row' ? row.fields : {}));
    expect(first).toEqual({ amount_from: '1.10', payer_name: 'true', split: RECEIVERS });
    expect(Object.keys(second ?? {})).toEqual(['amount_from', 'split']);
  });

  it.each([
    ['no JSON', '{"id":\n', undefined, 'the line is not valid JSON', undefined],
    ['no object', '[1]\n', undefined, 'the line is not a JSON object', undefined],
    ['a name twice', '{"id":"a","split":"1","split":"2"}\n', undefined, /a name twice/, undefined],
    ['a column by two names', '{"id":"a","amount_from":"1","amount-from":"1"}\n', 'amount_from', /there twice/, 'a'],
    ['an unknown column', line({ id: 'a', amount_form: 1 }), 'amount_form', /did you mean amount_from/, 'a'],
    ['a prototype', '{"id":"a","__proto__":{"split":"0xabc"}}\n', '__proto__', /unknown column/, 'a'],
    ['an object', line({ id: 'a', amount_from: { value: 1 } }), 'amount_from', /the value is an object/, 'a'],
    ['a list for one value', line({ id: 'a', amount_from: ['1'] }), 'amount_from', /the column has one value/, 'a'],
    ['a list with a number', line({ id: 'a', split: [1] }), 'split', /empty or not a text/, 'a'],
    ['a list with an empty text', line({ id: 'a', split: [''] }), 'split', /empty or not a text/, 'a'],
    ['separators only', line({ id: 'a', split: ';' }), 'split', /separators and no value/, 'a'],
    ['no id', line({ split: 'x' }), 'id', 'the id is missing', undefined],
    ...[
      '1.0',
      '1e3',
      '-0',
      '-1',
      '9007199254740992',
      '12345678901234567890',
      'true',
      'false',
      'null',
      '{}',
      '["a"]',
    ].map(
      (id) => [`the id ${id}`, `{"id":${id}}\n`, 'id', 'id must be a text: write it in quotes', undefined] as const,
    ),
    ['a lone surrogate', '{"id":"a","split":["\\ud800"]}\n', 'split', /not Unicode text/, 'a'],
    ['bytes that are not UTF-8', Buffer.from('{"id":"\xff"}\n', 'latin1'), undefined, /not UTF-8/, undefined],
    [
      'a line above 64 KB',
      line({ id: 'a', split: 'x'.repeat(70_000) }),
      undefined,
      /longer than 65536 bytes/,
      undefined,
    ],
    ['deep nesting', `${'['.repeat(20_000)}${']'.repeat(20_000)}\n`, undefined, /nested too deeply/, undefined],
  ] as const)(
    'has a problem with line and column, and the next line is read: %s',
    async (_, row, column, message, id) => {
      const parts = [line({ id: 'first' }), row, line({ id: 'next' })].map((part) => Buffer.from(part as string));
      const { all } = await readText(Buffer.concat(parts), 'rows.jsonl');
      expect(all).toMatchObject([{ id: 'first' }, problem(2, 2, column, message, id), { row: 3, line: 3, id: 'next' }]);
    },
  );

  it('is recognised by its first character if its name has no known extension', async () => {
    const text = line({ id: 'a' });
    expect((await readText(` \n${text}`, 'rows.txt')).rows).toMatchObject([{ id: 'a', line: 2 }]);
    expect((await readText('id\na\n', 'rows')).rows).toMatchObject([{ id: 'a', line: 2 }]);
    expect((await readText(text, 'ROWS.NDJSON')).rows).toHaveLength(1);
  });
});

describe('a file of rows', () => {
  it('has its size, time and SHA-256 as facts, and gives the same rows in each pass', async () => {
    const { io, home } = await testIo();
    const path = join(home, 'rows.csv');
    const content = `id,amount_from\n${Array.from({ length: 30_000 }, (_, at) => `row-${at},${at}\n`).join('')}`;
    await writeFile(path, content);
    await symlink(path, join(home, 'link.csv'));
    const file = await openRows(io, join(home, 'link.csv'), COLUMNS);
    const facts = await io.files.facts(path);
    const sha256 = createHash('sha256').update(content).digest('hex');
    expect(file.facts).toEqual({
      size: content.length,
      modifiedAt: facts?.modifiedAt,
      identity: facts?.identity,
      sha256,
    });
    const passes = await Promise.all([allOf(file), allOf(file)]);
    expect(passes[0]).toHaveLength(30_000);
    expect(passes[0]?.at(-1)).toMatchObject({ row: 30_000, line: 30_001, id: 'row-29999' });
    expect(passes[1]).toEqual(passes[0]);
    await file.close();
  });

  it.each([
    ['a folder', 'is a folder', async (path: string) => mkdir(path), /^Name a file/],
    ['a pipe', 'is not a regular file', async (path: string) => execFileSync('mkfifo', [path])],
    [
      'a socket',
      'is not a regular file',
      (path: string) =>
        new Promise(
          (resolve) =>
            void createServer()
              .listen(path, () => resolve(undefined))
              .unref(),
        ),
    ],
    ['a device', 'is not a regular file', async (path: string) => symlink('/dev/zero', path)],
  ])('is not %s', async (_, message, make, hint = /^The file is read twice/) => {
    const { io, home } = await testIo();
    const path = join(home, 'rows');
    await make(path);
    const expected = { code: 'invalid_input', message: `${path} ${message}` };
    const details = { hint: expect.stringMatching(hint) };
    await expect(openRows(io, path, COLUMNS)).rejects.toMatchObject({ ...expected, details });
  });

  it('must be there', async () => {
    const { io, home } = await testIo();
    const expected = { code: 'unreadable_file', message: expect.stringMatching(/none: no such file$/) };
    await expect(openRows(io, join(home, 'none'), COLUMNS)).rejects.toMatchObject(expected);
  });

  it('is unreadable when its disk fails, at any call', async () => {
    const { io, home } = await testIo();
    const path = join(home, 'rows.csv');
    await writeFile(path, 'id\na\n');
    const failed = async (): Promise<never> => {
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    };
    for (const call of ['facts', 'read'] as const) {
      const openToRead = async (name: string) => ({ ...(await systemDisk.openToRead(name)), [call]: failed });
      const files = filesOn({ ...systemDisk, openToRead });
      const expected = { code: 'unreadable_file', message: 'EIO: i/o error' };
      await expect(openRows({ ...io, files }, path, COLUMNS), call).rejects.toMatchObject(expected);
    }
  });

  it('is refused if it changes after it was opened, and is read on if only its name changes', async () => {
    const { io, home } = await testIo();
    const path = join(home, 'rows.csv');
    await writeFile(path, 'id\na\n');
    const file = await openRows(io, path, COLUMNS);
    await rename(path, join(home, 'other.csv'));
    await writeFile(path, 'id\nb\nc\n');
    expect(await allOf(file)).toMatchObject([{ id: 'a' }]);
    await appendFile(join(home, 'other.csv'), 'd\n');
    const changed = { code: 'unreadable_file', message: `${path} has changed since it was opened` };
    await expect(allOf(file)).rejects.toMatchObject(changed);
    await file.close();
  });

  it('is read no further after an interrupt', async () => {
    const interrupted = new AbortController();
    const { io, home } = await testIo({ io: { interrupted: interrupted.signal } });
    await writeFile(join(home, 'rows.csv'), 'id\na\n');
    const file = await openRows(io, join(home, 'rows.csv'), COLUMNS);
    interrupted.abort();
    await expect(allOf(file)).rejects.toMatchObject({ code: 'interrupted' });
    await file.close();
  });
});
