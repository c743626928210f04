import { EVM_CHAINS } from '../../../contract/chains.ts';
import { SOLANA } from '../../../contract/solana.ts';
import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { sandboxControl } from './control.ts';

export const CHAINS = [...EVM_CHAINS.map(({ name }) => name), SOLANA] as const;

type ChainName = (typeof CHAINS)[number];

const chainFrom = (text: string): ChainName => {
  const chain = CHAINS.find((name) => name === text);
  if (chain) return chain;
  throw new Failure('invalid_input', `"${text}" is no chain of the sandbox`, { hint: `It has ${CHAINS.join(', ')}.` });
};

/** One chain, ready to be called: Solana's JSON-RPC has an address only once it runs. */
const show = async (cli: CommandContext, name: ChainName): Promise<void> => {
  const control = await sandboxControl(cli);
  if (name === SOLANA) await control.startSolana();
  await cli.printResult((await control.chains()).find((chain) => chain.name === name));
};

const list = async (cli: CommandContext): Promise<void> => {
  const chains = await (await sandboxControl(cli)).chains();
  const rows = chains.map(({ name, chain_id, coin, enabled, running, rpc_url }) => ({
    ...{ name, chain_id, coin, enabled, running, rpc_url },
  }));
  const brief = ['name', 'rpc_url', 'enabled', 'running', 'coin', 'chain_id'];
  await cli.printResult(chains, cli.globals.fields ? chains : rows, { brief });
};

const run = async (cli: CommandContext, given: ParsedArgs): Promise<void> => {
  const [what, name] = [stringArg(given, 'what'), stringArg(given, 'name')];
  if (what === 'enable' || what === 'disable') {
    const chain = chainFrom(required({ NAME: name }).NAME);
    return cli.printResult(await (await sandboxControl(cli)).chain({ name: chain, enabled: what === 'enable' }));
  }
  if (name !== undefined) throw new Failure('invalid_input', `"${what}": only enable and disable take a second word`);
  return what === undefined ? list(cli) : show(cli, chainFrom(what));
};

/** `sandbox chain`. */
export const chain: Command = {
  words: ['sandbox', 'chain'],
  summary: 'List the chains and where they answer, or switch one off or on',
  about: [
    'Payments on a chain that is off are answered with invalid_chain.',
    'Wallets and libraries can use rpc_url: it starts the chain, reads, and mines signed transactions. Such as:',
    'cast block-number --rpc-url "$(bursar sandbox chain ethereum --fields rpc_url | cut -f2)"',
  ],
  arguments: [
    { name: 'WHAT', description: 'A chain to show, or enable, or disable', isOptional: true },
    { name: 'NAME', description: 'The chain to switch', isOptional: true },
  ],
  fails: ['sandbox_unavailable', 'rejected'],
  examples: ['sandbox chain', 'sandbox chain solana', 'sandbox chain disable polygon'],
  run,
};
