import { wantsColour } from '../../../output/colour.ts';
import { type Check, ok } from './finding.ts';

/** Whether there is a terminal, and what it can show. */
export const checkTerminal: Check = async ({ io, globals, talkStyle }) => {
  const { stdout, stdin, stderr, prompt } = io;
  if (![stdin, stdout, stderr].some((one) => one.isTerminal))
    return [ok('terminal', 'none: plain output, no questions')];
  const message = [
    stdout.isTerminal ? `${stdout.columns} columns` : 'output to a pipe or a file',
    wantsColour(io.env, stdout, globals.noColour) ? 'colour' : 'no colour',
    talkStyle.unicode ? 'Unicode' : 'ASCII',
    prompt.isPossible ? 'questions' : 'no questions',
  ];
  return [ok('terminal', message.join(', '))];
};
