import { describe, expect, it } from 'vitest';
import { checkJournalAddress, checkStoredJournal } from '../../../src/journal/postgres/address.ts';

describe('the address of a journal', () => {
  it.each([
    ['postgres://me@localhost/j', { host: 'localhost', port: 5432, user: 'me', database: 'j', tls: undefined }],
    ['postgresql://me@127.0.0.1:6000/j', { host: '127.0.0.1', port: 6000 }],
    ['postgres://me@[::1]/j', { host: '::1' }],
    ['postgres://me%40x@localhost/a%2Fb', { user: 'me@x', database: 'a/b' }],
    ['postgres://me@db.example.com/j?sslmode=verify-full', { host: 'db.example.com', tls: { ca: undefined } }],
    ['postgres://me@db.example.com/j?sslmode=disable', { host: 'db.example.com', tls: undefined }],
    ['postgres://me@db.example.com/j?sslmode=verify-full&sslrootcert=/ca.pem', { tls: { ca: '/ca.pem' } }],
    ['postgres://me@localhost:6000/j?host=/run/postgresql', { host: '/run/postgresql', port: 6000, tls: undefined }],
  ] as const)('%s is read once, for the driver and for messages', (text, fields) => {
    expect(checkJournalAddress(text, 'BURSAR_JOURNAL')).toMatchObject({
      ...fields,
      where: expect.stringMatching(/^postgres:/),
    });
  });

  it.each([
    'postgres://me@db.example.com/j',
    'postgres://me@db.example.com/j?sslmode=require',
    'postgres://me@db.example.com/j?sslmode=no-verify',
    'postgres://me@db.example.com/j?sslmode=verify-full&sslmode=disable',
    'postgres://me@localhost/j?host=192.0.2.1',
    'postgres://me@db.example.com/j?host=/x&host=127.0.0.1',
    'postgres://me@db.example.com/j?host=/run/postgresql',
    'postgres://me@localhost/j?options=-c%20synchronous_commit=off',
    'postgres://me@localhost/j?port=1',
    'postgres://me@localhost/j?password=secret',
    'postgres://me@localhost/j?query_timeout=0',
    'postgres://localhost/j',
    'postgres://me@localhost/',
    'postgres:///j?user=me',
    'mysql://me@localhost/j',
    'secret',
    '',
  ])('%s is refused, without its text', (text) => {
    expect(() => checkJournalAddress(text, 'BURSAR_JOURNAL')).toThrow(
      expect.objectContaining({ code: 'bad_settings', message: expect.not.stringContaining('secret') }),
    );
  });

  it.each([
    ['postgres://localhost/j', 'names no user'],
    ['postgres://me@localhost/', 'names no database'],
    ['postgres://me@localhost/j?host=run', 'has a host that is no folder of a socket'],
  ])('%s %s', (text, why) => {
    expect(() => checkJournalAddress(text, 'BURSAR_JOURNAL')).toThrow(`BURSAR_JOURNAL ${why}`);
  });

  it('is stored without a password, and shown without one', () => {
    expect(() => checkStoredJournal('postgres://me:secret@localhost/j')).toThrow(/^the address contains a password$/);
    expect(checkJournalAddress('postgres://me:secret@localhost/j', 'BURSAR_JOURNAL').where).toBe(
      'postgres://me@localhost/j',
    );
  });
});
