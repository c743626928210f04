import { listAt, textAt } from '../../../core/text-at.ts';
import type { CommandContext } from '../../context/context.ts';
import type { Listed } from '../../print/print-result.ts';

const COLUMNS = ['token', 'provider', 'apy_percent', 'more_by', 'instead_of', 'protocol'];

const rowOf = (opportunity: unknown) => ({
  token: textAt(opportunity, 'token', 'symbol'),
  provider: textAt(opportunity, 'winner', 'provider'),
  apy_percent: textAt(opportunity, 'winner', 'apy_percent'),
  more_by: textAt(opportunity, 'apy_spread_percent'),
  instead_of: listAt(opportunity, 'alternatives').map((one) => textAt(one, 'provider')),
  protocol: textAt(opportunity, 'winner', 'protocol_display_name'),
});

/** Where each token would yield more, as a person reads it. Scripts get what the service said. */
export const opportunityTable = (_: CommandContext, opportunities: unknown): Listed => ({
  rows: Array.isArray(opportunities) ? opportunities.map(rowOf) : opportunities,
  brief: COLUMNS,
});
