/** Whether a file's mode lets others than its owner in. */
export const isOpenToOthers = ({ mode }: { readonly mode: number }): boolean => (mode & 0o077) !== 0;
