import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { payerMark } from '../../src/journal/payer-mark.ts';
import { failureIn } from '../client/client.ts';
import { testIo } from '../support/io.ts';

it('a payer has one mark per home, also for upper case and for two calls at once', async () => {
  const [{ io }, { io: other }] = await Promise.all([testIo(), testIo()]);
  const marks = await Promise.all(['ana@example.com', 'ANA@example.com'].map((email) => payerMark(io, email)));
  expect(marks[0]).toMatch(/^[0-9a-f]{16}$/);
  expect(marks[1]).toBe(marks[0]);
  expect(await payerMark(io, 'ana@example.com')).toBe(marks[0]);
  expect(await payerMark(io, 'bob@example.com')).not.toBe(marks[0]);
  expect(await payerMark(other, 'ana@example.com')).not.toBe(marks[0]);
  expect((await stat(join(io.places.state, 'payer-secret'))).mode & 0o777).toBe(0o600);
});

it('a damaged secret is an error: a new secret would change the mark of each payer', async () => {
  const { io } = await testIo();
  await payerMark(io, 'ana@example.com');
  await writeFile(join(io.places.state, 'payer-secret'), 'abc');
  expect((await failureIn(payerMark(io, 'ana@example.com'))).code).toBe('journal_damaged');
});
