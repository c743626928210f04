import { describe, expect, it } from 'vitest';
import { parseCryptoTx } from '../../../src/chain/evm/parse.ts';
import { parseJson } from '../../../src/core/json.ts';
import { ANNA, cryptoTxJson, failureOf, given, PAYER } from './given.ts';

const refusalOf = (request: Parameters<typeof given>[0], top: Parameters<typeof given>[1] = {}) =>
  failureOf(() => given(request, top));

describe('parsing a crypto_tx as documented', () => {
  it('keeps every digit of its numbers', () => {
    expect(given()).toEqual({
      chainName: 'polygon',
      from: PAYER,
      to: ANNA,
      data: '0x',
      value: 1000000000000000001n,
      chainId: 1000137,
      gasLimit: 21000n,
      maxPriorityFeePerGas: 1000000000n,
      maxFeePerGas: 30000000000n,
      nonce: 7,
    });
  });

  it('accepts a crypto_tx without meta, as in unsigned_tx', () => {
    expect(given({}, { meta: undefined }).nonce).toBe(7);
  });

  it.each([
    ['1000000000000000001', 1000000000000000001n],
    ['1e18', 10n ** 18n],
    ['1E+18', 10n ** 18n],
    ['1e21', 10n ** 21n],
    ['1e+21', 10n ** 21n],
    ['1.5e18', 1500000000000000000n],
    ['10000000000000000.0', 10n ** 16n],
    ['1000e-3', 1n],
    ['0', 0n],
    ['0.0', 0n],
    ['9007199254740993', 9007199254740993n],
    ['"1000000000000000001"', 1000000000000000001n],
    [String(2n ** 256n - 1n), 2n ** 256n - 1n],
  ])('reads the value %s as exactly %s', (json, value) => {
    expect(given({ value: json }).value).toBe(value);
  });

  it('accepts addresses in lower case and returns them with their checksum', () => {
    const from = `"${PAYER.toLowerCase()}"`;
    expect(given({ from }).from).toBe(PAYER);
  });
});

describe('parsing a crypto_tx with an invalid value', () => {
  it.each([
    ['0.1', 'whole'],
    ['1e-1', 'whole'],
    ['1000000000000000000.5', 'whole'],
    ['-1', 'negative'],
    ['-0', 'negative'],
    ['1e79', 'larger'],
    ['1e999', 'larger'],
    ['1e99999', 'not a number'],
    [String(2n ** 256n), 'larger'],
    ['"0.1"', 'decimal digits'],
    ['"-1"', 'decimal digits'],
    ['"1e18"', 'decimal digits'],
    ['"0x10"', 'decimal digits'],
    ['"007"', 'decimal digits'],
    ['" 7"', 'decimal digits'],
    ['""', 'decimal digits'],
    ['null', 'decimal digits'],
    ['true', 'decimal digits'],
    ['[1]', 'decimal digits'],
    ['{}', 'decimal digits'],
  ])('refuses %s without rounding', (value, reason) => {
    const { code, message, details } = refusalOf({ value });
    expect(code).toBe('refused_by_review');
    expect(message).toContain(reason);
    expect(details.errors).toEqual([{ field: 'transactionRequest.value', message: expect.any(String) }]);
  });

  it('rejects a duplicate value with another number', () => {
    const json = cryptoTxJson().replace('"value":', '"value":1,"value":');
    expect(failureOf(() => parseJson(json)).code).toBe('invalid_input');
  });
});

