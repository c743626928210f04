import { commands, type Page, section, text } from '../page.ts';

/** `help safety`. */
export const safety: Page = {
  name: 'safety',
  summary: 'What keeps money from moving twice, or elsewhere.',
  about: [],
  sections: [
    ...section(
      'Review',
      ...text(
        'Before anything is signed bursar decodes what the bytes do and holds it against what was asked: chain, token, receivers, amount and fee. Exactly those bytes are signed.',
        '--yes answers questions and vouches for nothing. What the review does not understand, and whom the payment does not name, passes only by --allow-blind, --allow-program or --allow-recipient, and no answer stands for one of them. A share that is short passes where --allow-recipient names who gets the rest; nothing lets any other contradiction pass (exit 10).',
      ),
      commands(['bursar review crypto_tx.json', 'bursar pay sign pay_0123 --key treasury']),
    ),
    ...section(
      'The journal',
      ...text(
        'Each step is on the disk before its call, the hash of a transaction before the transaction is sent. A call that may have moved money is not repeated: it is read back.',
        'The same payment within a day, or after one that was left unfinished, is asked about, or takes --intent.',
      ),
      commands(['bursar pay list --open', 'bursar pay resume --all --json']),
    ),
    ...section(
      'Test and live',
      ...text(
        'Every question about money names the profile and its kind. Without a terminal the sandbox is used only when it is asked for.',
        '--dry-run and --curl show a request and send nothing.',
      ),
      commands(['bursar pay register --body payment.json --dry-run']),
    ),
    ...section(
      'Keys',
      ...text(
        'An API key goes to the host that it was stored for and to no other. Keys that sign are encrypted files for their owner alone. No option takes a secret as its value.',
      ),
      commands(['bursar key new treasury --chain evm --password-file ./password']),
    ),
  ],
};
