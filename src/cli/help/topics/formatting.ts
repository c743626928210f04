import { commands, type Page, section, text } from '../page.ts';

/** `help formatting`. */
export const formatting: Page = {
  name: 'formatting',
  summary: 'How answers are printed. stdout is the answer, stderr is the conversation.',
  sections: [
    ...section(
      'For people and for pipes',
      ...text(
        'On a terminal a list is a table with a header. Columns that have no room are left out and named below it.',
        'A single result is a sentence, its facts and its ids. --json has every field, --fields those that you name.',
        'Elsewhere it is TSV: one line a row, or a field, no header, no colour, nothing cut. The help of a list names its columns.',
      ),
      commands(['bursar order list', 'bursar order list | cut -f1']),
    ),
    ...section(
      'JSON',
      ...text(
        '--json prints exactly one document, on success and on failure. An empty list is a list, and numbers keep every digit.',
        '--envelope prints the whole envelope of one call of the service instead of its data; the help of a command names the call. A command without one, such as pay run, refuses it.',
        'Where the call was not needed it prints {"unchanged": true, "data": ...}; where its answer was lost and reading shows the effect, {"read_back": true, "data": ...}.',
        'A failure is {"error": {code, status, http, request_id, message, errors, data, hint, next}}.',
      ),
      commands(['bursar quote BTC USDT --json', 'bursar products --envelope']),
    ),
    ...section(
      'Fields',
      ...text('--fields prints only what is named, in that order; a wrong name is answered with the right ones.'),
      commands(['bursar order list --fields id,active', 'bursar quote ETH SOL --json --fields price']),
    ),
    ...section(
      'jq',
      ...text(
        '--jq prints what a jq expression makes of that JSON, a line for each result, text as it is. jq need not be installed.',
      ),
      commands(["bursar order list --jq '.orders[].id'"]),
    ),
    ...section(
      'Colour and width',
      ...text(
        '--no-color and NO_COLOR turn colour off, FORCE_COLOR=1 turns it on in a pipe.',
        'Sentences are broken at the width of the terminal; an id, an address or a command stays whole, to be copied.',
        'Times are relative to now on a terminal, and ISO 8601 elsewhere. Addresses are links where the terminal takes them.',
        'Without UTF-8 in the locale a terminal gets ASCII alone. What the service sends is escaped: it cannot steer a terminal.',
      ),
      commands(['NO_COLOR=1 bursar pay list']),
    ),
    ...section(
      'Quiet, pages, and read aloud',
      ...text(
        '--quiet prints only errors and warnings about money on stderr. Such warnings are about payments in doubt, repeated payments and unknown receiver addresses. They are also about policies and unreadable journals.',
        'Nothing is paged: pipe it into a pager.',
        'With BURSAR_ACCESSIBLE=1 choices have numbers, the cursor is never moved and nothing is animated.',
      ),
      commands(['bursar order list --all | less', 'BURSAR_ACCESSIBLE=1 bursar pay run']),
    ),
  ],
};
