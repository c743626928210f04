import { isJsonObject } from '../../core/json.ts';
import type { Body } from '../command/body.ts';
import type { CommandContext } from '../context/context.ts';
import type { ProfileSettings } from './profile.ts';

const FIELDS: readonly string[] = ['provider', 'provider_in', 'provider_out'];

type Names = Readonly<Record<string, string>>;

const nameIn = (names: Names, name: unknown): unknown =>
  typeof name === 'string' && Object.hasOwn(names, name) ? names[name] : name;

/** Replaces the user's provider names in an input by the deployment's. `fields`: the fields of the endpoints. */
export const toDeploymentNames = ({ providers }: ProfileSettings, fields: readonly string[], input: Body): Body => {
  if (!providers) return input;
  const named = FIELDS.filter((field) => fields.includes(field) && Object.hasOwn(input, field));
  return { ...input, ...Object.fromEntries(named.map((field) => [field, nameIn(providers, input[field])])) };
};

const renamed = (names: Names, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((one) => renamed(names, one));
  if (!isJsonObject(value)) return value;
  const field = ([key, inner]: [string, unknown]) => [
    key,
    FIELDS.includes(key) ? nameIn(names, inner) : renamed(names, inner),
  ];
  return Object.fromEntries(Object.entries(value).map(field));
};

/** Replaces the deployment's provider names by the user's in a table on a terminal. Other output keeps them. */
export const withOwnNames = async (cli: CommandContext, rows: unknown): Promise<unknown> => {
  const { providers } = await cli.profile();
  if (!providers || !cli.io.stdout.isTerminal || cli.globals.json) return rows;
  return renamed(Object.fromEntries(Object.entries(providers).map(([own, theirs]) => [theirs, own])), rows);
};
