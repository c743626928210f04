import type { ReadContext } from '../command/command.ts';

/** The address of the running `webhook listen` of this home, as `webhook_url` of a payment of the sandbox. Prints its use. */
export const listenerUrl = async (cli: Pick<ReadContext, 'io' | 'printNoteOnce'>): Promise<string | undefined> => {
  const { runningListener } = await import('../../webhook/listener.ts');
  const url = await runningListener(cli.io);
  if (url !== undefined)
    await cli.printNoteOnce(`webhook_url is the address of the running bursar webhook listen: ${url}`);
  return url;
};
