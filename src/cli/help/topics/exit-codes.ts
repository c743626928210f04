import { EXIT_CODES, EXIT_WORDS } from '../exit-words.ts';
import { commands, items, type Page, section, text } from '../page.ts';

/** A script that pays, resumes a payment in doubt, and exits like the payment. A test runs it. */
const IN_A_SCRIPT: readonly string[] = [
  'rc=0',
  'bursar pay run --body payment.json --key treasury --yes || rc=$?',
  'if [ $rc -eq 11 ]; then rc=0',
  'bursar pay resume --all || rc=$?',
  'fi',
  'exit $rc',
];

/** `help exit-codes`. */
export const exitCodes: Page = {
  name: 'exit-codes',
  summary: 'What each exit code means. A number never changes its meaning.',
  sections: [
    ...section('Codes', items(EXIT_CODES.map((exit) => [String(exit), EXIT_WORDS[exit].means]))),
    ...section(
      'How an answer becomes a code',
      ...text(
        'The status of a service error decides its exit code. An undocumented status is classified by its HTTP code: 401 is 4, 404 is 3, 429 is 7, other 4xx are 9, 5xx are 5.',
        'A call that may move money is different: without a clear answer it ends with 11, never with 5.',
        'With --json the failure is the one document on stdout; error.code and error.status say more than the number.',
      ),
    ),
    ...section(
      'In a script',
      ...text(
        '11 means that money may have moved. Resume finds out, and sends no second payment; whatever else went wrong stays what it is:',
      ),
      commands(IN_A_SCRIPT),
    ),
    ...section('See', commands(['bursar explain 11', 'bursar explain otp_expired'])),
  ],
};
