import type { Command } from '../command/command.ts';
import type { Argument, Option } from '../command/options.ts';

/** Something that can be given: an option, or an argument. */
export type Declared = { readonly flag: string; readonly name: string } & Pick<
  Option,
  'description' | 'choices' | 'isRepeatable' | 'check' | 'value' | 'isHidden' | 'isSecret'
> &
  Pick<Argument, 'completes'>;

const ofOption = (option: Option): Declared => ({ ...option, name: option.flag.slice(2) });

const ofArgument = ({ name, ...argument }: Argument): Declared => ({
  ...argument,
  flag: name,
  name: name.toLowerCase(),
  value: name,
});

/** What an error names: one option or argument, or several of which one will do. */
export const declaredIn = (command: Command, named: string): readonly Declared[] => {
  const options = (command.options ?? []).map(ofOption);
  const all = [...options, ...(command.arguments ?? []).map(ofArgument)];
  const whole = all.find(({ flag }) => flag === named);
  if (whole) return [whole];
  const flags = named.match(/--[a-z][a-z0-9-]*|\b[A-Z][A-Z_=]+\b/g) ?? [];
  return flags.flatMap((flag) => all.find((one) => one.flag === flag) ?? []);
};
