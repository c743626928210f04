import { describe, expect, it } from 'vitest';
import { call } from '../../src/client/call.ts';
import type { Endpoint } from '../../src/contract/define.ts';
import { prepareWallet } from '../../src/contract/kyc/prepare-wallet.ts';
import { status as kycStatus } from '../../src/contract/kyc/status.ts';
import { verifyOtp } from '../../src/contract/kyc/verify-otp.ts';
import { execute } from '../../src/contract/pay/execute.ts';
import { transaction } from '../../src/contract/pay/transaction.ts';
import { broadcast } from '../../src/contract/yield/broadcast.ts';
import type { Failure } from '../../src/core/failure.ts';
import { isTaxId, redact, redactionOf } from '../../src/core/secret.ts';
import { growth } from '../support/growth.ts';
import { envelope, startServer } from '../support/server.ts';
import { KEY, patientClient } from './client.ts';

/** A pseudo-random generator with a seed (mulberry32), so that each run draws the same values. */
const randomFrom = (seed: number) => {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

type Random = ReturnType<typeof randomFrom>;

const ODD = 'abcXYZ0123456789 "\\/%&=+?#<>é漢.-_~';
const text = (next: Random, length: number, from = ODD) =>
  Array.from({ length }, () => from[next(from.length)]).join('');
const hex = (next: Random, bytes: number) => text(next, bytes * 2, '0123456789abcdef');

/** Makes a request of each kind with random secrets in it. */
const CASES: Readonly<Record<string, (next: Random) => { endpoint: Endpoint; input: object; secrets: string[] }>> = {
  card: (next) => {
    const [number, holder, token] = [
      `4${text(next, 15, '0123456789')}`,
      `Ana ${text(next, 8, 'abcdefg')}`,
      text(next, 20),
    ];
    const cpf = text(next, 11, '0123456789');
    const address = {
      country: 'BR',
      state: 'SP',
      city: 'x',
      neighborhood: 'x',
      street: `Rua ${text(next, 9)}`,
      street_number: '1',
      zipcode: '0',
    };
    const isToken = next(2) === 0;
    const card = isToken ? { card_token: token } : { card: { number, holder, cvv: 987, nested: [{ deep: token }] } };
    const session = text(next, 12, 'abcdef0123456789');
    return {
      endpoint: transaction,
      input: {
        payment_id: 'pay_1',
        transaction_type: 'cardfiat',
        payer_email: 'ana.payer@example.com',
        payer_name: holder,
        payer_document: cpf,
        payer_document_type: 'CPF',
        payer_ip: '203.0.113.77',
        session_id: session,
        card_data: { installments: 1, statement_descriptor: 'S', ...card, address },
      },
      secrets: [
        ...(isToken ? [] : [number]),
        token,
        holder,
        cpf,
        address.street,
        session,
        'ana.payer@example.com',
        '203.0.113.77',
      ],
    };
  },
  otp: (next) => {
    const [email, code] = [`p${next(9999)}@mail.example`, text(next, 4 + next(4), '123456789')];
    return { endpoint: verifyOtp, input: { email, code }, secrets: [email, code] };
  },
  execute: (next) => {
    const signed = `0x02${hex(next, 20 + next(100))}`;
    return {
      endpoint: execute,
      input: { executor_id: 'api_transaction', payment_id: 'pay_1', signed_transaction: signed },
      secrets: [signed],
    };
  },
  broadcast: (next) => {
    const signed = Buffer.from(text(next, 120)).toString('base64');
    return { endpoint: broadcast, input: { chain_name: 'solana', op_signed: [signed] }, secrets: [signed] };
  },
  wallet: (next) => {
    const signature = `0x${hex(next, 65)}`;
    const input = { wallet: '0x1111111111111111111111111111111111111111', message: 'Sign', signed_bytes: signature };
    return { endpoint: prepareWallet, input, secrets: [signature] };
  },
  kyc: (next) => {
    const email = `who+${next(9999)}@mail.example`;
    return { endpoint: kycStatus, input: { email }, secrets: [email] };
  },
};

/** The encodings in which a service may return a secret. */
const encodingsOf = (secret: string): Readonly<Record<string, string>> => ({
  plain: `it is ${secret}, really`,
  upper: secret.toUpperCase(),
  url: `https://x.example/cb?a=${encodeURIComponent(secret)}`,
  form: new URLSearchParams({ a: secret }).toString(),
  json: JSON.stringify({ a: secret }),
  twice: JSON.stringify(JSON.stringify({ a: secret })),
  base64: Buffer.from(secret).toString('base64'),
  base64url: Buffer.from(secret).toString('base64url'),
  hex: Buffer.from(secret).toString('hex'),
});

/** The texts that must not be printed, because they reveal the secret. */
const revealingTexts = (secret: string): readonly string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
];

