import { describe, expect, it } from 'vitest';
import { parseCryptoTx } from '../../../src/chain/evm/parse.ts';
import { parseJson } from '../../../src/core/json.ts';
import { ANNA, cryptoTxJson, failureOf, given, PAYER } from './given.ts';

const refusal = (request: Parameters<typeof given>[0], top: Parameters<typeof given>[1] = {}) =>
  failureOf(() => given(request, top));

describe('a crypto_tx of the document', () => {
  it('is read digit for digit', () => {
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

  it('is read without meta, as unsigned_tx comes', () => {
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
  ])('pays exactly the value %s', (json, value) => {
    expect(given({ value: json }).value).toBe(value);
  });

  it('takes addresses in lower case and gives them their checksum', () => {
    const from = `"${PAYER.toLowerCase()}"`;
    expect(given({ from }).from).toBe(PAYER);
  });
});

describe('a value that is no amount of wei is refused, never rounded', () => {
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
  ])('%s', (value, why) => {
    const { code, message, details } = refusal({ value });
    expect(code).toBe('refused_by_review');
    expect(message).toContain(why);
    expect(details.errors).toEqual([{ field: 'transactionRequest.value', message: expect.any(String) }]);
  });

  it('given twice with different numbers', () => {
    const json = cryptoTxJson().replace('"value":', '"value":1,"value":');
    expect(failureOf(() => parseJson(json)).code).toBe('invalid_input');
  });
});

describe('a transaction that could do harm by its form is refused', () => {
  const field = (name: string) => `transactionRequest.${name}`;

  it.each<[string, Record<string, string | undefined>, string, string]>([
    ['no `to`: contract creation', { to: undefined }, 'to', 'create a contract'],
    ['`to` null', { to: 'null' }, 'to', 'EVM address'],
    ['`to` empty', { to: '""' }, 'to', 'EVM address'],
    ['the zero address', { to: `"0x${'0'.repeat(40)}"` }, 'to', 'zero address'],
    ['the own address', { to: `"${PAYER}"` }, 'to', 'is the address of the payer'],
    ['the own address in lower case', { to: `"${PAYER.toLowerCase()}"` }, 'to', 'is the address of the payer'],
    ['a wrong checksum', { to: `"${PAYER.replace('9d8A', '9D8A')}"` }, 'to', 'checksum'],
    ['all upper case', { to: `"0x${PAYER.slice(2).toUpperCase()}"` }, 'to', 'checksum'],
    ['a short address', { to: `"${ANNA.slice(0, -1)}"` }, 'to', 'EVM address'],
    ['an address without 0x', { to: `"${ANNA.slice(2)}"` }, 'to', 'EVM address'],
    ['a name for an address', { to: '"anna.eth"' }, 'to', 'EVM address'],
    ['no `from`', { from: undefined }, 'from', 'missing'],
    ['chain 0: replayable', { chainId: '0' }, 'chainId', 'names no chain'],
    ['no chain: replayable', { chainId: undefined }, 'chainId', 'missing'],
    ['a chain id beyond all numbers', { chainId: '9007199254740992' }, 'chainId', 'too large'],
    ['no gas limit', { gasLimit: undefined }, 'gasLimit', 'missing'],
    ['a gas limit in hex', { gasLimit: '"0x5208"' }, 'gasLimit', 'decimal digits'],
    ['no fee', { maxFeePerGas: undefined }, 'maxFeePerGas', 'missing'],
    ['a tip above the whole fee', { maxPriorityFeePerGas: '"30000000001"' }, 'maxPriorityFeePerGas', 'above'],
    ['no nonce', { nonce: undefined }, 'nonce', 'missing'],
    ['a negative nonce', { nonce: '-1' }, 'nonce', 'negative'],
    ['no data', { data: undefined }, 'data', 'missing'],
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
  ])('%s', (_, request, name, why) => {
    const { code, message, details } = refusal(request);
    expect(code).toBe('refused_by_review');
    expect(message).toContain(why);
    expect(details.errors?.map((error) => error.field)).toEqual([field(name)]);
  });

  it('names every wrong field at once', () => {
    const { details } = refusal({ to: undefined, value: '0.1', chainId: '0' }, { schema_version: '2' });
    expect(details.errors?.map((error) => error.field)).toEqual([
      'schema_version',
      'transactionRequest.to',
      'transactionRequest.value',
      'transactionRequest.chainId',
    ]);
  });
});

describe('an object that is not of this form is refused', () => {
  it.each<[string, string, string]>([
    ['another family', cryptoTxJson({}, { family: '"solana"' }), 'has the family "solana"'],
    ['no family', cryptoTxJson({}, { family: undefined }), 'has the family none'],
    ['another version', cryptoTxJson({}, { schema_version: '2' }), 'schema_version must be 1'],
    ['the version as 1.5', cryptoTxJson({}, { schema_version: '1.5' }), 'schema_version must be a whole'],
    ['no version', cryptoTxJson({}, { schema_version: undefined }), 'schema_version must be'],
    ['no chain name', cryptoTxJson({}, { chain_name: undefined }), 'chain_name must be'],
    ['a chain name that acts on a terminal', cryptoTxJson({}, { chain_name: '"poly\\u001b[2Jgon"' }), 'chain_name'],
    ['an unknown key beside them', cryptoTxJson({}, { signed: 'true' }), 'signed is not a field'],
    ['no request', cryptoTxJson({}, { transactionRequest: undefined }), 'transactionRequest must be an object'],
    ['a list for a request', cryptoTxJson({}, { transactionRequest: '[]' }), 'transactionRequest must be an object'],
    ['the message that stands for a payment without crypto', '"only for crypto payments"', 'must be an object'],
    ['null', 'null', 'must be an object'],
    ['a list', '[]', 'must be an object'],
  ])('%s', (_, json, why) => {
    const { code, message, details } = failureOf(() => parseCryptoTx(parseJson(json)));
    expect(code).toBe('refused_by_review');
    expect(message).toContain(why);
    expect(details.data).toEqual(parseJson(json));
  });

  it('shows no acting character of an unknown key or family', () => {
    const key = cryptoTxJson().replace('"from"', '"a\\u001b[2Jb":1,"from"');
    expect(failureOf(() => parseCryptoTx(parseJson(key))).message).not.toContain('\u001b');
    expect(refusal({}, { family: '"\\u202eevm"' }).message).not.toContain('\u202e');
  });
});
