/** The shells that there is a completion for. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** A shell that bursar writes completion for. */
export type Shell = (typeof SHELLS)[number];
