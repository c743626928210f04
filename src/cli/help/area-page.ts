import type { Command, CommandGroup } from '../command/command.ts';
import { leafPage } from './command-page.ts';
import { items, type Page, section, text } from './page.ts';

const firstExample = ({ examples }: Command): readonly string[] => examples.slice(0, 1).map((line) => `bursar ${line}`);

const MAX_EXAMPLES = 3;

const listOf = ({ name, summary }: CommandGroup, members: readonly Command[]): Page => {
  const groups = groupedLeaves(name, members);
  // One command of each group shows more than three of the first group.
  const shown = groups.length === 1 ? members : groups.flatMap(({ leaves }) => leaves.slice(0, 1));
  return {
    name: `bursar ${name}`,
    summary: `${summary}.`,
    usage: `bursar ${name} <command> [options]`,
    examples: shown.slice(0, MAX_EXAMPLES).flatMap(firstExample),
    sections: [
      ...groups.flatMap(({ heading, leaves: listed }) =>
        section(heading, items(listed.map(({ words, summary }) => [words[1] ?? '', summary]))),
      ),
      ...section('More', ...text(`One command with its options: bursar help ${name} COMMAND`)),
    ],
  };
};

/** The page of a command group, or of its only command. */
export const areaPage = (area: CommandGroup, members: readonly Command[]): Page => {
  const [only] = members;
  return only && only.words.length === 1 ? leafPage(only) : listOf(area, members);
};

/** The headings of the commands in a group. A group without an entry has one list. */
const LEAF_GROUPS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  pay: {
    'Whole payments': ['run', 'resume'],
    'Many payments': ['bulk', 'bulk-status', 'bulk-withdraw'],
    'Step by step': ['register', 'transaction', 'sign', 'execute', 'status'],
    'The journal of this machine': ['list', 'show', 'forget'],
  },
  order: {
    'One order': ['create', 'list', 'update', 'toggle', 'enable', 'disable'],
    'All orders as a file': ['export', 'apply'],
  },
  kyc: {
    'Whole verifications': ['start', 'wallet-prove'],
    'By e-mail, step by step': ['prepare', 'send-otp', 'verify-otp'],
    'By wallet, step by step': ['challenge', 'prepare-wallet'],
    'Then, either way': ['create', 'status'],
  },
  yield: {
    Markets: ['strategies', 'opportunities', 'best', 'earnings'],
    Operations: ['deposit', 'withdraw', 'rebalance', 'resume'],
    'Step by step': ['sign', 'broadcast'],
    'The journal of this machine': ['list', 'show', 'forget'],
  },
  key: {
    'Make and keep': ['new', 'import', 'list', 'show', 'rename', 'passwd', 'export', 'remove'],
    'What it may sign': ['policy'],
    Messages: ['sign-message', 'verify-message'],
  },
  sandbox: {
    'The sandbox itself': ['start', 'stop', 'status', 'open', 'reset', 'logs'],
    'Actions of users and banks': ['fund', 'balance', 'inbox', 'kyc', 'pix', 'card', 'tenant'],
    'Time and trouble': ['clock', 'advance', 'snapshot', 'restore', 'trigger', 'fault', 'chain', 'events'],
  },
};

/** The commands of a group under their headings. Commands without a heading come last. */
export const groupedLeaves = (area: string, commands: readonly Command[]) => {
  const groups = Object.entries(LEAF_GROUPS[area] ?? {});
  const named = groups.flatMap(([, names]) => names);
  const isNamed = ({ words: [, verb = ''] }: Command) => named.includes(verb);
  const inGroups = groups.map(([heading, names]) => ({
    heading,
    leaves: names.flatMap((name) => commands.filter(({ words }) => words[1] === name)),
  }));
  const rest = {
    heading: groups.length === 0 ? 'Commands' : 'Others',
    leaves: commands.filter((command) => !isNamed(command)),
  };
  return [...inGroups, rest].filter((group) => group.leaves.length > 0);
};
