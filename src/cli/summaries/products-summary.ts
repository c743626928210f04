import { isJsonObject, valueAt } from '../../core/json.ts';
import type { Summary } from '../../output/summary.ts';

const named = (switches: unknown, isEnabled: boolean): string | undefined => {
  if (!isJsonObject(switches) || !Object.values(switches).every((one) => typeof one === 'boolean')) return undefined;
  return Object.keys(switches)
    .filter((name) => switches[name] === isEnabled)
    .join(', ');
};

/** What a deployment has switched on, and what not. The document shows no shape: any other is shown as it is. */
export const productsSummary = (data: unknown): Summary | undefined => {
  const [products, methods] = [valueAt(data, 'products'), valueAt(data, 'methods')];
  const [on, ways] = [named(products, true), named(methods, true)];
  if (on === undefined || ways === undefined) return undefined;
  const off = [named(products, false), named(methods, false)].filter(Boolean).join(', ');
  return {
    tone: 'good',
    headline: 'What this deployment has switched on',
    facts: [
      ['products', on || 'none'],
      ['methods', ways || 'none'],
      ['not', off],
    ],
  };
};
