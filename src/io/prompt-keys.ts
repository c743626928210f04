type Key = { name?: string; ctrl?: boolean; shift?: boolean };

/** What sees a key before inquirer does, and may change it. */
export type Handler = (text: unknown, key: Key | undefined) => void;

/** readline lets such a key pass. */
const PASSING = { ctrl: true, shift: true } as const;

/** A Tab is neither a letter of an answer nor anything else that is asked for. */
export const ignoreTab: Handler = (_, key) => {
  if (key?.name === 'tab') Object.assign(key, PASSING);
};

/**
 * Keys of a list that is narrowed. inquirer would put the whole line of a choice in the place of what is typed by a Tab,
 * and drop the newline of a text that is pasted with one, for the list is not narrowed yet at that moment.
 */
export const listKeys = (input: Pick<NodeJS.ReadStream, 'emit'>): Handler => {
  let isNarrowing = false;
  return (_, key) => {
    if (key?.name === 'tab') Object.assign(key, PASSING, { name: 'none' });
    else if (key?.name !== 'return') {
      isNarrowing = true;
      setImmediate(() => {
        isNarrowing = false;
      });
    } else if (isNarrowing) {
      Object.assign(key, PASSING, { name: 'none' });
      setImmediate(() => input.emit('keypress', '\r', { name: 'return', sequence: '\r' }));
    }
  };
};

/** Sees keys before inquirer does, for the time of an answer. */
export const withKeys = async <T>(input: NodeJS.ReadStream, handler: Handler, answer: () => Promise<T>): Promise<T> => {
  input.on('keypress', handler);
  try {
    return await answer();
  } finally {
    input.off('keypress', handler);
  }
};
