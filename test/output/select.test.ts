import { expect, it } from 'vitest';
import { selectFields } from '../../src/output/render.ts';

const ROWS = [{ id: 'a', amount_from: '1', risk: { score: 2, tier: 'low' }, tags: ['x'] }];

it.each([
  [['amount_form'], 'Did you mean amount_from? '],
  [['tier'], 'Did you mean risk.tier? '],
  [['risk_score', 'idd'], 'Did you mean risk.score, id? '],
  [['nothing_like_it'], ''],
])('rejects the unknown fields %j, suggests the closest names and lists all fields', (names, suggestion) => {
  const select = () => selectFields(ROWS, names);
  expect(select).toThrowError(`--fields: no field ${names.join(', ')} in this result`);
  expect(select).toThrow(
    expect.objectContaining({
      details: { hint: `${suggestion}Fields of this result: id, amount_from, risk, tags.` },
    }),
  );
});

it('keeps only the named fields, and reads a nested field by its dotted path', () => {
  expect(selectFields(ROWS, ['id', 'risk.tier'])).toEqual([{ id: 'a', 'risk.tier': 'low' }]);
});
