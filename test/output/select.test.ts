import { expect, it } from 'vitest';
import { selectFields } from '../../src/output/render.ts';

const ROWS = [{ id: 'a', amount_from: '1', risk: { score: 2, tier: 'low' }, tags: ['x'] }];

it.each([
  [['amount_form'], 'Did you mean amount_from? '],
  [['tier'], 'Did you mean risk.tier? '],
  [['risk_score', 'idd'], 'Did you mean risk.score, id? '],
  [['nothing_like_it'], ''],
])('a wrong %j names what was likely meant, and all fields', (names, instead) => {
  const select = () => selectFields(ROWS, names);
  expect(select).toThrowError(`--fields: no field ${names.join(', ')} in this result`);
  expect(select).toThrow(
    expect.objectContaining({
      details: { hint: `${instead}Fields of this result: id, amount_from, risk, tags.` },
    }),
  );
});

it('keeps only the named fields, a part of one by dots too', () => {
  expect(selectFields(ROWS, ['id', 'risk.tier'])).toEqual([{ id: 'a', 'risk.tier': 'low' }]);
});
