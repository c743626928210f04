/** A call of a contract or a payment of coins. All text is in lower case. */
export type Call = { readonly from: string; readonly to: string; readonly data: string; readonly value: bigint };

/** The fees of a transaction for each unit of gas: the maximum in total, and the maximum above the base fee. */
export type Fees = { readonly maxFee: bigint; readonly tip: bigint };

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, '0')}`;

const topic = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`;

const TRANSFERRED = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const TRANSFER = '0xa9059cbb';
const BALANCE_OF = '0x70a08231';

export const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;

/** The address in the first argument of a call; `undefined` if the call is too short or the word is no address. */
const addressIn = (data: string): string | undefined => /^0x.{8}0{24}([0-9a-f]{40})/.exec(data)?.[1];

/** The receiver and the units of an ERC-20 transfer. Contracts ignore bytes after the arguments. */
export const transferIn = ({
  data,
}: Pick<Call, 'data'>): { readonly to: string; readonly units: bigint } | undefined => {
  const to = data.startsWith(TRANSFER) && data.length >= 138 ? addressIn(data) : undefined;
  return to === undefined ? undefined : { to: `0x${to}`, units: BigInt(`0x${data.slice(74, 138)}`) };
};

/** Nonces and balances, which follow from the mined transactions. */
export type Ledger = {
  readonly nonces: Map<string, number>;
  readonly balances: Map<string, bigint>;
};

/** The asset name of the coin, which is no token. */
export const COIN = 'coin';

/** The first coin balance of each account without a balance in the funds. It is enough for any fee. */
const COIN_UNITS = 10n ** 20n;

const keyOf = (asset: string, owner: string): string => `${asset} ${owner}`;

export const balanceIn = ({ balances }: Ledger, asset: string, owner: string): bigint =>
  balances.get(keyOf(asset, owner)) ?? (asset === COIN ? COIN_UNITS : 0n);

const move = (ledger: Ledger, asset: string, from: string, to: string, units: bigint): void => {
  ledger.balances.set(keyOf(asset, from), balanceIn(ledger, asset, from) - units);
  ledger.balances.set(keyOf(asset, to), balanceIn(ledger, asset, to) + units);
};

/** The gas of each transaction, about that of a token transfer. */
const GAS_USED = 60_000n;
const BASE_FEE = 10n ** 9n;

export const payFee = (ledger: Ledger, { from, maxFee, tip }: Fees & Pick<Call, 'from'>): void => {
  const price = maxFee < BASE_FEE + tip ? maxFee : BASE_FEE + tip;
  ledger.balances.set(keyOf(COIN, from), balanceIn(ledger, COIN, from) - GAS_USED * price);
};

/** The result of a call. A call that is not good changes nothing. */
export type CallResult = { readonly isGood: boolean; readonly returnData: string; readonly logs: readonly object[] };

export const REVERTED: CallResult = { isGood: false, returnData: '0x', logs: [] };

/** Executes a call. A token (ERC-20) has `balanceOf` and `transfer`; any other account receives coins. */
export const execute = (ledger: Ledger, tokens: ReadonlySet<string>, { from, to, data, value }: Call): CallResult => {
  if (!tokens.has(to)) {
    if (value > balanceIn(ledger, COIN, from)) return REVERTED;
    move(ledger, COIN, from, to, value);
    return { isGood: true, returnData: '0x', logs: [] };
  }
  if (value > 0n) return REVERTED;
  const owner = addressIn(data);
  if (data.startsWith(BALANCE_OF) && owner !== undefined) {
    return { isGood: true, returnData: word(balanceIn(ledger, to, `0x${owner}`)), logs: [] };
  }
  const transfer = transferIn({ data });
  if (!transfer || transfer.to === ZERO_ADDRESS || balanceIn(ledger, to, from) < transfer.units) return REVERTED;
  move(ledger, to, from, transfer.to, transfer.units);
  const log = { address: to, topics: [TRANSFERRED, topic(from), topic(transfer.to)], data: word(transfer.units) };
  return { isGood: true, returnData: word(1n), logs: [log] };
};
