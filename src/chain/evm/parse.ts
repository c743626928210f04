import { Failure, type FieldError, messageOf } from '../../core/failure.ts';
import { digitsOf, isJsonObject } from '../../core/json.ts';
import { escapeText, inSentence } from '../../core/text.ts';
import { normaliseEvmAddress, ZERO_ADDRESS } from './address.ts';
import type { EvmFields, UnsignedEvm } from './transaction.ts';

const invalidInput = (message: string): never => {
  throw new Failure('invalid_input', message);
};

/** The largest number in an EVM word. */
const LARGEST_WORD = 2n ** 256n - 1n;

const JSON_NUMBER = /^(-?)(\d{1,100})(?:\.(\d{1,100}))?(?:[eE]([+-]?\d{1,3}))?$/;

/** The exact value of a JSON number's digits: 1e18 and 10000000000000000.0 are whole, 0.1 is not. */
const wholeOf = (digits: string): bigint => {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    JSON_NUMBER.exec(digits) ?? invalidInput('is not a number');
  if (sign) return invalidInput('must not be negative');
  const units = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length;
  if (shift >= 0) return units * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  return units % divisor === 0n ? units / divisor : invalidInput('must be a whole number');
};

/**
 * A whole number of at most 256 bits, digit for digit, from a JSON number or from plain decimal text.
 * The service's document writes `value` as a number and gas fields as text. Throws `invalid_input`.
 */
const readWhole = (value: unknown): bigint => {
  const text = typeof value === 'string' && /^(?:0|[1-9]\d{0,99})$/.test(value) ? value : undefined;
  const digits = text ?? digitsOf(value) ?? invalidInput('must be a whole number in decimal digits');
  const whole = wholeOf(digits);
  return whole <= LARGEST_WORD ? whole : invalidInput('is larger than any number on an EVM chain (2^256 - 1)');
};

/** Like `readWhole`, for chain ids and nonces: at most 2^53 - 1. */
const readCount = (value: unknown): number => {
  const whole = readWhole(value);
  return whole <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(whole) : invalidInput('is too large');
};

type Fields = Readonly<Record<string, unknown>>;

const TOP_LEVEL = ['schema_version', 'family', 'chain_name', 'transactionRequest', 'meta'];

/** Keys with a meaning for signing libraries that the document does not have. */
const EXTRAS: Readonly<Record<string, string>> = {
  type: 'only EIP-1559 transactions are signed, and the document has no type',
  accessList: 'access lists (EIP-2930) are not signed',
  authorizationList: 'an authorization (EIP-7702) gives away the whole account',
  blobs: 'blob transactions (EIP-4844) are not signed',
  blobVersionedHashes: 'blob transactions (EIP-4844) are not signed',
  maxFeePerBlobGas: 'blob transactions (EIP-4844) are not signed',
  gasPrice: 'legacy gas prices are not signed',
};

const unknownKeys = (object: Fields, known: readonly string[], path: string): readonly FieldError[] =>
  Object.keys(object)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const reason = Object.hasOwn(EXTRAS, key) ? EXTRAS[key] : undefined;
      const message = reason ? `is refused: ${reason}` : 'is not a field of the document, so its effect is not known';
      return { field: `${path}${escapeText(key.slice(0, 60))}`, message };
    });

const problemOf = (field: string, read: () => unknown): readonly FieldError[] => {
  try {
    read();
    return [];
  } catch (error) {
    return [{ field, message: messageOf(error) }];
  }
};

const missing = (key: string): never =>
  invalidInput(key === 'to' ? 'is missing: the transaction would create a contract' : 'is missing');

const requestProblems = (request: Fields): readonly FieldError[] => [
  ...unknownKeys(request, Object.keys(READERS), 'transactionRequest.'),
  ...Object.entries(READERS).flatMap(([key, read]) =>
    problemOf(`transactionRequest.${key}`, () => (Object.hasOwn(request, key) ? read(request[key]) : missing(key))),
  ),
];

const readName = (value: unknown): string =>
  typeof value === 'string' && /^[\w .-]{1,64}$/.test(value) ? value : invalidInput('must be the name of a chain');

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
  return refuse(`this transaction cannot be signed: ${list}`, cryptoTx, errors);
};

/** Contradictions between valid fields. */
const contradictionsOf = ({ from, to, maxFeePerGas, maxPriorityFeePerGas }: UnsignedEvm): readonly FieldError[] => {
  const tip = 'transactionRequest.maxPriorityFeePerGas';
  return [
    ...(to === from ? [{ field: 'transactionRequest.to', message: 'is the address of the payer' }] : []),
    ...(maxPriorityFeePerGas > maxFeePerGas
      ? [{ field: tip, message: 'is above maxFeePerGas, which includes it (EIP-1559)' }]
      : []),
  ];
};

/**
 * Reads a `crypto_tx` of the service strictly (document: crypto_tx, EVM family; `unsigned_tx` is the same without `meta`).
 * Its input comes from `parseJson`, which keeps every digit of `value`. Throws `refused_by_review` with every wrong field.
 */
export const parseCryptoTx = (cryptoTx: unknown): UnsignedEvm => {
  if (!isJsonObject(cryptoTx)) return refuse('this is no crypto_tx: it must be an object', cryptoTx);
  if (cryptoTx['family'] !== 'evm') {
    const { family } = cryptoTx;
    const named = typeof family === 'string' ? `"${inSentence(escapeText(family.slice(0, 60)))}"` : 'none';
    const message = 'only transactions of the family "evm" are signed; this transaction has the family';
    return refuse(`${message} ${named}`, cryptoTx);
  }
  const request = cryptoTx['transactionRequest'];
  const problems = [
    ...unknownKeys(cryptoTx, TOP_LEVEL, ''),
    ...problemOf('schema_version', () => {
      if (readWhole(cryptoTx['schema_version']) !== 1n)
        invalidInput('must be 1, the only version that bursar supports');
    }),
    ...problemOf('chain_name', () => readName(cryptoTx['chain_name'])),
    ...(isJsonObject(request)
      ? requestProblems(request)
      : [{ field: 'transactionRequest', message: 'must be an object' }]),
  ];
  if (problems.length > 0 || !isJsonObject(request)) return refuseFields(cryptoTx, problems);
  const unsigned = build(readName(cryptoTx['chain_name']), request);
  const contradictions = contradictionsOf(unsigned);
  return contradictions.length === 0 ? unsigned : refuseFields(cryptoTx, contradictions);
};

/** Nodes accept no larger calldata into their pool. */
const MAX_DATA_BYTES = 128 * 1024;

const readAddress = (value: unknown): string => {
  const address = normaliseEvmAddress(value);
  return address === ZERO_ADDRESS ? invalidInput('is the zero address: money sent to it is lost') : address;
};

const readData = (value: unknown): string => {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/i.test(value)) {
    return invalidInput('must be 0x and whole bytes in hex');
  }
  return value.length <= 2 + 2 * MAX_DATA_BYTES
    ? value.toLowerCase()
    : invalidInput('is longer than a transaction can be');
};

/** The reader of each field of `transactionRequest`. Each throws `invalid_input` for an invalid value. */
const READERS = {
  from: readAddress,
  to: readAddress,
  data: readData,
  value: readWhole,
  chainId: (value: unknown) =>
    readCount(value) || invalidInput('names no chain: the transaction would be valid on every chain (EIP-155)'),
  gasLimit: readWhole,
  maxPriorityFeePerGas: readWhole,
  maxFeePerGas: readWhole,
  nonce: readCount,
} satisfies { readonly [K in keyof EvmFields]: (value: unknown) => EvmFields[K] };
