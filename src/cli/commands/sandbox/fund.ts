import { isDecimal } from '../../../core/decimal.ts';
import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { boolArg, type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { CHAINS } from './chain.ts';
import { sandboxControl } from './control.ts';

/** EVM in hex, Solana in base58. */
const ADDRESS = /^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** A key of the keystore by its name, or any address. */
const addressFrom = async (cli: CommandContext, text: string): Promise<string> => {
  if (ADDRESS.test(text)) return text;
  const { openKeystore } = await import('../../../keystore/keystore.ts');
  const { address, name } = await openKeystore(cli.io).find(text);
  if (address) return address;
  throw new Failure('invalid_input', `the file of key ${name} names no address`, { hint: 'Give the address itself.' });
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const { KEY_OR_ADDRESS: whom } = required({ KEY_OR_ADDRESS: stringArg(given, 'key_or_address') });
  const address = await addressFrom(cli, whom);
  const chain = CHAINS.find((name) => name === stringArg(given, 'chain'));
  const [token, amount] = [stringArg(given, 'token'), stringArg(given, 'amount')];
  if (amount !== undefined && !(isDecimal(amount) && /[1-9]/.test(amount))) {
    throw new Failure('invalid_input', `--amount: "${amount}" is not a decimal amount above zero`);
  }
  const onlyShow = boolArg(given, 'balances');
  if (onlyShow && (token ?? amount) !== undefined) {
    throw new Failure('invalid_input', '--balances gives nothing: it goes without --token and --amount');
  }
  const control = await sandboxControl(cli);
  const gift = { address, ...(chain && { chain }), ...(token && { token }), ...(amount && { amount }) };
  const balances = onlyShow
    ? await cli.io.spin('Reading balances', control.balances(address, chain))
    : await cli.io.spin('Funding', control.fund(gift));
  await cli.printResult(balances, balances.balances);
};

/** `sandbox fund`. */
export const fund: Command = {
  words: ['sandbox', 'fund'],
  summary: 'Give a key or an address test coins and tokens',
  about: ['Without --token: the native coin and every test token. With it also the native coin, for fees.'],
  arguments: [
    {
      name: 'KEY_OR_ADDRESS',
      description: 'Name of a key, or an address',
      completes: 'keys',
      question: 'Which wallet is to be funded?',
      suggest: async () => (await import('../../prompt/suggestions.ts')).suggestWallets(),
    },
  ],
  options: [
    { flag: '--chain', value: 'CHAIN', choices: CHAINS, description: 'Only on this chain' },
    { flag: '--token', value: 'TOKEN', description: 'Only this token or coin' },
    { flag: '--amount', value: 'AMOUNT', description: 'How much of it' },
    { flag: '--balances', description: 'Give nothing: show what it has' },
  ],
  fails: ['sandbox_unavailable', 'rejected'],
  examples: [
    'sandbox fund treasury',
    'sandbox fund treasury --chain polygon --token USDT --amount 250',
    'sandbox fund treasury --balances',
  ],
  run,
};
