import { anyText, list, number, open, text } from '../fields.ts';
import { sources, tokenFields } from './shared.ts';

const route = (description: string) =>
  open(
    {
      provider: text('Provider of the strategy'),
      protocol_display_name: anyText('Name of the protocol'),
      strategy_id: text('Id of the strategy'),
      apy_percent: number('Yield in percent a year'),
    },
    description,
  );

/** Document: Rebalance opportunity. */
const opportunity = open(
  {
    token: open(tokenFields, 'Token that would earn more elsewhere'),
    route_winner: anyText('The winning route in words'),
    winner: route('The strategy with the highest yield'),
    alternatives: list(route('Another strategy'), 'The others'),
    apy_spread_percent: number('How much more the winner yields, in percent'),
  },
  'One opportunity',
  'Opportunity',
);

/** The answer to both lists of opportunities, and what their failure carries as `data`. */
export const opportunityList = open(
  { opportunities: list(opportunity, 'Tokens that would earn more elsewhere'), sources: sources.nullable() },
  'Opportunities',
  'OpportunityList',
);
