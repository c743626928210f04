import { getAddress } from 'ethers/address';

/** Units of a coin or token for one address. */
export type Payment = { readonly to: string; readonly units: bigint };

const WORD = 64;

/**
 * The arguments of a call as words of 32 bytes, without its selector. `undefined` unless they are whole words, as the
 * Solidity ABI requires.
 */
export const wordsOf = (data: string): readonly string[] | undefined => {
  const hex = data.slice(10);
  if (hex.length % WORD !== 0) return undefined;
  return Array.from({ length: hex.length / WORD }, (_, index) => hex.slice(index * WORD, (index + 1) * WORD));
};

/** The number in a word. */
export const uintOf = (word: string): bigint => BigInt(`0x${word}`);

/** The address in a word; `undefined` unless its first twelve bytes are zero. */
export const addressOf = (word: string): string | undefined =>
  /^0{24}/.test(word) ? getAddress(`0x${word.slice(24)}`) : undefined;

/** The arguments `(address, uint256)`; `undefined` unless their encoding is canonical. */
export const readPayment = (words: readonly string[]): Payment | undefined => {
  const [first, second] = words;
  if (first === undefined || second === undefined || words.length !== 2) return undefined;
  const to = addressOf(first);
  return to === undefined ? undefined : { to, units: uintOf(second) };
};

const isWord = (word: string | undefined, value: number): boolean =>
  word !== undefined && uintOf(word) === BigInt(value);

/**
 * The arguments `(…head, address[], uint256[])` as payments; `head` is the number of words before them.
 * `undefined` unless their encoding is canonical: offsets as encoders write them, equal lengths, nothing in between or after.
 */
export const readPayments = (words: readonly string[], head: number): readonly Payment[] | undefined => {
  const start = head + 2;
  const count = (words.length - start - 2) / 2;
  if (!Number.isInteger(count) || count < 1) return undefined;
  const amountsStart = start + 1 + count;
  const isCanonical =
    isWord(words[head], start * 32) &&
    isWord(words[head + 1], amountsStart * 32) &&
    isWord(words[start], count) &&
    isWord(words[amountsStart], count);
  if (!isCanonical) return undefined;
  const receivers = words.slice(start + 1, amountsStart);
  const amounts = words.slice(amountsStart + 1);
  const payments = receivers.flatMap((word, index) => readPayment([word, amounts[index] ?? '']) ?? []);
  return payments.length === count ? payments : undefined;
};

/** The signature of a function, from which its selector is computed, and what the function does. */
type Danger = readonly [signature: string, does: string];

const TAKES = 'lets another address take a token';
const TAKES_ALL = 'lets another address take every token of a collection';
const THROUGH_PERMIT2 = 'lets another address take a token through Permit2';
const TAKES_NOW = 'takes a token through Permit2';
const OF_ANOTHER = 'moves a token of another owner';
const AND_CALLS = 'moves a token and calls a contract with it';
const NEW_OWNER = 'makes another address the owner of a contract';
const NEW_RIGHTS = 'grants or removes rights over a contract';
const NEW_CODE = 'replaces the code of a contract';
const ANYTHING = 'executes any call in its bytes';
const SEVERAL = 'makes several calls in a form that bursar does not decode';
const GONE = 'destroys tokens';

const SIGNATURE_3009 = 'address,address,uint256,uint256,uint256,bytes32';

