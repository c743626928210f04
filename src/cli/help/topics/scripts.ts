import { commands, items, type Page, section, text } from '../page.ts';

/** A script that runs every flow in the sandbox, and fails if one fails. A test runs it. */
const SMOKE_TEST: readonly string[] = [
  'export BURSAR_HOME=$(mktemp -d) BURSAR_PROFILE=sandbox',
  "trap 'bursar sandbox stop --quiet > /dev/null' EXIT",
  'bursar smoke run --reporter junit=smoke.xml',
];

/** `help scripts`. */
export const scripts: Page = {
  name: 'scripts',
  summary: 'How to use bursar in a script or in CI.',
  sections: [
    ...section('A smoke test in the sandbox', commands(['set -euo pipefail', ...SMOKE_TEST])),
    ...section(
      'What to rely on',
      ...text(
        'Nothing is asked without a terminal, with CI or with --no-input: what is missing is exit 2, all of it named. What moves money needs --yes.',
        'The sandbox must be named (BURSAR_PROFILE=sandbox): a pipeline whose secrets are missing ends with 4, and does not pass on a toy.',
        'The exit code states what happened; bursar help exit-codes has them all. 11 means that money may have moved: go on with pay resume, do not pay again.',
        '--jq and --fields take out what you need. An expression that fails after something was done is a warning and exit 0, and the whole answer is printed.',
      ),
    ),
    ...section(
      'Repeated and parallel jobs',
      items([
        [
          'the same again',
          '--intent KEY names a payment: a repeated job with the same journal folder gets the first one',
        ],
        [
          'in parallel',
          'Jobs of one wallet on one chain take turns here (exit 8 after --timeout); on several machines give each a wallet',
        ],
        ['after a crash', 'The journal in BURSAR_HOME is what resume goes by: keep it, as an artifact or a cache'],
      ]),
      commands([
        'bursar pay run --body payment.json --key payer --yes --intent march',
        'bursar pay resume --all --json',
      ]),
    ),
    ...section(
      'When the service is broken',
      ...text(
        'The sandbox fails on request, so that you see what your script does: the smoke test ends with 13, 11 and 13.',
      ),
      commands([
        'bursar sandbox fault pay.execute payment_failed',
        'bursar sandbox fault pay.execute 503',
        'bursar sandbox fault pay.register 503',
        'bursar sandbox fault --clear',
      ]),
    ),
    ...section(
      'Against a deployment',
      commands([
        'export BURSAR_BASE_URL=https://api.example.com BURSAR_API_KEY_FILE=./api-key',
        'bursar products --json',
      ]),
    ),
  ],
};
