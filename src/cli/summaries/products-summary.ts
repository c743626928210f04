import { isJsonObject, valueAt } from '../../core/json.ts';
import type { Summary } from '../../output/summary.ts';

const named = (switches: unknown, isEnabled: boolean): string | undefined => {
  if (!isJsonObject(switches) || !Object.values(switches).every((one) => typeof one === 'boolean')) return undefined;
  return Object.keys(switches)
    .filter((name) => switches[name] === isEnabled)
    .join(', ');
};

/** The enabled products of a deployment. `undefined` for another shape than the usual one; the document shows none. */
export const productsSummary = (data: unknown): Summary | undefined => {
  const [products, methods] = [valueAt(data, 'products'), valueAt(data, 'methods')];
  const [enabled, enabledMethods] = [named(products, true), named(methods, true)];
  if (enabled === undefined || enabledMethods === undefined) return undefined;
  const off = [named(products, false), named(methods, false)].filter(Boolean).join(', ');
  return {
    tone: 'good',
    headline: 'Enabled at this deployment',
    facts: [
      ['products', enabled || 'none'],
      ['methods', enabledMethods || 'none'],
      ['disabled', off],
    ],
  };
};
