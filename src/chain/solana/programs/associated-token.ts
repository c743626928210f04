import { wrong } from '../../wrong.ts';
import { tokenAccountOf } from '../address.ts';
import type { Instruction } from '../resolve.ts';
import type { Step } from '../step.ts';
import { exactly } from './accounts.ts';
import { PROGRAMS, TOKEN_PROGRAMS } from './addresses.ts';

/** Create (also without any data) and CreateIdempotent. */
const CREATES: readonly string[] = ['', '00', '01'];

/** Reads an instruction of the Associated Token program. Throws `invalid_input` when it is malformed. */
export const readAssociatedToken = ({ accounts, data }: Instruction): Step => {
  const number = Buffer.from(data).toString('hex');
  if (!CREATES.includes(number)) {
    return { kind: 'dangerous', name: `Associated Token program, instruction ${number.slice(0, 2)}: not needed` };
  }
  const [payer = '', account = '', owner = '', mint = '', system = '', program = ''] = exactly(accounts, 6);
  if (system !== PROGRAMS.system) return wrong('its fifth account is not the System program');
  if (!TOKEN_PROGRAMS.includes(program)) return wrong('its sixth account is no token program');
  if (account !== tokenAccountOf(owner, mint, program))
    return wrong('the account is not the one of that owner and mint');
  return { kind: 'opens', payer, account, owner, mint, program };
};
