/** The bound of what happens at once: generous for a slow machine, and far below the 30 seconds that a call may take. */
export const AT_ONCE_MS = 10_000;
