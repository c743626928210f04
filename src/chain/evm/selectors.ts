/** Calls that are decoded in full (ERC-20; the splitter of the sandbox). */
export const SELECTORS = {
  transfer: '0xa9059cbb',
  approve: '0x095ea7b3',
  splitToken: '0x48145485',
  splitNative: '0x68b23301',
} as const;

/** Batches that are entered: what they make is judged call by call (Uniswap's multicall, Multicall3). */
export const BATCHES = {
  multicall: '0xac9650d8',
  multicallUntil: '0x5ae401dc',
  aggregate3: '0x82ad56cb',
} as const;
