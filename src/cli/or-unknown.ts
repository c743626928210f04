import { isFailure } from '../core/failure.ts';

/** What a look comes to; `undefined` where it fails, for the step that needs it will say why. Ctrl-C ends it all. */
export const orUnknown = async <T>(look: Promise<T>): Promise<T | undefined> => {
  try {
    return await look;
  } catch (error) {
    if (!isFailure(error) || error.code === 'interrupted') throw error;
    return undefined;
  }
};
