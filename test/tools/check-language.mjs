// Fails if a name or a text in `src` contains a retired word that has a standard term. It does not check keys of objects,
// because the names in files and in JSON are keys.
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseSync } from '@swc/core';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Parts of names, each with its standard term. */
const PARTS = [
  [/movement/i, 'operation'],
  [/wish/i, 'operation key, sources, or what is asked for'],
  [/vouch/i, 'confirm'],
  [/^fate$|^fate[A-Z]|Fate/, 'finality'],
  [/^standing|Standing/, 'status'],
  [/errand/i, 'task'],
  [/^(?:say|said)(?:$|[A-Z])|Say(?:$|[A-Z])/, 'print, write or send'],
  [/^judg(?:e|ed|ing)(?:$|[A-Z])|Judg(?:e|ed|ing)(?:$|[A-Z])/, 'validate, check or classify'],
  [/^(?:MOST|LEAST)(?:_|$)/, 'MAX, MIN'],
];

/** Whole names, each with its standard term. */
const NAMES = {
  AreaEntry: 'CommandGroup',
  Cli: 'CommandContext',
  Custom: 'EndpointCommandOptions',
  Gathering: 'InputSpec',
  Given: 'ParsedArgs',
  Leaving: 'Outflow',
  OpenSeed: 'UnlockedSeed',
  Ways: 'OnceHandlers',
  announceService: 'printTargetService',
  askAgain: 'confirmDuplicate',
  askedLine: 'equivalentCommand',
  askerOf: 'fingerprintOf',
  assertVouched: 'confirmDespiteDoubt',
  begunWith: 'deploymentOfService',
  canShow: 'supportsDryRun',
  checkHanded: 'checkReceivedAssets',
  gatherInput: 'buildInput',
  goOn: 'resume',
  heardFrom: 'withServerClock',
  holdToTyped: 'checkAgainstLocalRequest',
  insisted: 'forceQuit',
  isOn: 'boolArg',
  isOver: 'isTerminal',
  lastWords: 'interruptSummary',
  lookBack: 'reconcileEarlier',
  lookedAt: 'inspected',
  onlyShows: 'isDryRun',
  orUnknown: 'undefinedOnFailure',
  passOn: 'relay',
  remembersSince: 'nodeHistorySince',
  setAside: 'supersede',
  showsFirst: 'previewsChanges',
  takeUpCharge: 'resumeCharge',
  textOf: 'stringArg',
  textsOf: 'stringArgs',
  tidyJournal: 'cleanUpJournal',
  turnOf: 'queueFor',
  untouched: 'readOnlyIo',
};

/** Phrases that users had to read twice, each with its plain text. */
const PHRASES = [
  [/something is needed here/i, 'Required.'],
  [/the two differ; Enter/i, "Passwords don't match."],
  [/take anything later/i, 'grants no future spending rights'],
  [/is taken up\?/i, 'Resume which payment?'],
  [/--yes does not vouch/i, '--yes cannot override this.'],
  [/not at a good end/i, 'need attention'],
  [/\bMend what\b/, 'Fix'],
  [/is told of changes/i, 'Webhook URL'],
];

const isKey = (node, key) =>
  (key === 'key' && node.type !== 'AssignmentPatternProperty') ||
  (key === 'property' && node.type === 'MemberExpression' && node.property.type === 'Identifier');

/** Calls `on.name` for each name and `on.text` for each text of a file. */
const visit = (node, on) => {
  if (node === null || typeof node !== 'object') return;
  if (Array.isArray(node)) {
    for (const child of node) visit(child, on);
    return;
  }
  if (node.type === 'Identifier') on.name(node.value);
  if (node.type === 'StringLiteral') on.text(node.value);
  if (node.type === 'TemplateElement') on.text(node.cooked ?? node.raw);
  for (const [key, value] of Object.entries(node)) if (!isKey(node, key)) visit(value, on);
};

const termFor = (name) => (Object.hasOwn(NAMES, name) ? NAMES[name] : PARTS.find(([part]) => part.test(name))?.[1]);

const lineOf = (text, needle) => text.slice(0, Math.max(0, text.indexOf(needle))).split('\n').length;

const problems = [];
const files = readdirSync(`${ROOT}src`, { recursive: true }).filter((path) => path.endsWith('.ts'));
for (const path of files) {
  const text = readFileSync(`${ROOT}src/${path}`, 'utf8');
  const report = (found, message) => problems.push(`src/${path}:${lineOf(text, found)}: ${message}`);
  visit(parseSync(text, { syntax: 'typescript', target: 'es2022' }), {
    name: (name) => {
      const term = termFor(name);
      if (term) report(name, `${name}: the term is ${term}`);
    },
    text: (value) => {
      for (const [phrase, better] of PHRASES) if (phrase.test(value)) report(value, `"${value}": write ${better}`);
    },
  });
}

if (files.length === 0) problems.push('no files were found');
if (problems.length > 0) process.stderr.write(`${problems.join('\n')}\n`);
process.stdout.write(`language: ${files.length} files, ${problems.length} retired names and phrases\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
