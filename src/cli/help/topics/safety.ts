import { commands, type Page, section, text } from '../page.ts';

/** `help safety`. */
export const safety: Page = {
  name: 'safety',
  summary: 'What keeps money from moving twice, or elsewhere.',
  sections: [
    ...section(
      'Review',
      ...text(
        'Before anything is signed bursar decodes the bytes and compares them with the payment: chain, token, receivers, amount and fee. Exactly those bytes are signed.',
        '--yes answers questions and replaces a typed amount. It overrides no check: a call that bursar does not understand needs --allow-blind or --allow-program, an address that the payment does not name needs --allow-recipient. That address may be paid in place of receivers. No option overrides any other contradiction (exit 10).',
      ),
      commands(['bursar review crypto_tx.json', 'bursar pay sign pay_0123 --key treasury']),
    ),
    ...section(
      'The journal',
      ...text(
        'Each step is on the disk before its call, the signed bytes and their hash before they are sent. A call that may have moved money is not repeated: the state is read back.',
        'The same payment within a day, or after an unfinished one, is asked about, or needs --intent. --intent is as durable as the folder of the journal.',
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
        'A stored API key goes to the host that it was stored for and to no other. Keys that sign are encrypted files that only their owner can read.',
        'No option takes a private key, a mnemonic, a password or an API key as its value. --code takes a one-time code, and is warned about; --card-token takes the token of a card.',
      ),
      commands(['bursar key new treasury --chain evm --password-file ./password']),
    ),
  ],
};
