import { AbiCoder, FunctionFragment, type ParamType } from 'ethers/abi';
import { Failure } from '../../core/failure.ts';
import { escapeText, inSentence } from '../../core/text.ts';

/** Longer texts and lists are cut on the screen. */
const MAX_CHARACTERS = 120;
const MAX_ENTRIES = 16;

const brief = (text: string): string =>
  text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)`;

const listInWords = (type: ParamType, values: readonly unknown[]): string => {
  const shown = values.slice(0, MAX_ENTRIES).map((value) => inWords(type, value));
  const more = values.length - shown.length;
  return `[${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')}]`;
};

const fieldsInWords = (types: readonly ParamType[], values: readonly unknown[]): string =>
  `(${types.map((type, at) => `${type.name || `argument ${at + 1}`}: ${inWords(type, values[at])}`).join(', ')})`;

const inWords = (type: ParamType, value: unknown): string => {
  if (type.arrayChildren) return listInWords(type.arrayChildren, value as readonly unknown[]);
  if (type.components) return fieldsInWords(type.components, value as readonly unknown[]);
  return type.type === 'string' ? `"${inSentence(escapeText(brief(String(value))))}"` : brief(String(value));
};

const fragmentOf = (abi: string): FunctionFragment => {
  try {
    return FunctionFragment.from(abi.trim());
  } catch (cause) {
    throw new Failure('bad_settings', `the abi "${escapeText(abi)}" of a pin is not a function`, {
      hint: 'Write it as in Solidity: function pay(bytes32 order, address token, uint256 amount)',
      cause,
    });
  }
};

/**
 * A reader of calls of a function by its ABI (Solidity: contract ABI specification). It accepts only canonical encodings.
 * Throws `bad_settings` for a text that is not a function.
 */
export const readerOf = (abi: string) => {
  const { inputs, name, selector } = fragmentOf(abi);
  const coder = AbiCoder.defaultAbiCoder();
  /** A call as text, such as `pay(amount: 5)`; `undefined` for bytes that no encoder writes. */
  const read = (data: string): string | undefined => {
    if (data.slice(0, 10).toLowerCase() !== selector) return undefined;
    const own = `0x${data.slice(10).toLowerCase()}`;
    try {
      const values = coder.decode(inputs, own);
      return coder.encode(inputs, values) === own ? `${name}${fieldsInWords(inputs, [...values])}` : undefined;
    } catch {
      return undefined;
    }
  };
  return { selector, read };
};
