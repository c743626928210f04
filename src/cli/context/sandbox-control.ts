import type { Service } from '../../client/service.ts';
import type { Io } from '../../io/io.ts';

/** The control of the sandbox of this home, to act as somebody beside the service; `undefined` for any other service. */
export const sandboxControl = async (io: Io, { kind }: Pick<Service, 'kind'>) => {
  if (kind !== 'sandbox') return undefined;
  const [{ startSandbox }, { control }] = await Promise.all([
    import('../../sandbox/launcher.ts'),
    import('../../sandbox/control-client.ts'),
  ]);
  return control(io, await startSandbox(io, {}));
};
