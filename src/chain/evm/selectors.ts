/** Calls that are decoded in full (ERC-20; the splitter of the sandbox). */
export const SELECTORS = {
  transfer: '0xa9059cbb',
  approve: '0x095ea7b3',
  splitToken: '0x48145485',
  splitNative: '0x68b23301',
} as const;

/** Calls that hand over more than a payment ever needs. None is signed, whatever the user says. */
export const DANGEROUS: Readonly<Record<string, string>> = {
  '0x39509351': 'increaseAllowance: lets somebody take more of a token',
  '0xd73dd623': 'increaseApproval: lets somebody take more of a token',
  '0x959b8c3f': 'authorizeOperator (ERC-777): lets somebody take every token',
  '0xcae9ca51': 'approveAndCall: lets a contract take a token and calls it',
  '0x3177029f': 'approveAndCall (ERC-1363): lets a contract take a token and calls it',
  '0x4000aea0': 'transferAndCall: pays a token and calls the receiver',
  '0xa22cb465': 'setApprovalForAll: lets somebody take every token of a collection',
  '0xd505accf': 'permit (EIP-2612): lets somebody take a token',
  '0x8fcbaf0c': 'permit (DAI): lets somebody take a token without limit',
  '0x87517c45': 'approve (Permit2): lets somebody take a token through Permit2',
  '0x2b67b570': 'permit (Permit2): lets somebody take a token through Permit2',
  '0x2a2d80d1': 'permit (Permit2, several): lets somebody take tokens through Permit2',
  '0x30f28b7a': 'permitTransferFrom (Permit2): takes a token through Permit2',
  '0xf2fde38b': 'transferOwnership: gives a contract to another owner',
  '0x715018a6': 'renounceOwnership: leaves a contract without an owner',
  '0x3659cfe6': 'upgradeTo: replaces the code of a contract',
  '0x4f1ef286': 'upgradeToAndCall: replaces the code of a contract',
  '0x6a761202': 'execTransaction (Safe): does anything with a Safe',
  '0x8d80ff0a': 'multiSend (Safe): does several things at once',
};

/** Calls that are known by name and are not looked into. */
export const NAMED: Readonly<Record<string, string>> = {
  '0xac9650d8': 'multicall: does several things at once',
  '0x5ae401dc': 'multicall with a deadline: does several things at once',
  '0x82ad56cb': 'aggregate3: does several things at once',
  '0x23b872dd': 'transferFrom: moves a token that somebody allowed to be taken',
};
