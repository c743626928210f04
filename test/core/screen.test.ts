import { expect, it } from 'vitest';
import { wrap } from '../../src/core/screen.ts';

const HASH = `0x${'ab'.repeat(32)}`;

it.each([80, 72, 69])('a hash in a sentence is whole, on a row that it does not leave, at %i columns', (columns) => {
  const rows = wrap(`The transaction ${HASH} may have been sent. Do not pay again.`, columns, '    ').split('\n');
  expect(rows.filter((row) => row.includes(HASH))).toHaveLength(1);
  expect(rows.every((row) => row.length <= columns)).toBe(true);
  expect(rows.slice(1).every((row) => row.startsWith(' '))).toBe(true);
});

it('a terminal that is narrower than a hash gets it whole, and breaks it itself, so that a copy is whole', () => {
  expect(wrap(`The transaction ${HASH} may have been sent.`, 40, '  ')).toBe(
    `The transaction\n ${HASH}\n  may have been sent.`,
  );
});
