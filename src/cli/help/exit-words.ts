import { EXIT, type ExitCode } from '../../core/failure.ts';

/** The meaning of an exit code, whether money may have moved, and the next action. */
export type ExitWords = { readonly means: string; readonly money: string; readonly hint: string };

/** A refusal does not prove that a submitted transaction is void. */
const UNLESS_LIVE =
  'No, unless error.data has live: true: a signed transaction was submitted then, and may still be sent.';

/** The description of every exit code. */
export const EXIT_WORDS: Readonly<Record<ExitCode, ExitWords>> = {
  [EXIT.done]: {
    means: 'done',
    money: 'As the result states. payment_received also ends with 0, while a bridge is still working.',
    hint: 'Read the answer. pay status without --wait ends with 0 whatever state it shows.',
  },
  [EXIT.fault]: {
    means: 'a fault in bursar',
    money: 'Not known from the code alone: bursar pay list --open shows the operations that are open.',
    hint: 'Report it with the command that you ran and what it prints with --debug.',
  },
  [EXIT.usage]: {
    means: 'usage or local validation; nothing that moves money was sent',
    money: 'No: nothing that moves money was sent.',
    hint: 'Fix what the message names; bursar help COMMAND shows the options.',
  },
  [EXIT.notFound]: {
    means: 'not found',
    money: UNLESS_LIVE,
    hint: 'Check the id, and that the key belongs to the tenant that owns it.',
  },
  [EXIT.refusedKey]: {
    means: 'no API key, or it is refused',
    money: UNLESS_LIVE,
    hint: 'Run bursar whoami to see which key is used and what decided it; bursar login stores another key.',
  },
  [EXIT.unavailable]: {
    means: 'service or network not available; nothing is in doubt',
    money: 'No: of a call that may have moved money the code is 11.',
    hint: 'Try again later. bursar doctor shows whether the service can be reached.',
  },
  [EXIT.identityGate]: {
    means: 'identity gate: the payer must be verified first',
    money: 'No: the transaction was not created.',
    hint: 'Take the payer through bursar kyc, then try again.',
  },
  [EXIT.limitReached]: {
    means: 'limit reached',
    money: UNLESS_LIVE,
    hint: 'Wait, or make room: the message names the limit.',
  },
  [EXIT.notFinal]: {
    means: 'not final yet when the wait ended',
    money: 'Perhaps: what was sent goes on without bursar.',
    hint: 'Run the command that the message names to wait on. registered and retry end a wait at once, for nothing moves by itself.',
  },
  [EXIT.rejected]: {
    means: 'rejected by the service',
    money: UNLESS_LIVE,
    hint: 'Fix what the message names and retry. If the message names a resume command, run that command.',
  },
  [EXIT.refusedByReview]: {
    means: 'refused by the review; nothing was signed',
    money: 'No: nothing was signed.',
    hint: 'Read the checks that failed. Confirm doubtful checks at a terminal, or use the option that the check names.',
  },
  [EXIT.outcomeUnknown]: {
    means: 'outcome unknown; money may have moved',
    money: 'Perhaps. Do not pay again before that is known.',
    hint: 'Run the resume command that the message names: it finds out, and sends no second payment.',
  },
  [EXIT.endedInError]: {
    means: 'the payment ended in error',
    money: 'Not known where error.data has live: true: only a node shows it. Otherwise the message states it.',
    hint: 'Run the command that the message names. Register a new payment once a node has shown what became of this one.',
  },
  [EXIT.flowFailed]: {
    means: 'a smoke flow, or a row of a bulk file, failed; the report shows which',
    money: 'Perhaps: flows and rows that did not fail have paid. The report shows each step and row.',
    hint: 'Read what was expected and what was there. Then run that flow alone, or the same file again: no row is paid twice.',
  },
  [EXIT.interrupted]: {
    means: 'interrupted',
    money: 'Not by what was not sent yet; with a call outstanding, or what is in doubt, the code is 11.',
    hint: 'bursar pay resume and bursar yield resume finish the operations that are open.',
  },
};

/** All exit codes, in order. */
export const EXIT_CODES: readonly ExitCode[] = Object.values(EXIT).toSorted((a, b) => a - b);
