// Faults of the program that the simulation must find: one change of one file each. `stored` names the life in found/ that
// finds it. A search of 20,000 lives finds each, except the rare ones: longer runs found these in the program, and their lives
// are repeated.
export const MUTANTS = [
  {
    name: 'a line of the journal is not synced',
    stored: 'line-not-synced',
    file: 'src/io/files/files.ts',
    from: `    await file.write(text);
    await file.sync();
    return size;`,
    to: `    await file.write(text);
    return size;`,
  },
  {
    name: 'the name of a new journal file is not synced',
    stored: 'name-not-synced',
    file: 'src/io/files/files.ts',
    from: `    if (isNew) await ensureFolder(dirname(path));
    if (isNew) await syncFolder(dirname(path));
`,
    to: `    if (isNew) await ensureFolder(dirname(path));
`,
  },
  {
    name: 'the name of a folder is synced only by the process that made it',
    stored: 'folder-not-synced',
    file: 'src/io/files/folders.ts',
    from: 'if (!isNew(at) && (synced.has(at) || (await disk.stat(at)).mode !== PRIVATE_FOLDER)) return;',
    to: 'if (!isNew(at)) return;',
  },
  {
    name: 'a claim is taken although another process has it',
    stored: 'claim-ignored',
    file: 'src/io/files/claim.ts',
    from: 'else if (bytes) {',
    to: "else if (bytes && file === '') {",
  },
  {
    name: 'a stopped process counts as dead',
    stored: 'stopped-is-dead',
    file: 'src/io/files/claim.ts',
    from: "if (liveness === 'dead') await removeDead(io, file);\n    else if",
    to: "if (liveness !== 'unknown') await removeDead(io, file);\n    else if",
  },
  {
    name: 'a claim is made after the look at others',
    stored: 'claim-too-late',
    file: 'src/io/files/claim.ts',
    from: `    await io.files.createPrivate(own, JSON.stringify(await io.processes.self()));
    await board.announce(own);
    const holder`,
    to: `    const seen = await findHolder(io, board, path, own);
    if (seen) return { holder: seen };
    await io.files.createPrivate(own, JSON.stringify(await io.processes.self()));
    await board.announce(own);
    return { claim: { isHeld: async () => true, release } };
    const holder`,
  },
  {
    name: 'a claim that cannot be removed ends the command',
    stored: 'claim-not-removed',
    file: 'src/io/files/claim.ts',
    from: 'io.files.remove(own).catch(() => leave(io, own))',
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
    from: 'if (recorded.isTorn) await (await storeOf(io)).removeTornLine(id);',
    to: '',
  },
  {
    name: 'a disk that fails while a half-written line is removed is a fault of the program',
    stored: 'half-line-unremoved',
    isRare: true,
    file: 'src/journal/file-store.ts',
    from: 'await orUnwritable(pathOf(io, id), files.truncate(pathOf(io, id), sizeOfLines(bytes)));',
    to: 'await files.truncate(pathOf(io, id), sizeOfLines(bytes));',
  },
  {
    name: 'the end of a payment is written before its output',
    stored: 'end-before-output',
    file: 'src/flows/pay/run.ts',
    from: `  noteEnd(context, payment);
  return { payment, feePaid };`,
    to: `  const { id, status, tid_hash } = payment;
  await context.operation.record({ step: 'ended', payment_id: id, status, tid_hash: tid_hash ?? undefined });
  return { payment, feePaid };`,
  },
  {
    name: 'an interrupt after the output makes a failure of a success',
    stored: 'interrupted-after-output',
    file: 'src/cli/context/context.ts',
    from: "if (shared.printed === 'change') return resolve();",
    to: '',
  },
  {
    name: 'a clean-up removes what it read without a claim of the operation',
    stored: 'clean-up-unclaimed',
    isRare: true,
    file: 'src/journal/file-store.ts',
    from: '    if ((await uselessOf(id)).length === 0) continue;',
    to: `    for (const path of await uselessOf(id)) await io.files.remove(path);
    if (id !== '') continue;`,
  },
  {
    name: 'a clock that was set back hides an ended payment from the day of a policy',
    stored: 'day-of-last-event',
    isRare: true,
    file: 'src/journal/keys.ts',
    from: '...[Date.parse(state.last_at), ...reviewed.map(({ at }) => at)]',
    to: '...[Date.parse(state.last_at), ...reviewed.slice(reviewed.length).map(({ at }) => at)]',
  },
  {
    name: 'the sum of a day leaves out what other processes have signed',
    stored: 'day-of-one-process',
    file: 'src/flows/policy/day-book.ts',
    from: 'return { accepted: outflows, others: others.filter(({ digest }) => !own.includes(digest)).toSorted(byNewest) };',
    to: "return { accepted: [], others: others.filter(({ digest, state }) => !own.includes(digest) && state === 'reviewed') };",
  },
  {
    name: 'a node that is behind refuses the next payment',
    stored: 'node-behind',
    isRare: true,
    file: 'src/flows/pay/nonce.ts',
    from: 'handedSince(io, from, now - NODE_BEHIND_MS)',
    to: 'handedSince(io, from, now + NODE_BEHIND_MS)',
  },
  {
    name: 'a refusal of execute makes its bytes dead, so that another nonce may be signed',
    stored: 'refused-is-dead',
    file: 'src/journal/reduce.ts',
    from: "return { ...part, sent: before.sent === 'yes' ? 'yes' : 'maybe', isRefused, before: undefined };",
    to: "return { ...part, sent: before.sent === 'yes' ? 'yes' : isRefused ? 'no' : 'maybe', isRefused, before: undefined };",
  },
  {
    name: 'two equal payments are made at once',
    stored: 'equal-at-once',
    file: 'src/cli/operations/run-once.ts',
    from: '(await storeOf(cli.io)).claim(subjectOf(operationKey), CLAIM_PATIENCE_MS)',
    to: '(await storeOf(cli.io)).claim({ ...subjectOf(operationKey), name: String(cli.io.random.fraction()) }, CLAIM_PATIENCE_MS)',
  },
  {
    name: 'a receiver that nobody stated is paid',
    stored: 'receiver-unchecked',
    file: 'src/chain/evm/check-receivers.ts',
    from: 'if (lost.length > 0 || receivers === undefined) return lost;',
    to: 'if (lost.length >= 0 || receivers === undefined) return lost;',
  },
  {
    name: 'a card whose answer was lost is sent again',
    stored: 'card-again',
    file: 'src/journal/status.ts',
    from: "return stage === 'creating' && (isCardInDoubt || stop?.is_unknown !== false) ? 'maybe' : 'no';",
    to: "return stage === 'creating' && isCardInDoubt && stop?.is_unknown === false ? 'maybe' : 'no';",
  },
  {
    name: 'the word of the service is enough beside a node',
    stored: 'node-unasked',
    file: 'src/flows/pay/landed.ts',
    from: '  if (node === undefined) return undefined;\n  const landing',
    to: '  if (node === undefined || node.origin) return undefined;\n  const landing',
  },
  {
    name: 'a failure of other bytes that never left hides the bytes that may still land',
    stored: 'unsent-other',
    file: 'src/flows/pay/resume/settle.ts',
    from: 'operation.state().signed.slice(signedBefore).some(mayBeSent)',
    to: 'operation.state().signed.length > signedBefore',
  },
  {
    name: 'a line that cannot be written hides that other bytes may still be sent',
    stored: 'unwritten-other',
    isRare: true,
    file: 'src/flows/pay/resume/settle.ts',
    from: 'operation.state().signed.slice(signedBefore).some(mayBeSent)',
    to: 'operation.state().signed.length > signedBefore && !(isFailure(error) && error.details.isUnsent)',
  },
  {
    name: 'an interrupt does not wait for an output that has started',
    stored: 'printed-after-failure',
    isRare: true,
    file: 'src/cli/context/context.ts',
    from: 'if (shared.printing === undefined || io.forceQuit.aborted) return stop();',
    to: 'if (Math.abs(1) > 0) return stop();',
  },
  {
    name: 'the receipt of a resumed payment needs one more read of the disk',
    stored: 'result-hidden-by-read',
    isRare: true,
    file: 'src/cli/commands/pay/resume.ts',
    from: 'const facts = signedFacts(context.network, operation.state(), feePaid);',
    to: `await (await import('../../operations/area.ts')).findOperation(cli, PAYMENTS, state.id);
  const facts = signedFacts(context.network, operation.state());`,
  },
  {
    name: 'after the clock was set back, an ended operation of the future counts as the newest',
    stored: 'clock-set-back',
    isRare: true,
    file: 'src/journal/earlier.ts',
    from: 'newest !== undefined && Date.parse(newest.last_at) <= now',
    to: 'newest !== undefined',
  },
  {
    name: 'a landed yield operation that its own process reported during the check is reported once more',
    stored: 'reported-meanwhile',
    isRare: true,
    file: 'src/flows/yield/earlier.ts',
    from: 'if (handed.length > 0 || isTerminal(state)) return;',
    to: 'if (handed.length > 0) return;',
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
  {
    name: 'an expired blockhash shows that a transaction never landed',
    stored: 'expired-is-dead',
    file: 'src/flows/yield/lifetime.ts',
    from: `  const landing = await readLanding(node, open.hash);
  if (landing.kind === 'landed' || landing.kind === 'failed') return landing;
  return { kind: isPast && landing.kind === 'unseen' ? 'dead' : 'open' };`,
    to: "  return { kind: isPast ? 'dead' : 'open' };",
  },
  {
    name: 'an answer of the service shows that a transaction is dead',
    stored: 'answer-is-proof',
    file: 'src/flows/yield/lifetime.ts',
    from: 'if (witness === undefined || !lifetime.wasAlive) return false;',
    to: 'if (witness === undefined || !lifetime.wasAlive) return true;',
  },
  {
    name: 'a block that is not confirmed shows that a transaction has landed',
    stored: 'processed-is-landed',
    file: 'src/flows/yield/landing.ts',
    from: "const isConfirmed = found.confirmationStatus === 'confirmed' || found.confirmationStatus === 'finalized';",
    to: 'const isConfirmed = true;',
  },
  {
    name: 'the end of a yield operation is written before its output',
    stored: 'settled-before-output',
    file: 'src/flows/yield/run.ts',
    from: "context.operation.noteEnd({ step: 'settled', positions: after });",
    to: "await context.operation.record({ step: 'settled', positions: after });",
  },
  {
    name: 'the second half of a rebalance is sent although the first has not landed',
    stored: 'half-before-first',
    file: 'src/flows/yield/send.ts',
    from: `      if (isExpired(failure)) return { sendable, failure };
      throw failure;`,
    to: '      if (parts.length === 1) throw failure;',
  },
  {
    name: 'a resumed yield operation is built again before what was sent is settled',
    stored: 'rebuilt-unsettled',
    file: 'src/flows/yield/resume/operation.ts',
    from: "  if (isSent) return { at: 'sent', known };\n",
    to: '',
  },
  {
    name: 'a transaction is simulated on final blocks, which do not have its blockhash yet',
    stored: 'final-blocks',
    file: 'src/client/solana-rpc.ts',
    from: "const COMMITMENT = 'processed';",
    to: "const COMMITMENT = 'finalized';",
  },
  {
    name: 'a rebalance is over when only its first half has landed and a command has said so',
    stored: 'half-is-over',
    isRare: true,
    file: 'src/journal/yield-progress.ts',
    from: 'const last = isOpen ? signed[landed - 1] : undefined;',
    to: `const next = signed[landed];
  const isSaid = next?.sendingAt !== undefined && next.sent === 'no' && !next.isDead;
  const last = isOpen && !isSaid ? signed[landed - 1] : undefined;`,
  },
  {
    name: 'what has landed after all is over before its message is printed',
    stored: 'told-before-output',
    isRare: true,
    file: 'src/flows/yield/earlier.ts',
    from: "throw open.kind === 'untold' ? withDetails(failure, { whenPrinted: end }) : failure;",
    to: `if (open.kind === 'untold') await end();
  throw failure;`,
  },
  {
    name: 'a success that the service alone reported is printed again beside a node that does not show it',
    stored: 'service-word-repeated',
    isRare: true,
    file: 'src/cli/operations/resumable.ts',
    from: 'await assertEnd?.(cli, given, state);',
    to: '',
  },
  {
    name: 'what a service had accepted keeps its day when it is sent again',
    stored: 'accepted-keeps-day',
    isRare: true,
    file: 'src/journal/reduce.ts',
    from: '  return { ...each, state: sendingState(each), at: Date.parse(at), leaving: { countedAt: each.at } };',
    to: "  if (each.state === 'taken') return each;\n  return { ...each, state: sendingState(each), at: Date.parse(at), leaving: { countedAt: each.at } };",
  },
  {
    name: 'a row shows the end that another process recorded, and the node of the command does not confirm it',
    stored: 'unconfirmed-is-end',
    isRare: true,
    file: 'src/cli/operations/area.ts',
    from: "failure !== undefined && state === 'success' ? 'sent' : state",
    to: 'state',
  },
  {
    name: 'money counts from the start of its call, also when the process was stopped during the call',
    stored: 'day-of-call-start',
    isRare: true,
    file: 'src/journal/reduce.ts',
    from: 'leaving ? { ...each, at: Math.max(each.at, Date.parse(at)) }',
    to: 'leaving ? { ...each, at: Math.min(each.at, Date.parse(at)) }',
  },
  {
    name: 'an interrupt is printed beside the result of a command that changes nothing',
    stored: 'interrupted-beside-read',
    isRare: true,
    file: 'src/cli/context/context.ts',
    from: '{ isPrinted: true }',
    to: '{}',
  },
  {
    name: 'an interrupt after the result of a command that changes nothing is printed beside it',
    stored: 'interrupted-after-read',
    isRare: true,
    file: 'src/cli/context/context.ts',
    from: "shared.printed ??= 'read';",
    to: '',
  },
  {
    name: 'an id that the service gave to another payment before is that of a new one',
    stored: 'id-unchecked',
    isRare: true,
    file: 'src/flows/pay/identity.ts',
    from: 'return a !== undefined && b !== undefined && !isSameFact(a, b);',
    to: 'return false;',
  },
  {
    name: 'a later deposit of any amount is the missing half of a rebalance',
    stored: 'other-amount',
    isRare: true,
    file: 'src/journal/doubt.ts',
    from: ' || !isOfAmount(half, later)',
    to: '',
  },
  {
    name: 'a failed payment whose transaction landed does not count as paid by it',
    stored: 'landed-in-error',
    isRare: true,
    file: 'src/journal/doubt.ts',
    from: " || (status === 'error' && isShownByNode)",
    to: '',
  },
  {
    name: 'a line is written after half a line that a full disk did not let go',
    stored: 'half-line-continued',
    isRare: true,
    file: 'src/journal/operation.ts',
    from: '      if (mayBeTorn) await store.removeTornLine(id);\n',
    to: '',
  },
  {
    name: 'a failure without a hash is about all bytes whose outcome could not be recorded',
    stored: 'first-half-forgotten',
    isRare: true,
    file: 'src/journal/reduce.ts',
    from: ' && signed.findLast(({ sendingAt }) => sendingAt !== undefined) === part',
    to: '',
  },
  {
    name: 'a doubt that was accepted beside another operation closes the earlier one',
    stored: 'accepted-is-closed',
    isRare: true,
    file: 'src/flows/yield/earlier.ts',
    from: "if (open.kind !== 'sent' || isRepetition(looking, requested, open.purpose)) return end();",
    to: 'return end();',
  },
  {
    name: 'the epoch of a lease is not checked',
    stored: 'epoch-unchecked',
    file: 'test/simulation/journal-server.ts',
    from: 'lease !== undefined && lease.owner !== undefined && lease.epoch === epoch',
    to: 'lease !== undefined || epoch < 0',
  },
  {
    name: 'an entry takes any place',
    stored: 'place-unchecked',
    file: 'test/simulation/journal-server.ts',
    from: "    if (seq !== before + 1) throw new EntryRefused('stale');\n",
    to: '',
  },
  {
    name: 'a process that was stopped makes its next call',
    stored: 'calls-unguarded',
    file: 'src/journal/call-guard.ts',
    from: 'const refused = await guard();',
    to: 'const refused = undefined;',
  },
  {
    name: 'a lease counts until its end',
    stored: 'lease-to-its-end',
    file: 'src/journal/postgres/leases.ts',
    from: 'ageOf(lease) < leaseMs / 2',
    to: 'ageOf(lease) < leaseMs',
  },
  {
    name: 'a renewal counts from its answer',
    stored: 'renewed-at-answer',
    file: 'src/journal/postgres/leases.ts',
    from: 'held.set(lease.subject, { ...lease, sentAt });',
    to: 'held.set(lease.subject, { ...lease, sentAt: moment() });',
  },
  {
    name: 'a take-over does not wait for the calls of the earlier holder',
    stored: 'no-wait',
    file: 'src/journal/postgres/leases.ts',
    from: 'if (waitMs <= 0) return;',
    to: 'if (waitMs <= 1e9) return;',
  },
  {
    name: 'a process of another machine counts as dead',
    stored: 'elsewhere-is-dead',
    file: 'src/journal/postgres/leases.ts',
    from: "const isFree = liveness === 'dead' ||",
    to: "const isFree = liveness !== 'alive' ||",
  },
  {
    name: 'an entry whose commit has no answer counts as written',
    stored: 'lost-is-written',
    file: 'src/journal/postgres/postgres-store.ts',
    from: `    if (await database.hasEntry(last)) return;
    try {`,
    to: `    if (last.seq > 0) return;
    try {`,
  },
  {
    name: 'the claim on the intent is not checked when an operation starts',
    stored: 'intent-unchecked',
    file: 'src/journal/postgres/postgres-store.ts',
    from: 'under: subject === undefined ?',
    to: 'under: subject === undefined || seq === 1 ?',
  },
  {
    name: 'the id of an operation has a part of a millisecond',
    stored: 'part-of-millisecond',
    file: 'src/journal/postgres/postgres-store.ts',
    from: 'Math.floor(await reached(database.now()))',
    to: 'await reached(database.now())',
  },
  {
    name: 'a first entry without an answer is a fault of the program',
    stored: 'unanswered-start',
    file: 'src/journal/operation.ts',
    from: '(isFirst ? failure : inDoubtWithout(failure, state(undefined)))',
    to: '(isFirst && failure.details.isUnsent ? failure : inDoubtWithout(failure, state(undefined)))',
  },
  {
    name: 'a lease that another machine has taken is still held',
    stored: 'lost-lease-held',
    file: 'src/journal/postgres/leases.ts',
    from: 'if (kept.get(lease.subject) === lease.epoch) held',
    to: 'if (kept.get(lease.subject) === lease.epoch || !lease.isLost) held',
  },
  {
    name: 'an entry whose commit has no answer is made anew',
    stored: 'lost-is-unwritten',
    file: 'src/journal/postgres/postgres-store.ts',
    from: `    if (await database.hasEntry(last)) return;
    try {
      await write();`,
    to: `    try {
      if (await database.hasEntry(last)) await database.append({ ...last, seq: last.seq + 1 });
      else await write();`,
  },
  {
    name: 'neither a name nor the claim on it makes an operation the only one',
    stored: 'name-not-unique',
    file: 'src/journal/postgres/postgres-store.ts',
    from: `        name: seq === 1 && name !== undefined ? journal.mac('name', name) : undefined,
        under: subject === undefined ?`,
    to: `        name: undefined,
        under: subject === undefined || seq === 1 ?`,
  },
  {
    name: 'a read that is withheld ends a command that has sent bytes as if nothing was sent',
    stored: 'withheld-ends',
    file: 'src/journal/call-guard.ts',
    from: "if (refused) return { kind: 'fault', sent: false, ...refused };",
    to: `if (refused) {
          const { Failure } = await import('../core/failure.ts');
          throw new Failure('journal_unreachable', refused.message, { isUnsent: true });
        }`,
  },
  {
    name: 'the identity of a row includes its line',
    stored: 'line-in-identity',
    file: 'src/cli/commands/pay/bulk/plan-row.ts',
    from: '  const name = nameOf(batch, row.id);',
    to: '  const name = nameOf(batch, row.id + row.line);',
  },
  {
    name: 'what an earlier run left in doubt holds no wallet',
    stored: 'earlier-doubt-free',
    file: 'src/cli/commands/pay/bulk/doubts.ts',
    from: '    if (isPaymentIntent(started.intent)) lanes.block(walletOf(run, started.intent), id);',
    to: "    if (isPaymentIntent(started.intent) && id === '') lanes.block(walletOf(run, started.intent), id);",
  },
  {
    name: 'the next row of a wallet takes its turn while an earlier one is in doubt',
    stored: 'turn-in-doubt',
    file: 'src/bulk/lanes.ts',
    from: 'active === undefined && (doubts.size === 0 || doubts.has(operationId));',
    to: 'active === undefined && (doubts.size >= 0 || doubts.has(operationId));',
  },
  {
    name: 'a wallet is free again after --doubt-wait',
    stored: 'free-after-wait',
    file: 'src/bulk/lanes.ts',
    from: `        lane.isHeld = true;
        failAll(lane, held, (waiting) => !lane.doubts.has(waiting));`,
    to: `        lane.doubts.delete(operationId);
        admitNext(lane);`,
  },
  {
    name: 'a node that does not know a transaction frees its wallet',
    stored: 'pool-unasked',
    file: 'src/cli/commands/pay/bulk/pay-row.ts',
    from: '  return isJsonObject(found);',
    to: '  return found === undefined || !isJsonObject(found) || node !== undefined;',
  },
  {
    name: 'a row may move to another wallet after its creation',
    stored: 'row-moves',
    file: 'src/cli/commands/pay/bulk/plan-row.ts',
    from: `  const wallet = earlier && payerOf(earlier);
`,
    to: `  const wallet = earlier && payerOf(earlier) && (undefined as string | undefined);
`,
  },
  {
    name: 'a row is reported as paid before its end is in the journal',
    stored: 'paid-before-end',
    file: 'src/cli/commands/pay/bulk/pay-row.ts',
    from: `    await attempt(context.cli);
`,
    to: `    const printCommitted = async (receipt: unknown) => {
      await context.cli.printCommitted(receipt);
      await run.report(endOf(subject.row, receipt));
    };
    await attempt({ ...context.cli, printCommitted });
`,
  },
  {
    name: 'a payment that ended in error counts as paid',
    stored: 'error-is-paid',
    file: 'src/cli/commands/pay/bulk/plan-row.ts',
    from: "earlier !== undefined && isTerminal(earlier) && statusOf(earlier) === 'success';",
    to: "earlier !== undefined && isTerminal(earlier) && statusOf(earlier) !== '';",
  },
  {
    name: '--max-total does not count rows that an earlier run started',
    stored: 'total-of-new-rows',
    file: 'src/cli/commands/pay/bulk/check.ts',
    from: '    sums.count(planned);',
    to: '    if (planned.earlier === undefined || planned.keys.length === 0) sums.count(planned);',
  },
  {
    name: '--max-total is not compared with the rows',
    stored: 'total-unchecked',
    file: 'src/cli/commands/pay/bulk/confirm.ts',
    from: 'if (limit === undefined || compareDecimals(amount, limit.amount) <= 0) continue;',
    to: "if (limit === undefined || compareDecimals(amount, '0') >= 0) continue;",
  },
  {
    name: 'a Pix that is paid at once has no end in the journal',
    stored: 'no-end-at-once',
    file: 'src/cli/commands/pay/charge.ts',
    from: `  if (payment?.status === 'success') noteEnd(context, payment);
`,
    to: '',
  },
  {
    name: 'a disk that fails while the rows are read is a fault of the program',
    stored: 'rows-unreadable',
    file: 'src/io/files/files.ts',
    from: 'file.read(buffer, start).catch(orUnreadable)',
    to: 'file.read(buffer, start)',
  },
];
