/** The limit for an action that must not wait. It suits a slow machine, and is far below the 30 seconds of a call. */
export const AT_ONCE_MS = 10_000;
