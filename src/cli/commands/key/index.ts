import { loadingEach } from '../../command/command.ts';

/** Loads the commands of `key`. */
export const loadKey = loadingEach({
  new: async () => (await import('./manage.ts')).newKey,
  import: async () => (await import('./transfer.ts')).importKey,
  list: async () => (await import('./list.ts')).list,
  show: async () => (await import('./show.ts')).show,
  export: async () => (await import('./transfer.ts')).exportKey,
  rename: async () => (await import('./manage.ts')).rename,
  passwd: async () => (await import('./manage.ts')).passwd,
  remove: async () => (await import('./manage.ts')).remove,
  policy: async () => (await import('./policy.ts')).policy,
  'sign-message': async () => (await import('./message.ts')).signMessage,
  'verify-message': async () => (await import('./message.ts')).verifyMessage,
});
