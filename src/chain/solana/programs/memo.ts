import { Failure } from '../../../core/failure.ts';
import type { Instruction } from '../resolve.ts';
import type { Step } from '../step.ts';

/** Reads a memo: UTF-8 text. Its accounts only say who must have signed. Throws `invalid_input` for other bytes. */
export const readMemo = ({ data }: Instruction): Step => {
  try {
    return { kind: 'memo', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data) };
  } catch (cause) {
    throw new Failure('invalid_input', 'its text is not UTF-8', { cause });
  }
};