/** Calls that grant more than a payment needs, by selector. No option lets bursar sign them. */
export const DANGEROUS: Readonly<Record<string, Danger>> = {
  '0x39509351': ['increaseAllowance(address,uint256)', TAKES],
  '0xd73dd623': ['increaseApproval(address,uint256)', TAKES],
  '0xd505accf': ['permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', TAKES],
  '0x9fd5a6cf': ['permit(address,address,uint256,uint256,bytes)', TAKES],
  '0x8fcbaf0c': ['permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)', `${TAKES} without limit`],
  '0x959b8c3f': ['authorizeOperator(address)', 'lets another address take every token (ERC-777)'],
  '0xa22cb465': ['setApprovalForAll(address,bool)', TAKES_ALL],
  '0x87517c45': ['approve(address,address,uint160,uint48)', THROUGH_PERMIT2],
  '0x2b67b570': ['permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)', THROUGH_PERMIT2],
  '0x2a2d80d1': ['permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)', THROUGH_PERMIT2],
  '0x30f28b7a': ['permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)', TAKES_NOW],
  '0xedd9444b': [
    'permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)',
    TAKES_NOW,
  ],
  '0x137c29fe': [
    'permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)',
    TAKES_NOW,
  ],
  '0xfe8ec1a7': [
    'permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)',
    TAKES_NOW,
  ],
  '0x36c78516': ['transferFrom(address,address,uint160,address)', TAKES_NOW],
  '0x0d58b1db': ['transferFrom((address,address,uint160,address)[])', TAKES_NOW],
  '0x23b872dd': ['transferFrom(address,address,uint256)', OF_ANOTHER],
  '0x42842e0e': ['safeTransferFrom(address,address,uint256)', OF_ANOTHER],
  '0xb88d4fde': ['safeTransferFrom(address,address,uint256,bytes)', OF_ANOTHER],
  '0xf242432a': ['safeTransferFrom(address,address,uint256,uint256,bytes)', OF_ANOTHER],
  '0x2eb2c2d6': ['safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', OF_ANOTHER],
  '0x62ad1b83': ['operatorSend(address,address,uint256,bytes,bytes)', OF_ANOTHER],
  '0xe3ee160e': [`transferWithAuthorization(${SIGNATURE_3009},uint8,bytes32,bytes32)`, OF_ANOTHER],
  '0xef55bec6': [`receiveWithAuthorization(${SIGNATURE_3009},uint8,bytes32,bytes32)`, OF_ANOTHER],
  '0xcae9ca51': ['approveAndCall(address,uint256,bytes)', `${TAKES}, and calls that contract`],
  '0x3177029f': ['approveAndCall(address,uint256)', `${TAKES}, and calls that contract`],
  '0x4000aea0': ['transferAndCall(address,uint256,bytes)', AND_CALLS],
  '0x1296ee62': ['transferAndCall(address,uint256)', AND_CALLS],
  '0xc1d34b89': ['transferFromAndCall(address,address,uint256,bytes)', AND_CALLS],
  '0xd8fbe994': ['transferFromAndCall(address,address,uint256)', AND_CALLS],
  '0x9bd9bbc6': ['send(address,uint256,bytes)', AND_CALLS],
  '0x42966c68': ['burn(uint256)', GONE],
  '0x79cc6790': ['burnFrom(address,uint256)', GONE],
  '0xf2fde38b': ['transferOwnership(address)', NEW_OWNER],
  '0x13af4035': ['setOwner(address)', NEW_OWNER],
  '0x79ba5097': ['acceptOwnership()', 'takes over a contract'],
  '0x715018a6': ['renounceOwnership()', 'leaves a contract without an owner'],
  '0x2f2ff15d': ['grantRole(bytes32,address)', NEW_RIGHTS],
  '0xd547741f': ['revokeRole(bytes32,address)', NEW_RIGHTS],
  '0x36568abe': ['renounceRole(bytes32,address)', NEW_RIGHTS],
  '0x7eff275e': ['changeProxyAdmin(address,address)', NEW_RIGHTS],
  '0x8f283970': ['changeAdmin(address)', NEW_RIGHTS],
  '0x0d582f13': ['addOwnerWithThreshold(address,uint256)', 'adds an owner to a Safe'],
  '0x610b5925': ['enableModule(address)', 'lets a module do anything with a Safe'],
  '0x3659cfe6': ['upgradeTo(address)', NEW_CODE],
  '0x4f1ef286': ['upgradeToAndCall(address,bytes)', NEW_CODE],
  '0x99a88ec4': ['upgrade(address,address)', NEW_CODE],
  '0x9623609d': ['upgradeAndCall(address,address,bytes)', NEW_CODE],
  '0x1f931c1c': ['diamondCut((address,uint8,bytes4[])[],address,bytes)', NEW_CODE],
  '0x6a761202': [
    'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
    `${ANYTHING}, with a Safe`,
  ],
  '0x468721a7': ['execTransactionFromModule(address,uint256,bytes,uint8)', `${ANYTHING}, with a Safe`],
  '0xb61d27f6': ['execute(address,uint256,bytes)', ANYTHING],
  '0xe9ae5c53': ['execute(bytes32,bytes)', ANYTHING],
  '0x3593564c': ['execute(bytes,bytes[],uint256)', ANYTHING],
  '0x24856bc3': ['execute(bytes,bytes[])', ANYTHING],
  '0x47e1da2a': ['executeBatch(address[],uint256[],bytes[])', ANYTHING],
  '0x18dfb3c7': ['executeBatch(address[],bytes[])', ANYTHING],
  '0x34fcd5be': ['executeBatch((address,uint256,bytes)[])', ANYTHING],
  '0x8d80ff0a': ['multiSend(bytes)', SEVERAL],
  '0x1f0464d1': ['multicall(bytes32,bytes[])', SEVERAL],
  '0x252dba42': ['aggregate((address,bytes)[])', SEVERAL],
  '0xbce38bd7': ['tryAggregate(bool,(address,bytes)[])', SEVERAL],
  '0xc3077fa9': ['blockAndAggregate((address,bytes)[])', SEVERAL],
  '0x399542e9': ['tryBlockAndAggregate(bool,(address,bytes)[])', SEVERAL],
  '0x174dea71': ['aggregate3Value((address,bool,uint256,bytes)[])', SEVERAL],
};

/** The name and effect of a dangerous call, such as "burn, which destroys tokens"; `undefined` for another selector. */
export const dangerOf = (selector: string): string | undefined => {
  const danger = Object.hasOwn(DANGEROUS, selector) ? DANGEROUS[selector] : undefined;
  return danger && `${danger[0].slice(0, danger[0].indexOf('('))}, which ${danger[1]}`;
};
