import { rankStrategies } from '../../../flows/yield/best.ts';
import type { Command } from '../../command/command.ts';
import { stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import { withOwnNames } from '../../profiles/providers.ts';
import { printMissingProviders } from './say-silent.ts';

/** `yield best`. */
export const best: Command = {
  words: ['yield', 'best'],
  summary: 'Name the strategy that yields most for a token now',
  about: [
    'Always reads from the service, never from the cache. Ranked by yield alone, including rewards that a provider reports.',
  ],
  arguments: [{ name: 'ASSET_SYMBOL', description: 'The token, such as USDC', completes: 'assets' }],
  calls: ['yield.strategies-of'],
  fails: ['not_found'],
  examples: ['yield best USDC', 'yield best USDC --fields provider'],
  run: async (cli, given) => {
    const { ASSET_SYMBOL: asset } = required({ ASSET_SYMBOL: stringArg(given, 'asset_symbol') });
    // The result should include the providers of the profile.
    const expected = Object.values((await cli.profile()).providers ?? {});
    const { ranked, silent } = await rankStrategies(await cli.client(), asset, expected);
    await printMissingProviders(cli.say, silent);
    const [winner, ...alternatives] = ranked;
    const answer = { asset, ...winner, alternatives, ...(silent.length > 0 && { not_answered: silent }) };
    const shown = await withOwnNames(cli, answer);
    const summary = async () => (await import('../../summaries/yield-summary.ts')).bestSummary(shown);
    await cli.printResult(answer, shown, { summary });
  },
};
