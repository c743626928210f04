import type { Io, Places } from '../io/io.ts';

/** A refusal to make a call: `withheld` while a lease cannot be renewed, `taken_over` when another process has one. */
export type CallRefused = { readonly reason: 'withheld' | 'taken_over'; readonly message: string };

/** Why no call may be made now; `undefined` when one may. */
type CallGuard = () => Promise<CallRefused | undefined>;

const guards = new WeakMap<Places, readonly CallGuard[]>();

/** A guard of a home: it is called before each request of this process. */
export const addCallGuard = (places: Places, guard: CallGuard): void =>
  void guards.set(places, [...(guards.get(places) ?? []), guard]);

/**
 * `io` that makes no request while the guard refuses. A journal that machines share refuses one when another machine may
 * have taken over an operation of this process. The request counts as never sent.
 */
export const guardCalls = (io: Io): Io => ({
  ...io,
  http: {
    send: async (request) => {
      for (const guard of guards.get(io.places) ?? []) {
        const refused = await guard();
        // Each caller knows what it means: a read that was not made shows nothing about bytes that were sent.
        if (refused) return { kind: 'fault', sent: false, ...refused };
      }
      return io.http.send(request);
    },
  },
});
