import { Chalk, type ChalkInstance } from 'chalk';
import type { Io, Output } from '../io/io.ts';

const isEnabled = (value: string | undefined): boolean => value !== undefined && value !== '' && value !== '0';

/**
 * Whether a stream gets colour. Decided by --no-color, then NO_COLOR (https://no-color.org: any non-empty value), then
 * FORCE_COLOR and CLICOLOR_FORCE, then the kind of stream.
 */
export const wantsColour = (env: Io['env'], stream: Output, noColour: boolean): boolean => {
  if (noColour || env['NO_COLOR']) return false;
  if (isEnabled(env['FORCE_COLOR']) || isEnabled(env['CLICOLOR_FORCE'])) return true;
  return stream.isTerminal && env['TERM'] !== 'dumb' && env['CLICOLOR'] !== '0' && env['FORCE_COLOR'] !== '0';
};

/** Chalk with an explicit level: its own detection ignores NO_COLOR and CLICOLOR. */
export const palette = (on: boolean): ChalkInstance => new Chalk({ level: on ? 1 : 0 });
