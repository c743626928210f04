import { globalsFrom } from '../../src/cli/argv/command-line.ts';
import type { CommandContext } from '../../src/cli/command/command.ts';
import type { ParsedArgs } from '../../src/cli/command/options.ts';
import { openCli } from '../../src/cli/context/context.ts';
import type { ProfileSettings } from '../../src/cli/profiles/profile.ts';
import type { Selection } from '../../src/cli/profiles/selection.ts';
import type { Service } from '../../src/client/service.ts';
import type { Io } from '../../src/io/io.ts';

/** A live profile named acme. */
export const LIVE: Service = { profile: 'acme', kind: 'live', baseUrl: 'https://acme.example', apiKey: undefined };

/** The context of a command whose profile has these settings. */
export const profiled = (
  io: Io,
  args: ParsedArgs,
  settings: ProfileSettings,
  service: Service = LIVE,
  beside: Selection['furtherLimits'] = [],
): CommandContext => {
  const cli = openCli(io, globalsFrom(args, io.env), 'test');
  const getService = async () => service;
  const client = async () => ({ io, service, deadline: cli.deadline, trace: cli.trace });
  const selection = async (): Promise<Selection> => ({
    as: 'named',
    profile: { value: service.profile, from: 'a test' },
    baseUrl: { value: service.baseUrl, from: 'a test' },
    key: 'none',
    settings,
    project: undefined,
    stored: settings,
    furtherLimits: beside,
  });
  return { ...cli, selection, profile: async () => settings, service: getService, client };
};
