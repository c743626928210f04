import { SOLANA } from '../../../contract/chains.ts';
import { readBalances } from '../../../contract/control/chains.ts';
import type { CommandContext } from '../../command/command.ts';
import { boolArg, stringArg } from '../../command/options.ts';
import { addressFrom, sandboxChain } from './chains.ts';
import { controlCommand, fieldOption } from './control.ts';

/** A wallet to read; `name` is that of the user's key, if the user has its key. */
type Wallet = { readonly name: string | null; readonly address: string };

const FIELDS = ['name', 'address', 'chain', 'token', 'amount'] as const;

/** The wallet of a key or of an address. Throws `key_not_found` for an unknown key. */
const walletOf = async (cli: CommandContext, text: string): Promise<Wallet> => {
  const address = await addressFrom(cli, text);
  const { nameIn } = await import('../../print/steps.ts');
  return { name: text === address ? ((await nameIn(cli)(address)) ?? null) : text, address };
};

/** The wallets of all keys. With a chain: of the keys of its family. */
const ownWallets = async (cli: CommandContext, chain: string | undefined): Promise<readonly Wallet[]> => {
  const { openKeystore } = await import('../../../keystore/keystore.ts');
  const keys = await openKeystore(cli.io).list();
  const isOfFamily = (family: string) => chain === undefined || (chain === SOLANA) === (family === SOLANA);
  const unreadable = keys.filter((key) => key.status === 'damaged' || key.address === undefined);
  if (unreadable.length > 0) {
    await cli.printNote(
      `Left out, because their files name no address: ${unreadable.map(({ name }) => name).join(', ')}`,
    );
  }
  return keys.flatMap((key) =>
    key.status === 'usable' && key.address !== undefined && isOfFamily(key.chain)
      ? [{ name: key.name, address: key.address }]
      : [],
  );
};

const isZero = ({ amount }: { readonly amount: string }): boolean => !/[1-9]/.test(amount);

/** `sandbox balance`. */
export const balance = controlCommand({
  verb: 'balance',
  summary: 'Show the balances of a key, of an address, or of all keys',
  about: [
    'It reads the native coin and every test token of each chain, and starts the nodes of these chains.',
    'A terminal hides balances of 0. A pipe and --json get all of them.',
  ],
  controls: [readBalances],
  arguments: [
    { name: 'KEY_OR_ADDRESS', description: 'Name of a key, or an address', isOptional: true, completes: 'keys' },
  ],
  options: [
    fieldOption('--chain', readBalances.query.chain, 'CHAIN'),
    { flag: '--all', description: 'Show balances of 0 at a terminal too' },
  ],
  examples: ['sandbox balance', 'sandbox balance treasury', 'sandbox balance treasury --chain polygon --json'],
  run: async (cli, given, call) => {
    const [wanted, chain] = [stringArg(given, 'key_or_address'), sandboxChain(stringArg(given, 'chain'))];
    const wallets = wanted === undefined ? await ownWallets(cli, chain) : [await walletOf(cli, wanted)];
    const read = async () => {
      const rows = [];
      for (const { name, address } of wallets) {
        const { balances } = await call(readBalances, { address, chain });
        rows.push(
          ...balances.map(({ chain: on, symbol, amount }) => ({ name, address, chain: on, token: symbol, amount })),
        );
      }
      return rows;
    };
    const rows = await cli.io.spin('Reading balances', read());
    const hidesZeros = cli.io.stdout.isTerminal && !cli.globals.json && !boolArg(given, 'all');
    const shown = hidesZeros ? rows.filter((row) => !isZero(row)) : rows;
    const [first] = wallets;
    const none = first
      ? `Every balance is 0. To get test money: bursar sandbox fund ${first.name ?? first.address}`
      : 'There is no key on this machine. To make one: bursar key new NAME --chain evm';
    const entry = () => ({ names: FIELDS, isOpen: false });
    await cli.printResult(rows, shown, { entry, none, brief: ['chain', 'token', 'amount', 'name'] });
    const hidden = rows.length - shown.length;
    if (hidden > 0 && shown.length > 0) await cli.printNote(`Hidden balances of 0: ${hidden}. To show them: --all`);
  },
});
