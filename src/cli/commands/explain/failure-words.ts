import type { ErrorStatus } from '../../../contract/errors.ts';
import type { FailureCode } from '../../../core/failure.ts';

/** What can come of a call, and of the review before it. */
const CALL_WORDS = {
  not_found: {
    means: 'The service, or the journal of this machine, has nothing of that id.',
    hint: 'Check the id, and that the key belongs to the tenant that owns it.',
  },
  unavailable: {
    means: 'The service or the network is not available; nothing is in doubt.',
    hint: 'Try again later. bursar doctor says what can be reached.',
  },
  unexpected_answer: {
    means: 'What came back is not an answer of this service.',
    hint: 'Check the base URL: a proxy, a portal or another program may have answered.',
  },
  sandbox_unavailable: {
    means: 'The sandbox cannot run here, could not be started, or does not answer.',
    hint: 'The message names what is missing; bursar doctor looks at each part, bursar sandbox logs shows what it said.',
  },
  identity_gate: {
    means: 'The payer must be verified first, or the verification ended without approval.',
    hint: 'bursar kyc status shows where the payer stands.',
  },
  limit_reached: {
    means: 'A limit of the service is reached (HTTP 429).',
    hint: 'Wait as long as the message says, or make room.',
  },
  not_final: {
    means: 'It was not final when the wait ended, or another process works on it.',
    hint: 'Run the command that the message names to wait on.',
  },
  rejected: {
    means: 'The service rejected the call (HTTP 4xx).',
    hint: 'error.status says why, and errors names the fields.',
  },
  refused_by_review: {
    means:
      'The review found a contradiction or a doubt, a policy forbids it, or the answer was no. Nothing was signed.',
    hint: 'Read the checks that are named. Only what was made for it lets a doubt pass: bursar help safety.',
  },
  outcome_unknown: {
    means: 'Money may have moved: the answer was lost, or it says so itself.',
    hint: 'Run the resume command that is named. Do not pay again before.',
  },
  bad_signature: {
    means: 'The signature is not that of the address over the message.',
    hint: 'Check that text and address are exactly those that were signed.',
  },
} as const;

/** What a failure means, and what to do about it. */
export type FailureWords = { readonly means: string; readonly hint: string };

/** Every error code of bursar's own in words; those that are a status of the service too have its words. */
export const FAILURE_WORDS: Readonly<Record<Exclude<FailureCode, ErrorStatus>, FailureWords>> = {
  usage: {
    means: 'The words of the command line are wrong.',
    hint: 'bursar help COMMAND shows how it is written.',
  },
  invalid_input: {
    means: 'A value is wrong or missing; each is named with its option.',
    hint: 'Fix what is named. Nothing was sent.',
  },
  unreadable_file: {
    means: 'A file that was named, or the keyring, cannot be read or is not what it should be.',
    hint: 'Check the path and who may read it.',
  },
  file_exists: {
    means: 'The file that would have been made is there, and nothing is overwritten.',
    hint: 'Choose another name, or move the file away.',
  },
  unwritable_file: {
    means: 'A file cannot be written.',
    hint: 'Check the folder, its rights and the room on the disk.',
  },
  bad_settings: {
    means: 'Settings contradict each other, or a settings file is damaged or open to others.',
    hint: 'bursar whoami --offline shows what applies and what decided it; bursar doctor looks at the files.',
  },
  key_not_found: {
    means: 'The keystore has no key of that name.',
    hint: 'bursar key list names those that there are.',
  },
  key_exists: {
    means: 'A key of that name exists, and a key is never overwritten.',
    hint: 'Choose another name, or rename the one that is there.',
  },
  wrong_password: {
    means: 'The password does not open the key, or the key file was changed.',
    hint: 'Check the source of the password: an option outranks the environment.',
  },
  damaged_key_file: {
    means: 'A key file is damaged, or of a kind that cannot be opened.',
    hint: 'Import the key again from its backup.',
  },
  journal_unwritable: {
    means: 'The journal cannot be written, and without it nothing is sent.',
    hint: 'Free space on the disk, or fix the permissions of the folder, then try again.',
  },
  journal_damaged: {
    means: 'A record of the journal cannot be read, so what was sent is not known, and nothing may be sent.',
    hint: 'Bring the file that is named back from a backup, or find out on the chain what became of it.',
  },
  confirmation_needed: {
    means: 'A question had to be asked, and there was nobody to answer it.',
    hint: 'Run it at a terminal, or add --yes when the answer is known.',
  },
  declined: {
    means: 'The answer to a question was no. Nothing was done.',
    hint: 'Nothing has to be done.',
  },
  no_api_key: {
    means: 'There is no API key, or no service was chosen.',
    hint: 'bursar login keeps a key; --profile sandbox needs none.',
  },
  ...CALL_WORDS,
  interrupted: {
    means: 'Ctrl-C, or the process was asked to end.',
    hint: 'bursar pay list --open shows the operations that are open.',
  },
  unwritable_output: {
    means: 'Standard output cannot be written: the disk behind it is full, or its device fails.',
    hint: 'Free space, or write to another file, and run it again. A command that changes something prints its result on stderr.',
  },
  internal: {
    means: 'A fault in bursar.',
    hint: 'Report it with the command and what it prints with --debug.',
  },
};
