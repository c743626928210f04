import { CHAIN_NAMES, findEvmChain, SOLANA } from '../../../contract/chains.ts';
import { fund as give, listChains, readBalances, startSolana, switchChain } from '../../../contract/control/chains.ts';
import { isDecimal } from '../../../core/decimal.ts';
import { amended, Failure } from '../../../core/failure.ts';
import { type NextStep, nextStep } from '../../../core/next.ts';
import { isPaymentIntent, isYieldIntent } from '../../../journal/intents.ts';
import { openStates } from '../../../journal/look-up.ts';
import type { OperationState } from '../../../journal/operation-state.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, required, stringArg } from '../../command/options.ts';
import { undefinedOnFailure } from '../../context/failures.ts';
import { usualId } from '../../operations/area.ts';
import { forProfile } from '../../print/next-command.ts';
import { printNext } from '../../print/steps.ts';
import { SANDBOX } from '../../profiles/profile.ts';
import { controlCommand, fieldOption } from './control.ts';

type ChainName = (typeof CHAIN_NAMES)[number];

/** A chain that the declaration of its option has checked. */
export const sandboxChain = (text: string | undefined): ChainName | undefined =>
  CHAIN_NAMES.find((name) => name === text);

const chainFrom = (text: string): ChainName => {
  const chain = sandboxChain(text);
  if (chain) return chain;
  const hint = `It has ${CHAIN_NAMES.join(', ')}.`;
  throw new Failure('invalid_input', `"${text}" is no chain of the sandbox`, { hint });
};

/** `sandbox chain`. */
export const chain = controlCommand({
  verb: 'chain',
  summary: 'List the chains and their addresses, or switch one off or on',
  about: [
    'Payments on a chain that is off are answered with invalid_chain.',
    'Wallets and libraries can use rpc_url: it starts the chain, reads, and mines signed transactions. Such as:',
    'cast block-number --rpc-url "$(bursar sandbox chain ethereum --fields rpc_url | cut -f2)"',
  ],
  controls: [listChains, switchChain, startSolana],
  arguments: [
    {
      name: 'WHAT',
      description: 'A chain to show, or enable, or disable',
      isOptional: true,
      completes: ['enable', 'disable', ...CHAIN_NAMES],
    },
    { name: 'NAME', description: 'The chain to switch', isOptional: true, completes: 'switchable-chains' },
  ],
  examples: ['sandbox chain', 'sandbox chain solana', 'sandbox chain disable polygon'],
  run: async (cli, given, call) => {
    const [what, name] = [stringArg(given, 'what'), stringArg(given, 'name')];
    if (what === 'enable' || what === 'disable') {
      const switched = chainFrom(required({ NAME: name }).NAME);
      return cli.printResult(await call(switchChain, { name: switched, enabled: what === 'enable' }));
    }
    if (name !== undefined) throw new Failure('invalid_input', `"${what}": only enable and disable take a second word`);
    const shown = what === undefined ? undefined : chainFrom(what);
    // The JSON-RPC of Solana has an address only once it runs.
    if (shown === SOLANA) await call(startSolana);
    const { chains } = await call(listChains);
    if (shown !== undefined) return cli.printResult(chains.find((each) => each.name === shown));
    const rows = chains.map(({ tokens: _tokens, websocket_url: _socket, ...row }) => row);
    const brief = ['name', 'rpc_url', 'enabled', 'running', 'coin', 'chain_id'];
    return cli.printResult(chains, cli.globals.fields ? chains : rows, { brief });
  },
});

