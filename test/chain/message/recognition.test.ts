import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type ChallengeInput, reviewChallenge } from '../../../src/chain/message/challenge.ts';
import { PAYER } from '../evm/given.ts';
import { wallet } from '../solana/given.ts';
import { HONEST, HOST, HOSTILE, SOLANA_HONEST } from './texts.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const EVM = { chain: 'evm', address: PAYER } as const;

/** The texts of a file, separated by lines of three equals signs, each with its first line as the title. */
const textsOf = (file: string): readonly (readonly [string, string])[] =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n===\n')
    .map((text) => text.trim().replaceAll('{wallet}', PAYER))
    .map((text) => [text.split('\n')[0] ?? '', text] as const);

/** The checks of a text that do not pass, each with its message. */
const doubts = (message: string, more: Partial<ChallengeInput> = {}): readonly string[] =>
  reviewChallenge({ message, key: EVM, now: NOW, host: HOST, ...more })
    .checks.filter(({ verdict }) => verdict !== 'pass')
    .map(({ id, verdict, message: reason }) => `${verdict} ${id}: ${reason}`);

describe('a text that only proves the wallet to this service passes without a question', () => {
  it.each([...HONEST, ...textsOf('honest.txt')])('%s', (_, message) => {
    expect(doubts(message)).toEqual([]);
  });

  it.each(SOLANA_HONEST)('on Solana: %s', (_, message) => {
    expect(doubts(message, { key: { chain: 'solana', address: wallet.toBase58() } })).toEqual([]);
  });
});

describe('a text that is not recognised as a wallet proof requires a confirmation', () => {
  it.each([...HOSTILE, ...textsOf('hostile.txt')])('%s', (_, message) => {
    expect(doubts(message)).not.toEqual([]);
  });
});

describe('a host in the text', () => {
  const isAccepted = (place: string, host: string, hosts: readonly string[] = []) =>
    doubts(`Prove that this wallet is yours at ${place}`, { host, hosts }).length === 0;

  it.each([
    ['kyc.acme.co.uk', 'api.acme.co.uk'],
    ['https://ACME.example./kyc?a=b#c', 'api.acme.example'],
    ['acme.example:8443', 'api.acme.example'],
    ['bücher.example', 'api.xn--bcher-kva.example'],
    ['localhost:8787', '127.0.0.1:8787'],
    ['http://[::1]:8787/x', 'localhost:8787'],
    ['192.0.2.7:8443', '192.0.2.7:8443'],
    ['help@acme.example', 'api.acme.example'],
  ])('%s belongs to the service at %s', (place, host) => {
    expect(isAccepted(place, host)).toBe(true);
  });

  it.each([
    ['other.co.uk', 'api.acme.co.uk'],
    ['other.github.io', 'acme.github.io'],
    ['localhost:8788', '127.0.0.1:8787'],
    ['localhost:8787', 'api.acme.example'],
    ['192.0.2.8', '192.0.2.7'],
    ['acme.example.evil.example', 'api.acme.example'],
    ['https://acme.example@evil.example/', 'api.acme.example'],
    ['\\\\evil.example\\acme.example', 'api.acme.example'],
    ['help@evil.example', 'api.acme.example'],
    ['acm\u0435.example', 'api.acme.example'],
  ])('%s does not belong to the service at %s', (place, host) => {
    expect(isAccepted(place, host)).toBe(false);
  });

  it('is accepted when the user added exactly this host', () => {
    expect(isAccepted('verify.partner.example', 'api.acme.example', ['Verify.Partner.example'])).toBe(true);
    expect(isAccepted('other.partner.example', 'api.acme.example', ['verify.partner.example'])).toBe(false);
  });

  it('requires a confirmation when the host of the service is unknown', () => {
    expect(doubts('Prove that this wallet is yours at pay.example.com', { host: undefined })).not.toEqual([]);
  });
});

it('accepts the e-mail address that the user links in the text, and no other address', () => {
  const text = 'Link this wallet to the KYC profile of ana@example.org';
  expect(doubts(text, { email: 'Ana@example.org' })).toEqual([]);
  expect(doubts(text, { email: 'mallory@example.org' })).not.toEqual([]);
});
