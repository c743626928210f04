import { describe, expect, it } from 'vitest';
import { type AskedPix, checkPixCode } from '../../src/flows/charge/pix.ts';
import { brCode } from '../../src/sandbox/charges/pix.ts';
import { codeWith, crcOf, field, KEY } from '../support/br-code.ts';

const ASKED = { txid: 'P0123', key: KEY, amount: '10', currency: 'BRL' };

const check = (code: string, asked: Partial<AskedPix> = {}) => checkPixCode({ ...ASKED, ...asked, code });

const problemsOf = (code: string, asked: Partial<AskedPix> = {}): string => {
  const checked = check(code, asked);
  return 'problems' in checked ? checked.problems.map(({ message }) => message).join('; ') : '';
};

const PIX = field('00', 'br.gov.bcb.pix');

const OURS = { amount: '10.00', name: 'BURSAR SANDBOX', city: 'SAO PAULO' };

describe('a valid Pix code', () => {
  it('is made by test helpers whose checksum is the standard CRC', () => {
    expect(crcOf('123456789')).toBe('29B1');
  });

  it('is read as its amount, name and city', () => {
    expect(check(codeWith())).toEqual(OURS);
  });

  it('is what the sandbox makes, by code that is independent of the check', () => {
    const code = brCode({ key: KEY, amount: '10.00', name: OURS.name, city: OURS.city, txid: 'P0123' });
    expect(check(code)).toEqual(OURS);
  });

  it('can come from the manual of the central bank: only amount and id differ from the charge', () => {
    const code =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
    expect(problemsOf(code, { key: '123e4567-e12b-12d1-a456-426655440000' })).toBe(
      'the Pix code leaves the amount to the payer; the Pix code is of ***, not of P0123',
    );
  });

  it.each([
    ['lower-case letters in the checksum', (code: string) => code.slice(0, -4) + code.slice(-4).toLowerCase()],
    ['accented letters in the name', () => codeWith({ '59': 'PADARIA SÃO JOSÉ' })],
    ['an unknown field', () => codeWith({ '80': field('00', 'com.example') })],
  ])('may have %s', (_, change) => {
    expect(problemsOf(change(codeWith()))).toBe('');
  });

  it('may leave amount and id to the address of a dynamic code', () => {
    const account = field('00', 'BR.GOV.BCB.PIX') + field('25', 'pix.example.com/qr/v2/abc');
    expect(check(codeWith({ '26': account, '54': undefined, '62': field('05', '***') }))).toMatchObject({
      amount: null,
    });
  });

  it.each([
    ['10', '10.00'],
    ['10.0', '10'],
    ['10.001', '10.01'],
    ['10.009', '10.00'],
  ])('for a payment of %s can ask for %s', (amount, found) => {
    expect(problemsOf(codeWith({ '54': found }), { amount })).toBe('');
  });

  it('is not compared by amount when the payment has another currency', () => {
    expect(problemsOf(codeWith({ '54': '53.10' }), { currency: 'USD' })).toBe('');
  });
});

describe('a Pix code that differs from the charge', () => {
  it('is refused without its key in the message: the journal stores messages, and a key may be a CPF', () => {
    const message = problemsOf(codeWith({ '26': PIX + field('01', '52998224725') }));
    expect(message).not.toContain('52998224725');
    expect(message).not.toContain(KEY);
  });

  it('is refused when any one of its characters is changed', () => {
    const code = codeWith();
    expect(problemsOf(`${code.slice(0, -4)}0000`)).toContain('has the check sum 0000');
    for (let at = 0; at < code.length; at += 1) {
      const other = code[at] === '0' ? '1' : '0';
      expect(problemsOf(code.slice(0, at) + other + code.slice(at + 1)), `at ${at}`).not.toBe('');
    }
  });

  it.each([
    ['another amount', { '54': '10.01' }, 'asks for 10.01 BRL, and the payment is of 10 BRL'],
    ['a hundred times the amount', { '54': '1000' }, 'asks for 1000 BRL'],
    ['no amount', { '54': undefined }, 'leaves the amount to the payer'],
    ['the amount zero', { '54': '0.00' }, 'asks for nothing'],
    ['an amount in words', { '54': '1e1' }, 'which is no amount'],
    ['three decimals', { '54': '10.000' }, 'which is no amount'],
    ['another id', { '62': field('05', 'P9999') }, 'is of P9999, not of P0123'],
    ['no id', { '62': undefined }, 'is of no charge'],
    [
      'another key',
      { '26': field('00', 'br.gov.bcb.pix') + field('01', 'thief@example.com') },
      'pays another key than',
    ],
    ['no receiver', { '26': field('00', 'br.gov.bcb.pix') }, 'names no receiver'],
    ['another scheme', { '26': field('00', 'com.example') + field('01', KEY) }, 'not one of Pix'],
    ['a key and an address', { '26': PIX + field('01', KEY) + field('25', 'thief.example/qr') }, 'both a key and an'],
    ['two accounts', { '27': PIX + field('01', 'thief@example.com') }, 'more than one account'],
    ['an address beside the key', { '27': PIX + field('25', 'thief.example/qr') }, 'more than one account'],
    ['a recurring payment in field 80', { '80': PIX + field('25', 'thief.example/rec') }, 'more than one account'],
    ['an unreadable second account', { '27': `${PIX}0199x` }, 'more than one account'],
    ['the currency USD', { '53': '840' }, 'is in currency 840'],
    ['another country', { '58': 'US' }, 'is of country US'],
  ])('with %s is refused', (_, changes, message) => {
    expect(problemsOf(codeWith(changes))).toContain(message);
  });

  it.each([
    ['an escape sequence', 'EVIL\u001b[2J'],
    ['a carriage return', 'EVIL\rGOOD'],
    ['a line end', 'EVIL\nGOOD'],
    ['right-to-left text', 'EVIL\u202eDOOG'],
    ['an invisible character', 'EVIL\u200b'],
  ])('with %s in the name is refused, and the message does not repeat the name', (_, name) => {
    const message = problemsOf(codeWith({ '59': name }));
    expect(message).toContain('holds a character that no code has');
    expect(message).not.toContain(name);
  });

  it.each([
    ['empty', ''],
    ['plain text', 'hello'],
    ['cut inside a field', '000201260'],
    ['longer than its checksum allows', `${codeWith()}5901X`],
    ['a code with repeated fields', `00020154041.00540510.00${codeWith()}`],
    ['very long', `0002${'9'.repeat(600)}`],
  ])('that is %s is refused', (_, code) => {
    expect(problemsOf(code)).not.toBe('');
  });
});
