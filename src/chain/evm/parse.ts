import { escapeText } from '../../core/escape.ts';
import { Failure, type FieldError, messageOf } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import { inSentence } from '../../core/remote-text.ts';
import { wrong } from '../wrong.ts';
import { READERS } from './readers.ts';
import type { UnsignedEvm } from './transaction.ts';
import { readWhole } from './whole-number.ts';

type Fields = Readonly<Record<string, unknown>>;

const TOP_LEVEL = ['schema_version', 'family', 'chain_name', 'transactionRequest', 'meta'];

/** Keys that signing libraries act on, though the document has none of them. */
const EXTRAS: Readonly<Record<string, string>> = {
  type: 'only EIP-1559 transactions are signed, and the document gives no type',
  accessList: 'access lists (EIP-2930) are not signed',
  authorizationList: 'an authorization (EIP-7702) would hand over the whole account',
  blobs: 'blob transactions (EIP-4844) are not signed',
  blobVersionedHashes: 'blob transactions (EIP-4844) are not signed',
  maxFeePerBlobGas: 'blob transactions (EIP-4844) are not signed',
  gasPrice: 'legacy gas prices are not signed',
};

const unknownKeys = (object: Fields, known: readonly string[], path: string): readonly FieldError[] =>
  Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const why = Object.hasOwn(EXTRAS, key) ? EXTRAS[key] : undefined;
      const name = escapeText(key.slice(0, 60));
      return {
        field: `${path}${name}`,
        message: why ?? 'is not a field of the document: it is not known what it does',
      };
    });

const problemOf = (field: string, read: () => unknown): readonly FieldError[] => {
  try {
    read();
    return [];
  } catch (error) {
    return [{ field, message: messageOf(error) }];
  }
};

const missing = (key: string): never => wrong(key === 'to' ? 'is missing: that would create a contract' : 'is missing');

const requestProblems = (request: Fields): readonly FieldError[] => [
  ...unknownKeys(request, Object.keys(READERS), 'transactionRequest.'),
  ...Object.entries(READERS).flatMap(([key, read]) =>
    problemOf(`transactionRequest.${key}`, () => (Object.hasOwn(request, key) ? read(request[key]) : missing(key))),
  ),
];

const readName = (value: unknown): string =>
  typeof value === 'string' && /^[\w .-]{1,64}$/.test(value) ? value : wrong('must be the name of a chain');

const requireVersion1 = (value: unknown): void => {
  if (readWhole(value) !== 1n) wrong('must be 1: bursar knows no other form of this object');
};

const build = (chainName: string, request: Fields): UnsignedEvm =>
  Object.freeze({
    chainName,
    from: READERS.from(request['from']),
    to: READERS.to(request['to']),
    data: READERS.data(request['data']),
    value: READERS.value(request['value']),
    chainId: READERS.chainId(request['chainId']),
    gasLimit: READERS.gasLimit(request['gasLimit']),
    maxPriorityFeePerGas: READERS.maxPriorityFeePerGas(request['maxPriorityFeePerGas']),
    maxFeePerGas: READERS.maxFeePerGas(request['maxFeePerGas']),
    nonce: READERS.nonce(request['nonce']),
  });

const refuse = (message: string, data: unknown, errors?: readonly FieldError[]): never => {
  throw new Failure('refused_by_review', message, { data, errors });
};

const refuseFields = (cryptoTx: Fields, errors: readonly FieldError[]): never => {
  const list = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
  return refuse(`the transaction cannot be signed: ${list}`, cryptoTx, errors);
};

/** What is wrong between fields that are each well formed. */
const contradictionsOf = ({ from, to, maxFeePerGas, maxPriorityFeePerGas }: UnsignedEvm): readonly FieldError[] => [
  ...(to === from ? [{ field: 'transactionRequest.to', message: 'is the own address of the payer' }] : []),
  ...(maxPriorityFeePerGas > maxFeePerGas
    ? [
        {
          field: 'transactionRequest.maxPriorityFeePerGas',
          message: 'is above maxFeePerGas, which includes it (EIP-1559)',
        },
      ]
    : []),
];

/**
 * Reads a `crypto_tx` of the service, strictly (document: crypto_tx, EVM family; `unsigned_tx` is the same
 * without `meta`). Give it what `parseJson` gave, so that no digit of `value` was lost. Every wrong field is
 * named at once. Throws `refused_by_review`.
 */
export const parseCryptoTx = (cryptoTx: unknown): UnsignedEvm => {
  if (!isJsonObject(cryptoTx)) return refuse('this is not a crypto_tx: it must be an object', cryptoTx);
  if (cryptoTx['family'] !== 'evm') {
    const family =
      typeof cryptoTx['family'] === 'string' ? `"${inSentence(escapeText(cryptoTx['family'].slice(0, 60)))}"` : 'none';
    return refuse(`only the family "evm" can be reviewed and signed; this one names ${family}`, cryptoTx);
  }
  const request = cryptoTx['transactionRequest'];
  const problems = [
    ...unknownKeys(cryptoTx, TOP_LEVEL, ''),
    ...problemOf('schema_version', () => requireVersion1(cryptoTx['schema_version'])),
    ...problemOf('chain_name', () => readName(cryptoTx['chain_name'])),
    ...(isJsonObject(request)
      ? requestProblems(request)
      : [{ field: 'transactionRequest', message: 'must be an object' }]),
  ];
  if (problems.length > 0 || !isJsonObject(request)) {
    return refuseFields(cryptoTx, problems);
  }
  const unsigned = build(readName(cryptoTx['chain_name']), request);
  const contradictions = contradictionsOf(unsigned);
  return contradictions.length === 0 ? unsigned : refuseFields(cryptoTx, contradictions);
};
