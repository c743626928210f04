import type { Command } from '../command/command.ts';

/** What stands in a list of help is no question: these are asked in words of their own. */
const WORDS: Readonly<Record<string, string | undefined>> = {
  PAYMENT_ID: 'Which payment?',
  ORDER_ID: 'Which order?',
  ID: 'Which movement?',
  SHELL: 'For which shell?',
  KEY_OR_ADDRESS: 'Which wallet is to be funded?',
  FILE: 'File with the transaction',
  NEW_NAME: 'New name of the key',
  '--key': 'Which key signs?',
  '--amount-from': 'Amount of the payment',
  '--from-currency-symbol': 'In which currency is the amount?',
  '--transaction-type': 'How is it paid?',
  '--chain-name': 'From which chain is it paid?',
  '--payer-token-symbol': 'With which token is it paid?',
  '--payer-wallet': 'Which wallet pays?',
  '--payer-document-type': 'Which document does the payer have?',
  '--to-currency-symbol': 'What do the receivers get?',
  '--to-chain': 'On which chain do they get it?',
  '--allow': 'Which method may the payer use?',
  '--split': 'A receiver and its share of the 100 per cent',
  '--webhook-url': 'Webhook URL',
  '--unsigned': 'File with the crypto_tx',
  '--signed-transaction': 'Signed transaction as hex, or @FILE',
  '--file': 'File with the orders',
  '--email': 'E-mail address',
  '--code': 'Code from the e-mail',
  '--wallet': 'Which wallet?',
  '--signed-bytes': 'Signature of the challenge: hex, or base58 of Solana',
  '--provider': 'With which provider?',
  '--provider-out': 'From which provider?',
  '--provider-in': 'To which provider?',
  '--asset': 'Which token?',
  '--transaction': 'File with the transaction',
  '--op-signed': 'Signed transaction as base64',
  '--address': 'Address that is said to have signed',
  '--signature': 'Signature: hex, or base58 of Solana',
  '--out': 'File to write it to',
};

/** Where a command means something of its own by the same name. */
const OF_COMMANDS: Readonly<Record<string, string | undefined>> = {
  'order create --amount-from': 'Amount of the order',
  'order update --amount-from': 'Amount of the order',
  'key new NAME': 'Name of the new key',
  'key import NAME': 'Name of the new key',
  'key new --chain': 'For which chains?',
  'key import --chain': 'For which chains?',
  'key export --format': 'In which format?',
  'key sign-message --message': 'Text to sign, as it is, or @FILE',
  'key verify-message --message': 'Text that was signed, as it is, or @FILE',
  'kyc prepare-wallet --message': 'Text of the challenge, as it is',
  'kyc wallet-prove --key': 'Which key has the wallet?',
  'profile set NAME': 'Name of the profile',
};

const OF_AREAS: Readonly<Record<string, string | undefined>> = {
  'key NAME': 'Which key?',
  'profile NAME': 'Which profile?',
  'yield --chain-name': 'On which chain?',
};

/** How an option or argument is asked for, where that is not what help says of it. */
export const wordsFor = ({ words }: Command, flag: string): string | undefined =>
  OF_COMMANDS[`${words.join(' ')} ${flag}`] ?? OF_AREAS[`${words[0]} ${flag}`] ?? WORDS[flag];
