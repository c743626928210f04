import { describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/commands/pay/run.ts';
import { completeNext, repeated } from '../../../src/cli/print/next-command.ts';
import { commandLine, nextStep } from '../../../src/core/next.ts';
import { typedAs } from '../../support/typed.ts';

const PAY = ['pay', 'run', '--body', 'payment.json'];
const KEYED = 'https://polygon.node.example/v2/0123456789abcdef';

const typedRun = (...more: readonly string[]) => typedAs([...PAY, ...more], run.options);

const resumedAfter = (...more: readonly string[]): string =>
  commandLine(completeNext(typedRun(...more), nextStep('pay.resume.confirmed', 'ID')));

const againAfter = (...more: readonly string[]): string =>
  commandLine(completeNext(typedRun(...more), nextStep('again.yes', repeated(typedRun(...more)))));

describe('a next command', () => {
  it('repeats the decisions and the node for a resume', () => {
    expect(resumedAfter('--allow-blind', '--rpc-url', 'https://node.example')).toBe(
      'bursar pay resume ID --yes --rpc-url https://node.example --allow-blind',
    );
  });

  it.each([['--rpc-url', KEYED] as const, [`--rpc-url=${KEYED}`] as const])(
    'names a variable for the address of a node that may contain a key: %s',
    (...words) => {
      expect(resumedAfter('--allow-blind', ...words)).toBe(
        'bursar pay resume ID --yes --rpc-url "$RPC_URL" --allow-blind',
      );
      expect(againAfter(...words)).toBe('bursar pay run --body payment.json --rpc-url "$RPC_URL" --yes');
    },
  );

  it.each([['--card-token', 'tok_secret'] as const, ['--card-token=tok_secret'] as const])(
    'names a variable for a secret: %s',
    (...words) => {
      expect(againAfter(...words)).toBe('bursar pay run --body payment.json --card-token "$CARD_TOKEN" --yes');
    },
  );

  it('repeats everything else as typed', () => {
    expect(againAfter('--intent=a=b', '--webhook-url', KEYED)).toBe(
      `bursar pay run --body payment.json --intent=a=b --webhook-url ${KEYED} --yes`,
    );
  });
});
