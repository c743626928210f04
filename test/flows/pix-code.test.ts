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

describe('a Pix code that a payer may copy', () => {
  it('the check sum of this test is the standard one', () => {
    expect(crcOf('123456789')).toBe('29B1');
  });

  it('says whom it pays and how much', () => {
    expect(check(codeWith())).toEqual(OURS);
  });

  it('is what the sandbox makes, by code that shares nothing with the check', () => {
    const code = brCode({ key: KEY, amount: '10.00', name: OURS.name, city: OURS.city, txid: 'P0123' });
    expect(check(code)).toEqual(OURS);
  });

  it('is one of the manual of the central bank, with a check sum that others computed', () => {
    const code =
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';
    expect(problemsOf(code, { key: '123e4567-e12b-12d1-a456-426655440000' })).toBe(
      'the Pix code leaves the amount to the payer; the Pix code is of ***, not of P0123',
    );
  });

  it.each([
    ['small letters in the check sum', (code: string) => code.slice(0, -4) + code.slice(-4).toLowerCase()],
    ['letters with accents in the name', () => codeWith({ '59': 'PADARIA SÃO JOSÉ' })],
    ['a field that is not known', () => codeWith({ '80': field('00', 'com.example') })],
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
  ])('a payment of %s is one of %s', (amount, found) => {
    expect(problemsOf(codeWith({ '54': found }), { amount })).toBe('');
  });

  it('of a payment in another currency is not compared by its amount', () => {
    expect(problemsOf(codeWith({ '54': '53.10' }), { currency: 'USD' })).toBe('');
  });
});

describe('a Pix code that would pay something else', () => {
  it('does not put a key into the refusal, which the journal keeps: it may be a CPF or a phone', () => {
    const says = problemsOf(codeWith({ '26': PIX + field('01', '52998224725') }));
    expect(says).not.toContain('52998224725');
    expect(says).not.toContain(KEY);
  });

  it('of a wrong check sum is refused, whichever character was changed', () => {
    const code = codeWith();
    expect(problemsOf(`${code.slice(0, -4)}0000`)).toContain('has the check sum 0000');
    for (let at = 0; at < code.length; at += 1) {
      const other = code[at] === '0' ? '1' : '0';
      expect(problemsOf(code.slice(0, at) + other + code.slice(at + 1)), `at ${at}`).not.toBe('');
    }
  });

  it.each([
    ['another amount', { '54': '10.01' }, 'asks for 10.01 BRL, and the payment is of 10 BRL'],
    ['a hundredfold', { '54': '1000' }, 'asks for 1000 BRL'],
    ['no amount', { '54': undefined }, 'leaves the amount to the payer'],
    ['nothing', { '54': '0.00' }, 'asks for nothing'],
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
    ['an address beside its key', { '27': PIX + field('25', 'thief.example/qr') }, 'more than one account'],
    ['a standing order beside it', { '80': PIX + field('25', 'thief.example/rec') }, 'more than one account'],
    ['a second account that is not readable', { '27': `${PIX}0199x` }, 'more than one account'],
    ['dollars', { '53': '840' }, 'is in currency 840'],
    ['another country', { '58': 'US' }, 'is of country US'],
  ])('with %s is refused', (_, changes, says) => {
    expect(problemsOf(codeWith(changes))).toContain(says);
  });

  it.each([
    ['an escape sequence', 'EVIL\u001b[2J'],
    ['a carriage return', 'EVIL\rGOOD'],
    ['a line end', 'EVIL\nGOOD'],
    ['text from right to left', 'EVIL\u202eDOOG'],
    ['characters that nobody sees', 'EVIL\u200b'],
  ])('with %s in the name is refused, and the refusal does not repeat it', (_, name) => {
    const says = problemsOf(codeWith({ '59': name }));
    expect(says).toContain('holds a character that no code has');
    expect(says).not.toContain(name);
  });

  it.each([
    ['nothing', ''],
    ['a text', 'hello'],
    ['fields that end too soon', '000201260'],
    ['more behind its check sum', `${codeWith()}5901X`],
    ['a field twice', `00020154041.00540510.00${codeWith()}`],
    ['a very long text', `0002${'9'.repeat(600)}`],
  ])('that is %s is refused', (_, code) => {
    expect(problemsOf(code)).not.toBe('');
  });
});
