import { closest } from '../../../core/closest.ts';
import { Failure } from '../../../core/failure.ts';
import { effectOfFlow, type Flow, type FlowFile } from '../../../smoke/flow.ts';
import { builtInFlows } from '../../../smoke/flows/index.ts';
import { readFlows } from '../../../smoke/read-flows.ts';
import { readGiven } from '../../command/body.ts';
import type { CommandContext } from '../../command/command.ts';

/** A flow to run, and its document. */
export type ChosenFlow = { readonly file: FlowFile; readonly flow: Flow };

/** Whether a word names a file: a flow of the package has neither a dot nor a slash. */
const isFile = (word: string): boolean => word === '-' || /[./\\]/.test(word);

/** The workflows of a document that run by themselves: not those that others call, and no cleanups. */
const mainFlows = ({ flows }: FlowFile): readonly Flow[] => {
  const called = flows.flatMap(({ cleanup, steps }) => [
    cleanup,
    ...steps.map(({ operation }) => (operation.source === 'workflow' ? operation.workflowId : undefined)),
  ]);
  const main = flows.filter(({ id }) => !called.includes(id));
  return main.length > 0 ? main : flows;
};

/** The flows that words name: flows of the package, and files. Without words: all flows in the sandbox, else `reads`. */
export const chooseFlows = async (
  cli: CommandContext,
  words: readonly string[],
  isSandbox: boolean,
): Promise<readonly ChosenFlow[]> => {
  const builtIn = await builtInFlows(cli.version);
  const names = builtIn.flows.map(({ id }) => id);
  const usual = isSandbox ? names : ['reads'];
  const chosen: ChosenFlow[] = [];
  for (const word of words.length > 0 ? words : usual) {
    const flow = builtIn.flows.find(({ id }) => id === word);
    if (flow) chosen.push({ file: builtIn, flow });
    else if (isFile(word) || (await cli.io.files.targetFacts(word))) {
      const file = await readFlows(await readGiven(cli.io, word), word === '-' ? 'standard input' : word);
      chosen.push(...mainFlows(file).map((one) => ({ file, flow: one })));
    } else {
      const near = closest(word, names);
      throw new Failure('invalid_input', `FLOW: no flow and no file is named ${word}`, {
        hint: `${near ? `Did you mean ${near}? ` : ''}The flows are ${names.join(', ')}.`,
      });
    }
  }
  const twice = chosen.find(({ flow }, at) => chosen.findIndex((other) => other.flow.id === flow.id) !== at);
  if (twice) throw new Failure('invalid_input', `two flows of this run are named ${twice.flow.id}`);
  return chosen;
};

/** The flows that pay. */
export const payingFlows = (chosen: readonly ChosenFlow[]): readonly Flow[] =>
  chosen.filter(({ flow, file }) => effectOfFlow(flow, file.flows) === 'pays').map(({ flow }) => flow);

/** Throws `invalid_input` for a step that only a sandbox can answer. */
export const assertAllowedSteps = (chosen: readonly ChosenFlow[], isSandbox: boolean): void => {
  for (const { file } of chosen) {
    const controlled = file.flows.flatMap(({ steps }) => steps).find(({ operation }) => operation.source === 'control');
    if (controlled && !isSandbox)
      throw new Failure(
        'invalid_input',
        `${file.name}: step ${controlled.id} calls the control of a sandbox, and this service has none`,
      );
  }
};
