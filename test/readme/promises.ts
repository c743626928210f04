/** A file in `test` without `.test.ts`, and a part of the title of one test in it. */
export type Proof = readonly [file: string, title: string];

/** The tests of each promise in docs/safety.md and docs/keys-and-policies.md. They fail if the program breaks the promise. */
export const PROMISES: Readonly<Record<string, readonly Proof[]>> = {
  'Reviewed first': [
    ['chain/evm/review', 'a crypto_tx that was tampered with in one field is refused'],
    ['chain/evm/review', 'lets a recipient outside the split pass, by name'],
    ['chain/evm/review', 'for one recipient never lets another get more than its share'],
    ['chain/evm/mutation.full', 'is never approved with another meaning after one byte of it changed'],
    ['journeys/hostile.full', 'a service that asks for something else is refused, and nothing is executed: exit 10'],
    [
      'journeys/yield-hostile.full',
      'a service that builds something else is refused, and nothing is broadcast: exit 10',
    ],
  ],
  'What is not understood needs its own option': [
    ['chain/evm/review', 'is needed for a call that is not understood, and only --allow-blind gives it'],
    ['chain/solana/refusals', 'a receiver that nothing vouches for needs the word of the user'],
    ['chain/solana/refusals', 'needs the word made for it, and with the signature of the wallet the debit is in doubt'],
    [
      'cli/profiles/typed-amount',
      'asks for the amount where a review has doubts too, and says so; --yes still vouches for none',
    ],
  ],
  'The reviewed bytes are signed': [
    ['chain/evm/sign', 'carries its fields and nothing else'],
    ['chain/evm/sign', 'when the approval was changed after it was given'],
    ['chain/evm/review', 'cannot be made of one review for the bytes of another'],
    ['chain/solana/sign', 'when the bytes are not those that were approved'],
  ],
  'A node checks more': [
    ['chain/evm/node', 'stops a payment that reads well, whatever is allowed'],
    ['chain/evm/node', 'that shows that the payer lacks %s refuses it, with what is missing and once'],
    ['journeys/node', 'stops it: exit 10, nothing signed, nothing executed, and the journal keeps why'],
    ['journeys/money-moved.full', 'with a far nonce is refused, and nothing is signed'],
  ],
  'Usual fees': [
    ['chain/evm/fee', 'millionths of its coin, is for the user to decide above, and refused above ten times'],
    ['chain/evm/fee', 'gwei, is for the user to decide above, and refused above ten times'],
    ['chain/solana/refusals', 'a fee above 0.005 SOL is for the user to decide, and above ten times that refused'],
    ['journeys/money-moved.full', 'with a whole fee above the usual one is exit 10, and above ten times refused'],
    ['journeys/yield-moved.full', 'refuses a fee above it, and lets one below pass'],
  ],
  'Solana, byte for byte': [
    ['chain/solana/parse', 'what web3.js would take, or half take, is refused'],
    ['chain/solana/refusals', 'a fee payer that is not the wallet is refused'],
    ['chain/solana/refusals', 'a required signature that is missing or of other bytes is refused'],
    ['chain/solana/refusals', 'an instruction that hands over more is refused, whatever the user says'],
    ['chain/solana/mutation.full', 'no change of one byte leaves a reviewed transaction fine with another meaning'],
  ],
  'Programs of Solana show what they take': [
    ['chain/solana/gain', 'is in doubt without a simulation'],
    ['chain/solana/gain', 'that credits somebody else is not signed without the user, though every amount is as asked'],
    ['chain/solana/simulation', 'a simulation settles what a program that is not understood takes'],
  ],
  'Stated by you': [
    ['journeys/stated', 'are signed by no --yes: exit 10, with the options that state them'],
    ['journeys/stated', 'are stated by options, by a body, and by what derives from them'],
    ['journeys/stated', 'are those that a transaction made here leaves open: only the rest is named'],
    ['terminal/review-question', 'marks each fact as the service says, and a yes states exactly these'],
    ['crash/mutants.full', 'facts that nobody stated and that are signed'],
  ],
  'Statements are compared, and not sent': [
    ['journeys/stated', 'are stated by options of pay sign, which needs no --yes then'],
    ['journeys/stated', 'end with both named: exit 2'],
    ['journeys/stated', 'an option that the payment contradicts is refused: exit 10'],
    ['journeys/stated', 'are not stated by bytes that were signed elsewhere, and nothing is sent'],
  ],
  'One payment id, one payment': [
    ['journeys/stated', 'for other facts: exit 10, journaled, and no registration of it counts any more'],
  ],
  'Bounded in another currency': [
    ['journeys/stated', 'is paid by a script within --pay-at-most; price, amount and rate are shown'],
    ['journeys/stated', 'above the bound stays open, and the printed command ends it'],
    [
      'journeys/pay-pix.full',
      'is shown within the bound that --pay-at-most states in BRL, and not without one or above it',
    ],
  ],
  'Large amounts are typed': [
    ['cli/profiles/typed-amount', 'has the amount typed, and signs when it is'],
    ['cli/profiles/typed-amount', 'is typed: exit 10'],
    ['cli/profiles/typed-amount', '--yes stands for what is typed; without it and without a person nothing is signed'],
    ['cli/profiles/typed-amount-flows', 'holds beside a policy, which says nothing of cards'],
  ],
  'A project file decides nothing about money': [
    ['cli/profiles/project', 'gets no key of %s: exit 2 with what confirms it, and nothing is sent'],
    ['cli/profiles/project', 'has not asked for it without a terminal'],
    ['cli/profiles/select', 'are that of the profile in use where a project file chose another'],
    ['cli/profiles/store', 'what is signed is not up to whoever wrote the project'],
  ],
  'The sandbox signs for itself alone': [
    ['journeys/key-policy', 'a real chain id is never signed under a sandbox that %s names'],
    ['journeys/key-policy', 'on Solana the sandbox signs only with a blockhash that its own node knows'],
  ],
  'Texts cannot be transactions': [
    ['chain/message/solana', 'is refused as base64, base58 and hex of'],
    ['chain/message/solana', 'is refused also where every byte of it is printable'],
    ['cli/commands/key/messages', 'is refused with 10 before a password is asked for'],
  ],
  'Written before sent': [
    ['crash/order.full', 'the hash and the signed bytes are synced before the first byte of execute leaves'],
    ['crash/order.full', 'has the step on the disk when the service reads the call that it precedes'],
    ['crash/yield-order.full', 'has the signed bytes and the hash synced before their first byte leaves'],
    ['journeys/payment', 'leaves a journal, 0600, with every step in order'],
    ['crash/mutants.full', 'a journal that is written after the call'],
  ],
  'Sent once': [
    ['crash/kill', 'and taken up again is made exactly once, and leaves nothing behind'],
    ['crash/faults.full', 'else 11 with hash, state and command; a resume sends the same bytes without a word'],
    ['crash/yield-faults.full', 'ends with the exit code of the design; after a resume each is done exactly once'],
    ['crash/mutants.full', 'a transaction that is created again after an unknown outcome'],
  ],
  'Doubt stops the next one': [
    ['crash/at-once.full', 'after one that may have been sent is not made: exit 11'],
    [
      'crash/yield-again.full',
      'just before it is sent: another is signed only when a node shows that this one is dead',
    ],
    ['journeys/pay-card', 'the same again is not charged beside it without a person who has looked'],
  ],
  'The node decides whether money moved': [
    ['journeys/money-moved.full', 'is not believed %s: exit 8 with the hash, and the payment stays open'],
    ['journeys/money-moved.full', 'whose node does not answer any more leaves it in doubt: exit 11'],
    ['journeys/money-moved.full', 'though the transaction has landed: exit 12, and that the money moved'],
    ['crash/mutants.full', 'a success of the service that no node shows'],
  ],
  'Only reads and builds are repeated': [
    ['client/outcomes', 'is called again only if it reads or builds, at most three times'],
    ['client/outcomes', 'is declined at once when it is beyond --timeout'],
    ['client/outcomes', 'is written down for every call of the service, each with a sentence'],
  ],
  'Keys are encrypted files': [
    ['keystore/encrypt', 'has the fields as geth spells them'],
    ['keystore/keystore', 'is 0600 in a folder of 0700 under umask 000'],
    ['keystore/keystore', 'is tightened when it was 0644 in a folder of 0755'],
    ['keystore/keystore', 'never overwrites: the second of a name is refused and the first stands'],
    ['keystore/keystore', 'refuses a symbolic link, which could lead anywhere'],
    ['keystore/unlock', 'without a terminal refuses a file without an address'],
    ['keystore/unlock', 'names the weakness of the file on stderr'],
    ['keystore/clear', 'is refused with a public half of another key'],
  ],
  'No secret key in options or output': [
    ['cli/command/commands', 'take no secret as the value of an option, but a one-time code and the token of a card'],
    ['cli/commands/key/secrecy', 'by stdout, stderr or a file of any command on keys'],
    ['cli/context/surroundings', 'as an option is sent and warned about, with --quiet too'],
    ['cli/context/surroundings', 'is masked in %s'],
    ['client/redaction.full', 'shows no secret that was sent, however an answer'],
  ],
  'An API key stays with its host': [
    ['cli/profiles/store', 'is private, refused when others can read it, and never leaves for another host'],
    ['client/call', 'never carries the key to where a redirect points'],
    ['cli/print/hostile-server.full', 'that leads elsewhere never gets the key there'],
  ],
  'No other host': [
    ['cli/context/connections', 'goes to the service, to a node that the user names, and nowhere else'],
    ['client/call', 'travels over https, or to this machine'],
    ['journeys/node', 'whose address is not https, or none'],
  ],
  'A proxy does not see the key': [
    ['cli/context/proxy', 'the service is reached, the proxy gets its own password, and never sees the key'],
    ['cli/context/proxy', 'goes what is for this machine, whatever the environment says'],
    ['cli/context/proxy', 'is refused in words, with what to do, and the key is not sent'],
    ['cli/context/surroundings', 'is named where a call leaves this machine'],
  ],
  'A private home': [['cli/context/surroundings', 'holds no keys: exit 2 and the command that closes it']],
  'Text of a server is data': [
    ['core/escape', 'lets no terminal sequence through'],
    ['cli/print/hostile-server.full', 'that puts commands for terminals and CI into everything'],
    ['terminal/remote-text.full', 'a message of the service, its fields and its status draw no line of ours'],
  ],
  'No option lifts a policy': [
    ['journeys/key-policy', 'no profile, variable, project file, spelling of the address, name of the key or option'],
    ['journeys/key-policy', 'the policy of a profile holds beside it'],
    ['crash/mutants.full', 'the policy of a key that is not looked up'],
  ],
  'A policy belongs to an address': [
    ['cli/commands/key/policy', 'is that of the address: under every name, after a rename, a removal and an import'],
  ],
  'Only the password allows more': [
    ['cli/commands/key/policy', 'narrows without the password, and says what holds'],
    ['cli/commands/key/policy', 'needs the password: without one exit 2 and all as it was'],
    ['chain/review/key-policy', 'what widens a policy'],
  ],
  'A changed policy stops signatures': [
    ['flows/policy/key-policy', 'stops every signature, and says what to do'],
    ['flows/policy/key-policy', 'an older file in its place is found, and a file of another address'],
    ['cli/commands/key/policy', 'nothing is signed, exit 10, and the command that is named ends it'],
  ],
  'A standing mandate': [
    ['journeys/stated', 'stands for what nobody stated, for a price too where it is near the market'],
    ['journeys/key-policy', 'stands for the statement of a payment that was not entered here, and needs the password'],
    ['chain/review/key-policy', 'a standing mandate has a most for each of its tokens'],
  ],
  'Names are those of bursar': [
    ['chain/review/key-policy', 'a token that a profile calls USDT is not USDT to it'],
    ['chain/review/key-policy', 'a chain that only a profile knows is named by its id'],
  ],
  'Empty is not absent': [
    ['chain/review/policy-evm', 'that limits nothing is none'],
    ['chain/review/key-policy', 'settings that would limit nothing'],
  ],
  'A refusal is final': [
    ['journeys/policy', 'then exit 10, nothing sent, kept in the journal'],
    ['chain/review/policy-evm', 'a policy never makes a review better, and what is approved is within all of it'],
    ['chain/review/policy-evm', 'does not count the fee, and does not make good who is not in the split'],
  ],
  'Refused early': [
    ['journeys/policy-ahead', 'exit 10, the service hears nothing of it, the journal keeps it'],
    ['journeys/policy-ahead', 'that no key here can is said'],
    ['journeys/policy-ahead', 'is held against its transaction before anything is signed, as ever'],
  ],
  'Recipients and contracts': [
    ['chain/review/policy-evm', 'lets pass %s'],
    ['chain/review/policy-evm', 'refuses %s'],
    ['chain/review/policy-solana', 'lets pass %s'],
    ['chain/review/policy-solana', 'that lists a program allows it as the option does, and nothing beside'],
  ],
  'Ask, fee, hosts': [
    ['chain/review/key-policy', 'the parts of a policy that are new'],
    ['chain/review/key-policy', 'lets pass a host that is listed, refuses any other'],
    ['journeys/key-policy', 'refuses a payment with 10, and nothing is signed'],
    ['journeys/policy', 'refuses a wallet of a family that no chain of the policy is of'],
  ],
  'Limits by token': [
    ['chain/review/policy-evm', 'counts what left before, of the same token on any chain and in any spelling'],
    ['chain/review/key-policy', 'the parts of a policy that are new'],
  ],
  'The last 24 hours': [
    ['flows/policy/gate', 'is free again after 24 hours, and not a moment earlier'],
    ['flows/policy/gate', 'counts the same bytes once: what was signed can be sent'],
    ['crash/same-nonce.full', 'counts a transaction and its replacement with the same nonce once'],
    ['journeys/policy', 'what was only signed counts, and the same bytes may then be executed'],
    ['chain/review/policy-solana', 'counts a deposit, and both kinds of rebalance alike'],
  ],
  'One day for an address': [
    ['journeys/key-policy', 'the day of an address is one, over every profile'],
    ['journal/reserved', 'apart for real chains and those of the sandbox'],
    ['flows/policy/gate', 'never sign more together than the limit of the day'],
    ['journeys/key-policy', 'what counts towards its day is not forgotten'],
  ],
  'What cannot be compared is refused': [
    ['chain/review/policy-evm', 'cannot hold a limit against what nobody can tell'],
  ],
  Pins: [
    ['chain/evm/node', 'is fine when a simulation takes the amount that was asked, and nothing else'],
    ['chain/review/pins', 'refuses a call with %s, also where a simulation is right and blind signing is allowed'],
    ['chain/review/pins', 'where a pinned call sends the money, by the simulation'],
  ],
};