/** EVM in hex, Solana in base58. */
const ADDRESS = /^(?:0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/;

/** Neither a key nor an address. The text is not repeated: it may be a private key. */
const wrongAddress = (text: string): Failure => {
  const digits = text.slice(2);
  const isHex = /^[0-9a-f]*$/i.test(digits);
  const found = isHex ? `this one has ${digits.length}` : 'this one has other characters';
  return new Failure('invalid_input', `an EVM address has 40 hexadecimal digits after 0x; ${found}`, {
    next: nextStep('key.list'),
  });
};

/** The address of a key of the keystore, or any address. Throws `key_not_found`, and `invalid_input` for a wrong address. */
export const addressFrom = async (cli: CommandContext, text: string): Promise<string> => {
  if (ADDRESS.test(text)) return text;
  const { openKeystore } = await import('../../../keystore/keystore.ts');
  const isMissing = ({ code }: Failure) => code === 'key_not_found' || code === 'invalid_input';
  const explain = (failure: Failure) => (/^0x/i.test(text) && isMissing(failure) ? wrongAddress(text) : failure);
  const { address, name } = await openKeystore(cli.io).find(text).catch(amended(explain));
  if (address) return address;
  throw new Failure('invalid_input', `the file of key ${name} names no address`, { hint: 'Give the address itself.' });
};

type Balance = { readonly chain: string; readonly symbol: string; readonly amount: string };

/** The rows for a terminal, with the columns of `sandbox balance`, and what the coin is for. */
const rowsOf = (balances: readonly Balance[]) =>
  balances.map(({ chain: on, symbol, amount }) => ({
    chain: on,
    token: symbol,
    amount,
    use: symbol === (findEvmChain(on)?.coin ?? 'SOL') ? 'coin, pays fees' : 'token',
  }));

/** The wallet that pays for an operation; `undefined` for a Pix or a card. */
const payingWallet = ({ started: { intent } }: OperationState): string | undefined =>
  isPaymentIntent(intent) ? intent.payer : isYieldIntent(intent) ? intent.wallet : undefined;

/** The command that finishes the newest open operation of a wallet of the sandbox, which may have waited for the money. */
const resumeOf = async (cli: CommandContext, address: string): Promise<NextStep | undefined> => {
  const isMeant = (state: OperationState) =>
    state.started.kind === 'sandbox' && payingWallet(state)?.toLowerCase() === address.toLowerCase();
  const open = (await undefinedOnFailure(openStates(cli.io)))?.find(isMeant);
  if (!open) return undefined;
  const id = await usualId(cli, open);
  return isYieldIntent(open.started.intent) ? nextStep('yield.resume', id) : nextStep('pay.resume', id);
};

/**
 * The command that uses the money of a key: it resumes an operation, pays, or on Solana makes a deposit. Another wallet
 * signs elsewhere.
 */
const printUse = async (cli: CommandContext, name: string, address: string): Promise<void> => {
  if (name === address) return undefined;
  const resume = await resumeOf(cli, address);
  if (resume) return printNext(cli, await forProfile(cli, SANDBOX, resume));
  const step = address.startsWith('0x') ? nextStep('pay.run', ['--key', name]) : nextStep('yield.deposit', address);
  return printNext(cli, step);
};

const { chain: chainField, token: tokenField, amount: amountField } = give.body;

/** `sandbox fund`. */
export const fund = controlCommand({
  verb: 'fund',
  summary: give.summary,
  about: ['Without --token: the native coin and every test token. With it also the native coin, for fees.'],
  controls: [give, readBalances],
  arguments: [
    {
      name: 'KEY_OR_ADDRESS',
      description: 'Name of a key, or an address',
      completes: 'keys',
      question: 'Wallet to fund',
      suggest: async () => (await import('../../prompt/suggestions.ts')).suggestWallets(),
    },
  ],
  options: [
    fieldOption('--chain', chainField, 'CHAIN'),
    fieldOption('--token', tokenField, 'TOKEN'),
    fieldOption('--amount', amountField, 'AMOUNT'),
    { flag: '--balances', description: 'Give nothing: show its balances' },
  ],
  examples: [
    'sandbox fund treasury',
    'sandbox fund treasury --chain polygon --token USDT --amount 250',
    'sandbox fund treasury --balances',
  ],
  run: async (cli, given, call) => {
    const { KEY_OR_ADDRESS: name } = required({ KEY_OR_ADDRESS: stringArg(given, 'key_or_address') });
    const address = await addressFrom(cli, name);
    const where = { address, chain: sandboxChain(stringArg(given, 'chain')) };
    const [token, amount] = [stringArg(given, 'token') || undefined, stringArg(given, 'amount')];
    if (amount !== undefined && !(isDecimal(amount) && /[1-9]/.test(amount))) {
      throw new Failure('invalid_input', `--amount: "${amount}" is not a decimal amount above zero`);
    }
    const onlyShow = boolArg(given, 'balances');
    if (onlyShow && (stringArg(given, 'token') ?? amount) !== undefined) {
      throw new Failure('invalid_input', '--balances gives nothing: it goes without --token and --amount');
    }
    const balances = onlyShow
      ? await cli.io.spin('Reading balances', call(readBalances, where))
      : await cli.io.spin('Funding', call(give, { ...where, token, amount }));
    const rows = rowsOf(balances.balances);
    const listed = () => ({ rows, brief: ['chain', 'token', 'amount', 'use'] });
    await cli.printResult(balances, balances.balances, { listed });
    if (!onlyShow) await printUse(cli, name, address);
  },
});