describe.each(Object.keys(CASES))('--debug of a request with secrets: %s', (name) => {
  it.each([400, 201, 500])('prints no secret that the response with HTTP %i returns in any encoding', async (http) => {
    for (let seed = 1; seed <= 25; seed += 1) {
      const { endpoint, input, secrets } = CASES[name]?.(randomFrom(seed * 7919 + http)) ?? {
        endpoint: execute,
        input: {},
        secrets: [],
      };
      const all = [...secrets, KEY];
      const data = Object.fromEntries(
        all.flatMap((one, at) =>
          Object.entries(encodingsOf(one)).map(([encoding, encoded]) => [`${encoding}${at}`, encoded]),
        ),
      );
      const message = all.map((one) => encodingsOf(one)['plain']).join(' ');
      const errors = all.map((one) => ({ field: 'x', message: one }));
      const { url } = await startServer(envelope(http, 'some_status', { data, message, errors }));
      const { withTrace, traced } = await patientClient(url);
      const failure = await call(withTrace, endpoint, { ...input }).then(
        () => undefined,
        (error: Failure) => error,
      );
      const output = [
        ...traced,
        failure?.message,
        JSON.stringify(failure?.details.errors),
        JSON.stringify(failure?.details.data),
      ]
        .join('\n')
        .toLowerCase();
      expect(output).toContain('http');
      for (const one of all) {
        for (const revealing of revealingTexts(one)) {
          if (revealing.length > 3) expect(output, `seed ${seed}: ${one}`).not.toContain(revealing.toLowerCase());
        }
      }
    }
  });
});

describe('without --debug', () => {
  it('an error masks the API key and the OTP code, and shows the email address of the payer', async () => {
    const input = { email: 'payer@example.com', code: '482915' };
    const { url } = await startServer(
      envelope(400, 'otp_invalid', {
        message: `482915 of payer@example.com with ${KEY}`,
        errors: [{ field: 'code', message: `${KEY}!` }],
      }),
    );
    const { client } = await patientClient(url);
    const failure: Failure = await call(client, verifyOtp, input).catch((error) => error);
    expect(failure.message).toBe('******** of payer@example.com with ********');
    expect(failure.details.errors).toEqual([{ field: 'code', message: '********!' }]);
  });
});

describe('masking by form, without known secrets', () => {
  const mask = redactionOf([]);

  it.each([
    'mail ana@example.com now',
    'ana%40example.com',
    '(ana@example.com)',
    '$[?(@.email == "ana_@example.com")]',
    'CPF 529.982.247-25',
    'CPF 52998224725',
    'CNPJ 11.222.333/0001-81',
    'CNPJ 11222333000181',
    'CNPJ 12ABC34501DE35',
    'card 4111111111111111',
    'card 4111 1111 1111 1111',
    'https://kyc.example/s?session_token=abc123',
    'https://pay.example/#access_token=abc123',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    `0x02${'ab'.repeat(80)}`,
  ])('masks %s', (text) => {
    expect(mask(text)).toContain('********');
  });

  it.each([
    '0x1111111111111111111111111111111111111111',
    `0x${'ab'.repeat(32)}`,
    'cmb1x2y3z0000abcd1234efgh',
    '52998224726',
    '11222333000182',
    '4111111111111112',
    '1000000000000000000',
    'https://x.example/list?page=2&limit=20',
    '$[?@.a == 1]',
    '$[?(@.a == 1 && !@.b)]',
    '$.x[?length(@.a) > 2||@.b]',
    '$[@.a,@.b]',
  ])('does not mask %s', (text) => {
    expect(mask(text)).toBe(text);
  });

  it.each(['', 'İ'])('masks a long secret in upper case and in every encoding, after the prefix %j', (prefix) => {
    const secret = `Sg${'aB9+'.repeat(60)}`;
    const hide = redactionOf([secret, 'short-secret']);
    const base64 = Buffer.from(secret).toString('base64url');
    for (const one of [secret, secret.toUpperCase(), encodeURIComponent(secret), base64]) {
      const output = hide(`${prefix}a ${one} b ${one} short-secret`);
      expect([one, output]).toEqual([one, `${prefix}a ******** b ******** ********`]);
    }
    expect(hide(`${prefix}${secret.slice(1)}`)).toContain(secret.slice(1));
  });

  it.each(['a', '1', '@', '=', 'token=', 'eyJ', '%40', '?key', '4111 '])(
    'masks a long text of %j in a time that grows with its length alone',
    (part) => {
      expect(growth(15_000, (size) => void mask(part.repeat(size)))).toBeLessThan(9);
    },
  );

  it('recognises tax numbers by their check digits', () => {
    expect(['52998224725', '11222333000181', '12ABC34501DE35'].map(isTaxId)).toEqual([true, true, true]);
    expect(['52998224724', '12ABC34501DE36', '1', '', 'ABC'].some(isTaxId)).toBe(false);
  });
});

describe('redact, which masks the fields of a response', () => {
  const CALLDATA = `0xa9059cbb${'0'.repeat(24)}${'12'.repeat(20)}${'0'.repeat(56)}00989680`;

  it('does not mask HTTP statuses, even if equal to a secret, or the calldata of an unsigned transaction', () => {
    const response = { statusCode: 200, data_error: { code: 500 }, unsigned_tx: { data: CALLDATA } };
    expect(redact(response, redactionOf(['200', '500']))).toEqual(response);
  });

  it('masks access codes, signatures and signed bytes', () => {
    const signed = [`0x02f8${'ab'.repeat(66)}`, `0xf86c${'cd'.repeat(100)}`, `0x${'12'.repeat(65)}`];
    const response = { code: '123', otp: 123, numeric: { code: 123456 }, texts: signed };
    const output = JSON.stringify(redact(response, redactionOf([])));
    expect(output).not.toMatch(/123|abab|cdcd|1212/);
  });
});
