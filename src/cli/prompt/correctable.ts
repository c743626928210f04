import { isFailure } from '../../core/failure.ts';
import { isJsonObject } from '../../core/json.ts';
import type { Command } from '../command/command.ts';

/**
 * Commands whose one call creates nothing where the service finds a field wrong. Document: `validation_error`, HTTP 400.
 * One that makes several calls may have made the first.
 */
const ONE_CALL: readonly string[] = ['pay register', 'pay transaction', 'order create', 'order update'];

/** Whether the service refused, with nothing created, only what was answered at the terminal: that can be answered anew. */
export const isCorrectable = (error: unknown, { words }: Command, answered: readonly string[]): boolean => {
  if (!isFailure(error, 'rejected') || !ONE_CALL.includes(words.join(' '))) return false;
  const { status, http, errors = [], data, isUnclear } = error.details;
  const isOfOperation = isJsonObject(data) && 'tid_hash' in data && data['tid_hash'] !== null;
  const isPlain = status === 'validation_error' && http === 400 && !isUnclear && !isOfOperation;
  return isPlain && errors.length > 0 && errors.every(({ option = '' }) => answered.includes(option));
};
