import { describe, expect, it } from 'vitest';
import { runAsking } from '../../../src/cli/argv/run-asking.ts';
import { stringArg } from '../../../src/cli/command/options.ts';
import { PAYMENTS } from '../../../src/cli/commands/pay/journal.ts';
import { choiceOf } from '../../../src/cli/operations/in-words.ts';
import { resumeLeaf } from '../../../src/cli/operations/resume.ts';
import { Failure } from '../../../src/core/failure.ts';
import type { ChargeIntent } from '../../../src/journal/intents.ts';
import { withOperation } from '../../../src/journal/operation.ts';
import { ioAt, temporaryFolder } from '../../support/io.ts';
import { LIVE, profiled } from '../../support/profiled.ts';
import { typedAs } from '../../support/typed.ts';

const PICK = 'Resume which payment?';

const CARD: ChargeIntent = {
  operation: 'card',
  ...{ type: 'cardfiat', amount: '10', currency: 'BRL', to_currency: 'BRL' },
  ...{ chain: 'polygon', payer: 'ab', receivers: [] },
};

/** Two open payments; the second is picked, and its resume needs a card again. */
const picked = async () => {
  const home = await temporaryFolder();
  const begin = async (amount: string) =>
    withOperation(
      ioAt(home).io,
      { ...LIVE, intent: { ...CARD, amount } },
      async ({ id, state }) => [id, choiceOf(state(), Date.now())] as const,
    );
  await begin('10');
  const [id, name] = await begin('20');
  const { io, asked, said } = ioAt(home, { answers: [name, 'tok_approved'] });
  const resumed: string[] = [];
  const missing = { option: '--card-token', field: 'card_token', message: 'required', isMissing: true } as const;
  const leaf = resumeLeaf({
    about: [],
    options: [{ flag: '--card-token', value: 'TOKEN', description: 'Card' }],
    resuming: {
      area: PAYMENTS,
      asEnded: async () => ({ receipt: {} }),
      resume: async (_, given, { state }) => {
        if (stringArg(given, 'card-token') === undefined)
          throw new Failure('invalid_input', 'x', { errors: [missing] });
        resumed.push(state.id);
        return {};
      },
    },
  });
  await runAsking(leaf, () => ({ ...profiled(io, {}, {}), typed: typedAs(['pay', 'resume']) }), {});
  return { id, asked, resumed, stderr: said.stderr };
};

describe('pay resume of a picked payment that needs a card', () => {
  it('asks once for the payment, and names the payment in the command without questions', async () => {
    const { id, asked, resumed, stderr } = await picked();
    expect(asked.filter((question) => question === PICK)).toEqual([PICK]);
    expect(resumed).toEqual([id]);
    expect(stderr).toMatch(new RegExp(`bursar pay resume ${id} --card-token `));
  });
});
