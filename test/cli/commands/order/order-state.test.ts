import { describe, expect, it } from 'vitest';
import { globalsFrom } from '../../../../src/cli/argv/command-line.ts';
import { orderTable } from '../../../../src/cli/commands/order/list.ts';
import { update } from '../../../../src/cli/commands/order/write.ts';
import { openCli } from '../../../../src/cli/context/context.ts';
import { orderSummary } from '../../../../src/cli/summaries/order-summary.ts';
import type { Client } from '../../../../src/client/call.ts';
import { Failure } from '../../../../src/core/failure.ts';
import { secret } from '../../../../src/core/secret.ts';
import { palette } from '../../../../src/output/colour.ts';
import { renderSummary } from '../../../../src/output/summary.ts';
import { testIo } from '../../../support/io.ts';
import { render } from '../../../support/render.ts';

const STYLE = { columns: 100, colour: palette(false), unicode: true };
const ORDER = { id: 'cmb1', amount_from: '25', from_currency_symbol: 'BRL', to_currency_symbol: 'USDT' };

const headlineOf = (active: unknown): string => {
  const told = orderSummary({ ...ORDER, active });
  return told ? (renderSummary(told, STYLE).split('\n')[0] ?? '') : '';
};

describe('the active state of an order', () => {
  it.each([
    [true, 'active', ', active'],
    [false, 'inactive', ', inactive'],
    [undefined, 'unknown', 'active state unknown'],
    [null, 'unknown', 'active state unknown'],
    ['yes', 'unknown', 'active state unknown'],
  ])('of %j is shown as %s', (active, state, words) => {
    expect(render(orderTable([{ ...ORDER, active }]).rows, STYLE).split('\n')[1]).toMatch(
      new RegExp(`^cmb1 +${state} +25 BRL`),
    );
    expect(headlineOf(active)).toContain(words);
  });
});

describe('the current values beside the questions of order update', () => {
  const openWith = async (kind: 'interrupted' | 'unavailable' | 'row', id = 'cmb1') => {
    const { io } = await testIo({ answers: [] });
    const row = { ...ORDER, active: true };
    const data = { orders: [row], pagination: { total: 1, page: 1, limit: 100, total_pages: 1 } };
    const body = { statusCode: 200, success: true, status: 'orders_listed', message: '', data };
    const send = async () => {
      if (kind !== 'row') throw new Failure(kind, kind);
      const headers = { 'content-type': 'application/json' };
      return { kind: 'answer', http: 200, headers, body: Buffer.from(JSON.stringify(body)) } as const;
    };
    const cli = openCli({ ...io, http: { send } }, globalsFrom({}, {}), 'test');
    const service = {
      profile: 'acme',
      kind: 'live',
      baseUrl: 'https://acme.example',
      apiKey: secret('k'.repeat(20)),
    };
    const client = async () => ({ io: cli.io, service, deadline: cli.deadline }) as unknown as Client;
    return update.currentValues?.({ ...cli, client }, { order_id: id });
  };

  it('are the stored fields; other questions have no value', async () => {
    expect(await openWith('row')).toEqual({
      '--amount-from': '25',
      '--from-currency-symbol': 'BRL',
      '--to-currency-symbol': 'USDT',
    });
  });

  it('fail with not_found when the complete list lacks the order', async () => {
    await expect(openWith('row', 'cmb2')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('are empty when the service is unavailable', async () => {
    expect(await openWith('unavailable')).toEqual({});
  });

  it('end with interrupted after Ctrl-C', async () => {
    await expect(openWith('interrupted')).rejects.toMatchObject({ code: 'interrupted' });
  });
});
