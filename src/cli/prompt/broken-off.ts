import { Failure, isFailure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Command } from '../command/command.ts';

/** Questions about what was begun earlier: that may have been sent, whatever is not sent now. */
const isOfOperation = ({ words }: Command, { details }: Failure): boolean =>
  words.at(-1) === 'resume' || (isJsonObject(details.data) && 'movement' in details.data);

const leavingOperation = (broken: Failure, { details }: Failure): Failure =>
  new Failure('interrupted', broken.message, {
    ...broken.details,
    data: broken.details.data ?? details.data,
    hint: broken.details.hint ?? 'Nothing was sent now. What was begun earlier stands as it did.',
    next: broken.details.next ?? details.next,
    cause: broken,
  });

/** Only what names missing things is asked about: with nothing done now, and nothing done by the questions. */
export const sayingNothingSent = async <T>(command: Command, failure: Failure, questions: Promise<T>): Promise<T> => {
  try {
    return await questions;
  } catch (error) {
    if (!isFailure(error, 'interrupted')) throw error;
    if (isOfOperation(command, failure)) throw leavingOperation(error, failure);
    const { calls = [] } = command;
    const says = `interrupted; nothing was ${calls.length > 0 ? 'sent' : 'done'}`;
    throw new Failure('interrupted', says, { ...error.details, hint: error.details.hint ?? says, cause: error });
  }
};
