/**
 * Whether an id that a service gave is one: it goes into paths and into commands that a person copies, where it must not do
 * anything, nor be an option.
 */
export const isPlainId = (id: string): boolean => /^\w[\w.:-]{0,199}$/.test(id);
