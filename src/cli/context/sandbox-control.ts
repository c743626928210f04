import type { Service } from '../../client/service.ts';
import type { Io } from '../../io/io.ts';
import type { CommandContext } from '../command/command.ts';

/** The control of the sandbox of this home, to act as somebody beside the service; `undefined` for any other service. */
export const sandboxControl = async (io: Io, service: Pick<Service, 'kind'>) =>
  (await addressedControl(io, service))?.call;

/** The same with the address and the key of the control. */
export const addressedControl = async (io: Io, { kind }: Pick<Service, 'kind'>) => {
  if (kind !== 'sandbox') return undefined;
  const [{ startSandbox }, { control }] = await Promise.all([
    import('../../sandbox/launcher.ts'),
    import('../../sandbox/control-client.ts'),
  ]);
  const address = await startSandbox(io, {});
  return { baseUrl: address.url, key: address.control_key, call: control(io, address) };
};

/** A question of the sandbox, and what a yes does: it acts as a bank, an issuer or a provider would. */
export type Offer = { readonly question: string; readonly act: () => Promise<void> };

/**
 * Asks to act while a command waits. A change of what it waits for makes the question obsolete: `withdraw`. With --yes
 * nobody is asked. Without an offer nothing is asked either.
 */
export const offerWhileWaiting = (
  { io, globals }: Pick<CommandContext, 'io' | 'globals'>,
  offer: Offer | undefined,
) => {
  const changed = new AbortController();
  const ask = async (): Promise<void> => {
    if (offer === undefined || !io.prompt.isPossible || globals.yes) return;
    try {
      // Esc is a no: the command goes on waiting.
      const answer = await io.prompt.untilBack(() => io.prompt.confirm(offer.question, true, changed.signal));
      if (answer === true) await offer.act();
    } catch (error) {
      if (!changed.signal.aborted) throw error;
    }
  };
  const asked = ask();
  const withdraw = async (): Promise<void> => {
    changed.abort();
    await asked;
  };
  return {
    withdraw,
    /** Waits for the answer, or for the end of the work, which may fail. */
    untilAnswered: async (work: Promise<unknown>): Promise<void> => {
      await Promise.race([asked, work.catch(() => undefined)]);
      await withdraw();
    },
  };
};
