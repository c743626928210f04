// Faults of the program that the simulation must find: one change of one file each. `stored` names the life in found/ that
// finds it.
export const MUTANTS = [
  {
    name: 'a line of the journal is not synced',
    stored: 'line-not-synced',
    file: 'src/io/files/files.ts',
    from: `      await file.write(text);
      await file.sync();
    } catch`,
    to: `      await file.write(text);
    } catch`,
  },
  {
    name: 'the name of a new journal file is not synced',
    stored: 'name-not-synced',
    file: 'src/io/files/files.ts',
    from: '    if (isNew) await syncFolder(dirname(path));\n',
    to: '',
  },
  {
    name: 'the name of a folder is synced only by the process that made it',
    stored: 'folder-not-synced',
    file: 'src/io/files/files.ts',
    from: 'if (!isNew(at) && (synced.has(at) || (await disk.stat(at)).mode !== PRIVATE_FOLDER)) return;',
    to: 'if (!isNew(at)) return;',
  },
  {
    name: 'a half-written line stays after a failed write',
    stored: 'half-line-stays',
    file: 'src/io/files/files.ts',
    from: '      await file.truncate(size).catch(() => undefined);\n',
    to: '',
  },
  {
    name: 'a claim is taken although another process has it',
    stored: 'claim-ignored',
    file: 'src/io/files/claim.ts',
    from: "else if (bytes) return { process, file, isRunningHere: liveness === 'alive' };",
    to: '',
  },
  {
    name: 'a stopped process counts as dead',
    stored: 'stopped-is-dead',
    file: 'src/io/files/claim.ts',
    from: "if (liveness === 'dead') await io.files.remove(file);\n    else if",
    to: "if (liveness !== 'unknown') await io.files.remove(file);\n    else if",
  },
  {
    name: 'a claim is made after the look at others',
    stored: 'claim-too-late',
    file: 'src/io/files/claim.ts',
    from: `  await io.files.createPrivate(own, JSON.stringify(await io.processes.self()));
  const release`,
    to: `  const seen = await findHolder(io, path, own);
  if (seen) return { holder: seen };
  await io.files.createPrivate(own, JSON.stringify(await io.processes.self()));
  return { claim: { isHeld: async () => true, release: () => io.files.remove(own).catch(() => undefined) } };
  const release`,
  },
  {
    name: 'a claim that cannot be removed ends the command',
    stored: 'claim-not-removed',
    file: 'src/io/files/claim.ts',
    from: 'io.files.remove(own).catch(() => undefined)',
    to: 'io.files.remove(own)',
  },
  {
    name: 'a call is written after it was made',
    stored: 'call-before-line',
    file: 'src/flows/read-back.ts',
    from: `  await operation.record(before);
  let result: T;
  try {
    result = await work();`,
    to: `  let result: T;
  try {
    result = await work();
    await operation.record(before);`,
  },
  {
    name: 'sent bytes count as never sent',
    stored: 'sent-is-unsent',
    file: 'src/journal/operation-state.ts',
    from: "export const mayBeSent = ({ sent }: SignedPart): boolean => sent !== 'no';",
    to: "export const mayBeSent = ({ sent }: SignedPart): boolean => sent === 'yes';",
  },
  {
    name: 'a name is looked up in no journal',
    stored: 'name-ignored',
    file: 'src/cli/operations/run-once.ts',
    from: 'const named = requested.key === undefined ? undefined : await findEarlier(cli.io, operationKey);',
    to: 'const named = undefined as OperationState | undefined;',
  },
  {
    name: 'a payment in doubt does not stop the same again',
    stored: 'doubt-ignored',
    file: 'src/cli/operations/run-once.ts',
    from: 'if (earlier) await confirmDuplicate(',
    to: 'if (earlier && cli.globals.json === undefined) await confirmDuplicate(',
  },
  {
    name: 'a half-written line is not removed before the next',
    stored: 'half-line-joined',
    file: 'src/journal/operation.ts',
    from: 'if (recorded.isTorn) await storeOf(io).removeTornLine(id);',
    to: '',
  },
  {
    name: 'a disk that fails while a half-written line is removed is a fault of the program',
    stored: 'half-line-unremoved',
    file: 'src/journal/file-store.ts',
    from: 'await orUnwritable(pathOf(io, id), files.truncate(pathOf(io, id), sizeOfLines(bytes)));',
    to: 'await files.truncate(pathOf(io, id), sizeOfLines(bytes));',
  },
  {
    name: 'the end of a payment is written before its output',
    stored: 'end-before-output',
    file: 'src/cli/commands/pay/run.ts',
    from: 'context: { ...context, warned, isEndedByCommand: true }',
    to: 'context: { ...context, warned }',
  },
  {
    name: 'a resume does not claim its operation',
    stored: 'resume-unclaimed',
    file: 'src/journal/operation.ts',
    from: `export const reopenOperation = async (io: Io, id: string): Promise<ReopenedOperation> => {
  const claim = await claimOperation(io, id);`,
    to: `export const reopenOperation = async (io: Io, id: string): Promise<ReopenedOperation> => {
  const claim: Claim = { isHeld: async () => true, release: async () => undefined };`,
  },
];
