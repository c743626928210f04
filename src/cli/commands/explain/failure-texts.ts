import type { ErrorStatus } from '../../../contract/errors.ts';
import type { FailureCode } from '../../../core/failure.ts';
import type { ExitWords } from '../../help/exit-words.ts';

/** Failures of calls, and of the review before them. */
const CALL_TEXTS = {
  not_found: {
    means: 'The service, or the journal of this machine, has no entry with this id.',
    hint: 'Check the id, and that the API key belongs to the tenant that owns it.',
  },
  unavailable: {
    means: 'The service or the network is not available; nothing is in doubt.',
    hint: 'Try again later. bursar doctor shows what can be reached.',
  },
  unexpected_answer: {
    means: 'The response is not one of this service.',
    hint: 'Check the base URL: a proxy, a login portal or another program may have responded.',
  },
  sandbox_unavailable: {
    means: 'The sandbox cannot run here, could not be started, or does not respond.',
    hint: 'The message names the missing part. bursar doctor checks each part, bursar sandbox logs shows its output.',
  },
  identity_gate: {
    means: 'The payer must be verified first, or the verification ended without approval.',
    hint: 'bursar kyc status shows the verification of the payer.',
  },
  limit_reached: {
    means: 'A limit of the service is reached (HTTP 429).',
    hint: 'Wait as long as the message states, or free a slot.',
  },
  smoke_failed: {
    means: 'A flow of a smoke test did not pass.',
    hint: 'The report shows the step, what was expected, and what was there. Then run that flow alone.',
  },
  rows_failed: {
    means: 'Rows of a bulk file failed. The other rows were paid.',
    hint: 'The results name each row and its error. The same command tries them again, and pays no row twice.',
  },
  not_final: {
    means: 'The outcome was not final when the wait ended, or another process is working on it.',
    hint: 'Run the command that the message names to continue the wait.',
  },
  rejected: {
    means: 'The service rejected the call (HTTP 4xx).',
    hint: 'error.status has the reason, and errors names the fields.',
  },
  refused_by_review: {
    means:
      'The review found a contradiction or a doubt, a policy forbids the transaction, or you answered no. Nothing was signed.',
    hint: 'Read the failed checks. Only the option that a check names can override it: bursar help safety.',
  },
  outcome_unknown: {
    means: 'Money may have moved: the response was lost, or the service reported an unknown outcome.',
    hint: 'Run the resume command that the message names. Do not pay again before that.',
  },
  bad_signature: {
    means: 'The signature does not belong to this address and message.',
    hint: 'Check that the text and the address are exactly those that were used to sign.',
  },
} as const;

/** The texts of every error code of bursar, except those that are also a status of the service. */
export const FAILURE_TEXTS: Readonly<Record<Exclude<FailureCode, ErrorStatus>, Omit<ExitWords, 'money'>>> = {
  usage: {
    means: 'The command line is wrong.',
    hint: 'bursar help COMMAND shows the usage.',
  },
  invalid_input: {
    means: 'A value is wrong or missing. The message names each value and its option.',
    hint: 'Fix these values. Nothing was sent.',
  },
  unreadable_file: {
    means: 'A file or the keyring cannot be read, or its content is not valid.',
    hint: 'Check the path, its permissions and its content.',
  },
  file_exists: {
    means: 'The output file exists, and bursar does not overwrite it.',
    hint: 'Choose another name, or move the file away.',
  },
  unwritable_file: {
    means: 'A file cannot be written.',
    hint: 'Check the folder, its permissions and the free space on the disk.',
  },
  bad_settings: {
    means: 'Settings contradict each other, or a settings file is damaged or open to other users.',
    hint: 'bursar whoami --offline shows each setting and its source; bursar doctor checks the files.',
  },
  key_not_found: {
    means: 'The keystore has no key with this name.',
    hint: 'bursar key list shows the names of all keys.',
  },
  key_exists: {
    means: 'A key with this name exists, and keys are never overwritten.',
    hint: 'Choose another name, or rename the existing key.',
  },
  wrong_password: {
    means: 'The password does not unlock the key, or the key file was changed.',
    hint: 'Check the source of the password: an option overrides the environment.',
  },
  damaged_key_file: {
    means: 'A key file is damaged, or has an unsupported format.',
    hint: 'Import the key again from its backup.',
  },
  journal_unwritable: {
    means: 'The journal cannot be written. Nothing is sent without it.',
    hint: 'Free space on the disk, or fix the permissions of the folder, then try again.',
  },
  journal_unreachable: {
    means: 'The database of the journal does not answer. Nothing is sent without a record of it.',
    hint: 'Check the address in BURSAR_JOURNAL and the server, then run the command again.',
  },
  journal_damaged: {
    means: 'A record of the journal cannot be read. bursar sends nothing, because it cannot see what was sent before.',
    hint: 'Restore the file that the message names from a backup, or check on the chain what happened.',
  },
  confirmation_needed: {
    means: 'The command needs an answer, and there is no terminal to ask at.',
    hint: 'Run it at a terminal, or add --yes if you are sure.',
  },
  declined: {
    means: 'You answered no. Nothing was done.',
    hint: 'Nothing to do.',
  },
  no_api_key: {
    means: 'There is no API key, or no service was chosen.',
    hint: 'bursar login stores a key; --profile sandbox needs none.',
  },
  ...CALL_TEXTS,
  interrupted: {
    means: 'Ctrl-C, or a signal ended the command.',
    hint: 'bursar pay list --open shows the operations that are open.',
  },
  unwritable_output: {
    means: 'Standard output cannot be written: the disk is full, or the device fails.',
    hint: 'Free space or redirect to another file, and run it again. A command that changes something prints its result on stderr instead.',
  },
  internal: {
    means: 'A fault in bursar.',
    hint: 'Report it with the command and the output of --debug.',
  },
};