describe('parsing a crypto_tx with an invalid field refuses', () => {
  const field = (name: string) => `transactionRequest.${name}`;

  it.each<[string, Record<string, string | undefined>, string, string]>([
    ['a missing `to`, which creates a contract', { to: undefined }, 'to', 'create a contract'],
    ['a null `to`', { to: 'null' }, 'to', 'EVM address'],
    ['an empty `to`', { to: '""' }, 'to', 'EVM address'],
    ['the zero address', { to: `"0x${'0'.repeat(40)}"` }, 'to', 'zero address'],
    ['the address of the payer', { to: `"${PAYER}"` }, 'to', 'is the address of the payer'],
    ['the address of the payer in lower case', { to: `"${PAYER.toLowerCase()}"` }, 'to', 'is the address of the payer'],
    ['a wrong checksum', { to: `"${PAYER.replace('9d8A', '9D8A')}"` }, 'to', 'checksum'],
    ['an address in upper case', { to: `"0x${PAYER.slice(2).toUpperCase()}"` }, 'to', 'checksum'],
    ['a short address', { to: `"${ANNA.slice(0, -1)}"` }, 'to', 'EVM address'],
    ['an address without 0x', { to: `"${ANNA.slice(2)}"` }, 'to', 'EVM address'],
    ['an ENS name as an address', { to: '"anna.eth"' }, 'to', 'EVM address'],
    ['a missing `from`', { from: undefined }, 'from', 'missing'],
    ['chain 0, which allows a replay', { chainId: '0' }, 'chainId', 'names no chain'],
    ['a missing chain, which allows a replay', { chainId: undefined }, 'chainId', 'missing'],
    ['a chain id that is too large', { chainId: '9007199254740992' }, 'chainId', 'too large'],
    ['a missing gas limit', { gasLimit: undefined }, 'gasLimit', 'missing'],
    ['a gas limit in hex', { gasLimit: '"0x5208"' }, 'gasLimit', 'decimal digits'],
    ['a missing fee', { maxFeePerGas: undefined }, 'maxFeePerGas', 'missing'],
    ['a tip above the maximum fee', { maxPriorityFeePerGas: '"30000000001"' }, 'maxPriorityFeePerGas', 'above'],
    ['a missing nonce', { nonce: undefined }, 'nonce', 'missing'],
    ['a negative nonce', { nonce: '-1' }, 'nonce', 'negative'],
    ['missing data', { data: undefined }, 'data', 'missing'],
    ['half a byte of data', { data: '"0x123"' }, 'data', 'whole bytes'],
    ['data without 0x', { data: '"1234"' }, 'data', 'whole bytes'],
    ['data that is not hex', { data: '"0xzz"' }, 'data', 'whole bytes'],
    ['data longer than a transaction', { data: `"0x${'00'.repeat(131073)}"` }, 'data', 'longer'],
    ['a type', { type: '2' }, 'type', 'EIP-1559'],
    ['an access list', { accessList: '[]' }, 'accessList', 'EIP-2930'],
    ['an EIP-7702 authorization', { authorizationList: '[]' }, 'authorizationList', 'EIP-7702'],
    ['blobs', { blobs: '[]' }, 'blobs', 'EIP-4844'],
    ['blob hashes', { blobVersionedHashes: '[]' }, 'blobVersionedHashes', 'EIP-4844'],
    ['a blob fee', { maxFeePerBlobGas: '1' }, 'maxFeePerBlobGas', 'EIP-4844'],
    ['a gas price', { gasPrice: '1' }, 'gasPrice', 'legacy'],
    ['an unknown key', { customData: '1' }, 'customData', 'not a field'],
    ['a key named __proto__', { ['__proto__']: '{}' }, '__proto__', 'not a field'],
    ['a key named toString', { toString: '1' }, 'toString', 'not a field'],
  ])('%s', (_, request, name, reason) => {
    const { code, message, details } = refusalOf(request);
    expect(code).toBe('refused_by_review');
    expect(message).toContain(reason);
    expect(details.errors?.map((error) => error.field)).toEqual([field(name)]);
  });

  it('several invalid fields and names each of them', () => {
    const { details } = refusalOf({ to: undefined, value: '0.1', chainId: '0' }, { schema_version: '2' });
    expect(details.errors?.map((error) => error.field)).toEqual([
      'schema_version',
      'transactionRequest.to',
      'transactionRequest.value',
      'transactionRequest.chainId',
    ]);
  });
});

describe('parsing another object refuses', () => {
  it.each<[string, string, string]>([
    ['another family', cryptoTxJson({}, { family: '"solana"' }), 'has the family "solana"'],
    ['a missing family', cryptoTxJson({}, { family: undefined }), 'has the family none'],
    ['another version', cryptoTxJson({}, { schema_version: '2' }), 'schema_version must be 1'],
    ['the version as 1.5', cryptoTxJson({}, { schema_version: '1.5' }), 'schema_version must be a whole'],
    ['a missing version', cryptoTxJson({}, { schema_version: undefined }), 'schema_version must be'],
    ['a missing chain name', cryptoTxJson({}, { chain_name: undefined }), 'chain_name must be'],
    ['a chain name with an escape sequence', cryptoTxJson({}, { chain_name: '"poly\\u001b[2Jgon"' }), 'chain_name'],
    ['an unknown key', cryptoTxJson({}, { signed: 'true' }), 'signed is not a field'],
    ['a missing request', cryptoTxJson({}, { transactionRequest: undefined }), 'transactionRequest must be an object'],
    ['a list as the request', cryptoTxJson({}, { transactionRequest: '[]' }), 'transactionRequest must be an object'],
    ['the message of a payment without crypto', '"only for crypto payments"', 'must be an object'],
    ['null', 'null', 'must be an object'],
    ['a list', '[]', 'must be an object'],
  ])('%s', (_, json, reason) => {
    const { code, message, details } = failureOf(() => parseCryptoTx(parseJson(json)));
    expect(code).toBe('refused_by_review');
    expect(message).toContain(reason);
    expect(details.data).toEqual(parseJson(json));
  });

  it('an unknown key or family without printing control characters', () => {
    const key = cryptoTxJson().replace('"from"', '"a\\u001b[2Jb":1,"from"');
    expect(failureOf(() => parseCryptoTx(parseJson(key))).message).not.toContain('\u001b');
    expect(refusalOf({}, { family: '"\\u202eevm"' }).message).not.toContain('\u202e');
  });
});
