import { Failure } from '../../../core/failure.ts';
import type { Command } from '../../command/command.ts';
import { type ParsedArgs, stringArg } from '../../command/options.ts';
import { required } from '../../command/required.ts';
import type { CommandContext } from '../../context/context.ts';
import { sandboxControl } from './control.ts';

const FORWARD_ONLY = 'It only goes forward; sandbox reset sets it back. Codes, sessions, quotas and rates follow it.';

/** Moves the clock by a span, or shows it where there is none. */
const moveBy = async (cli: CommandContext, span: string | undefined): Promise<void> => {
  if (span !== undefined) {
    const { SPAN } = await import('../../../sandbox/clock.ts');
    if (!SPAN.test(span)) {
      throw new Failure('invalid_input', `"${span}" is not a span of time such as 10m, 36h or 1d12h`);
    }
  }
  const control = await sandboxControl(cli);
  await cli.printResult(span === undefined ? await control.clock() : await control.advance(span));
};

/** `sandbox clock`. */
export const clock: Command = {
  words: ['sandbox', 'clock'],
  summary: "Show the sandbox's clock, or move it forward",
  about: [FORWARD_ONLY],
  arguments: [{ name: 'SPAN', description: 'How far, such as +10m or 1d12h', isOptional: true }],
  fails: ['sandbox_unavailable', 'rejected'],
  examples: ['sandbox clock', 'sandbox clock +10m'],
  run: (cli, given: ParsedArgs) => moveBy(cli, stringArg(given, 'span')),
};

/** `sandbox advance`. */
export const advance: Command = {
  words: ['sandbox', 'advance'],
  summary: "Move the sandbox's clock forward",
  about: ['The same as sandbox clock with a span.', FORWARD_ONLY],
  arguments: [{ name: 'SPAN', description: 'How far, such as 10m or 1d12h' }],
  fails: ['sandbox_unavailable', 'rejected'],
  examples: ['sandbox advance 10m'],
  run: async (cli, given) => {
    const { SPAN: span } = required({ SPAN: stringArg(given, 'span') });
    await moveBy(cli, span);
  },
};
