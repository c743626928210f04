/** What help says of an option, without its notes: whoever is asked or offered it needs no "required". */
export const withoutNotes = (says: string): string => says.replace(/ \((?:required|repeatable|default\b[^)]*)\)/g, '');
