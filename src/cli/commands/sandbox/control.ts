import type { CommandContext } from '../../context/context.ts';

/** The control of this home's sandbox, which is started when it does not run. */
export const sandboxControl = async (cli: CommandContext) => {
  const { startSandbox } = await import('../../../sandbox/launcher.ts');
  const { control } = await import('../../../sandbox/control-client.ts');
  const address = await startSandbox(cli.io, {});
  return control(cli.withServerClock(address.url), address);
};
