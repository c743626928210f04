import { stateExplanations } from '../../commands/explain/status-texts.ts';
import { commands, items, type Page, section, text } from '../page.ts';

const STATES = stateExplanations().filter(({ kind }) => kind === 'state of a payment');

/** `help payments`. */
export const payments: Page = {
  name: 'payments',
  summary: 'How a payment goes: the calls in their order, the states, and how long to wait.',
  about: [
    'pay run makes all of these calls. To learn them, or to make them from your own backend, take them one by one.',
  ],
  sections: [
    ...section(
      'In crypto, the calls in their order',
      items([
        ['1 pay register', 'What is paid, to whom, and where they get it. Answers payment_id.'],
        ['2 pay transaction', 'Who pays, from which wallet and chain. Answers crypto_tx, not signed yet.'],
        ['3 pay sign', 'Reviews and signs crypto_tx on this machine. In your backend: your own signer.'],
        ['4 pay execute', 'Has the service send the signed bytes. Send them nowhere else.'],
        ['5 pay status', 'The state and tid_hash, the hash on the chain.'],
      ]),
      commands([
        'id=$(bursar pay register --body payment.json --jq .payment_id)',
        'wallet=$(bursar key show treasury --jq .address)',
        'bursar pay transaction $id --transaction-type crypto --payer-email payer@example.com --payer-wallet $wallet --chain-name polygon --payer-token-symbol USDT',
        'bursar pay execute $id --key treasury --yes',
        'bursar pay status $id --wait --fields status,tid_hash',
      ]),
    ),
    ...section(
      'By Pix and by card',
      ...text(
        'Two calls, and nothing to sign: pay register, pay transaction. Of a Pix the answer has pixCopiaECola, the code for the bank of the payer; a card is charged by that call.',
        'With these the service asks for the identity of the payer (exit 6, then bursar kyc start), unless the payment belongs to an order (--order-code).',
      ),
    ),
    ...section(
      'Which fields pay transaction needs',
      items([
        ['crypto', '--payer-wallet, --chain-name, --payer-token-symbol'],
        ['pixcrypto, fiatcrypto', '--payer-cpf'],
        [
          'cardcrypto, cardfiat',
          '--payer-name, --payer-document, --payer-document-type, the address, and --card-token with --payer-ip and --session-id, or --card-file',
        ],
        ['all', '--transaction-type, which --allow of pay register must name, and --payer-email'],
      ]),
    ),
    ...section('States', items(STATES.map(({ code, means }) => [code, means]))),
    ...section(
      'How long to wait',
      ...text(
        'pay execute answers when the chain has confirmed it. payment_confirmed is the end; after payment_received a bridge is still at work: wait for success.',
        'A call has 30 seconds, a command 120 (--timeout). A wait that is over is exit 8, and nothing is lost: ask again. A Pix can be paid until its expires_at.',
        'The service posts each change to webhook_url. How it signs that is not documented: take it as a sign to read the payment back, not as the truth. The sandbox posts to addresses on this machine.',
      ),
      commands(['bursar pay status pay_0123 --wait --timeout 60', 'bursar sandbox events']),
    ),
    ...section(
      'What goes over the wire',
      commands([
        'bursar pay register --body payment.json --curl',
        'bursar pay register --body payment.json --envelope --debug',
        'bursar explain payment_received',
        'bursar openapi --format yaml',
      ]),
    ),
  ],
};
