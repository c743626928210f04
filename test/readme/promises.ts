/** A file in `test` without `.test.ts`, and a part of the title of one test in it. */
export type Proof = readonly [file: string, title: string];

/** The tests of each promise in docs/safety.md and docs/keys-and-policies.md. They fail if the program breaks the promise. */
export const PROMISES: Readonly<Record<string, readonly Proof[]>> = {
  'Reviewed first': [
    ['chain/evm/review', '%s, even with every override'],
    ['chain/evm/review', 'allows exactly the named receiver outside the split'],
    ['chain/evm/review', 'does not allow a higher share for another receiver'],
    ['chain/evm/mutation.full', 'approves no other effect after a change of one byte of the transaction'],
    ['journeys/hostile.full', 'differs from the payment is refused, and nothing is executed: exit 10'],
    ['journeys/yield-hostile.full', 'differs from the request is refused, and nothing is broadcast: exit 10'],
  ],
  'What is not understood needs its own option': [
    ['chain/evm/review', 'is required for a call that cannot be decoded: only --allow-blind'],
    ['chain/solana/refusals', 'an unknown receiver requires a confirmation'],
    ['chain/solana/refusals', 'requires --allow-program, and still a confirmation of the loss'],
    [
      'cli/profiles/typed-amount',
      'asks for the amount also when a check needs a confirmation; --yes confirms no check',
    ],
  ],
  'The reviewed bytes are signed': [
    ['chain/evm/sign', 'has the fields of the unsigned transaction and no other'],
    ['chain/evm/sign', 'fails when the transaction of the approval was changed'],
    ['chain/evm/review', 'fails when the transaction of the review was replaced'],
    ['chain/solana/sign', 'fails when the bytes differ from the approved bytes'],
  ],
  'A node checks more': [
    ['chain/evm/node', 'refuses a matching payment, even with overrides, when the node'],
    ['chain/evm/node', 'refuses once for each missing asset, with the missing amount'],
    ['journeys/node', 'stops the payment: exit 10, nothing signed or executed, and the journal contains the reason'],
    ['journeys/money-moved.full', 'with a far nonce is refused, and nothing is signed: exit 10'],
  ],
  'Usual fees': [
    ['chain/evm/fee', 'millionths of the coin, requires a confirmation above, and is refused above ten times'],
    ['chain/evm/fee', 'gwei, requires a confirmation above, and is refused above ten times'],
    ['chain/solana/refusals', 'requires a confirmation above 0.005 SOL and is refused above ten times that'],
    [
      'journeys/money-moved.full',
      'with a fee above the usual maximum is exit 10, and above ten times the maximum refused',
    ],
    ['journeys/yield-moved.full', 'refuses a fee above the limit, and accepts a lower fee'],
  ],
  'Solana, byte for byte': [
    ['chain/solana/parse', 'parsing invalid bytes'],
    ['chain/solana/refusals', 'a fee payer that is not the wallet is refused'],
    ['chain/solana/refusals', 'a missing or invalid signature of another signer is refused'],
    ['chain/solana/refusals', 'a dangerous instruction is refused'],
    ['chain/solana/mutation.full', 'after a change of one byte, no review passes with another effect'],
  ],
  'Programs of Solana show what they take': [
    ['chain/solana/gain', 'requires a confirmation without a simulation'],
    ['chain/solana/gain', 'when another owner gets the position, even if every amount is as requested'],
    ['chain/solana/simulation', 'the simulation of a program that cannot be decoded'],
  ],
  'Stated by you': [
    ['journeys/stated', 'are not signed with --yes: exit 10, with the options that state them'],
    ['journeys/stated', 'are stated by options, by a body, and by facts that follow from them'],
    ['journeys/stated', 'are only the facts that a transaction created here leaves open'],
    ['terminal/review-question', 'marks each fact "as the service says", and a yes states these facts'],
    ['crash/mutants.full', 'facts that are signed without a statement of the user'],
  ],
  'Statements are compared, and not sent': [
    ['journeys/stated', 'are stated by options of pay sign, which then needs no --yes'],
    ['journeys/stated', 'are both named: exit 2'],
    ['journeys/stated', 'an option that the payment contradicts is refused: exit 10'],
    ['journeys/stated', 'are not stated by bytes that were signed elsewhere, and nothing is sent'],
  ],
  'One payment id, one payment': [
    [
      'journeys/stated',
      'for other facts: exit 10 and a record in the journal, and no registration of that id counts from then on',
    ],
  ],
  'Bounded in another currency': [
    ['journeys/stated', 'is paid without a terminal within --pay-at-most, and price, amount and rate are printed'],
    ['journeys/stated', 'above the bound stays open, and the printed command completes the payment'],
    ['journeys/pay-pix.full', 'is shown within --pay-at-most in BRL, and not without this bound or above it'],
  ],
  'Large amounts are typed': [
    ['cli/profiles/typed-amount', 'asks for the typed amount, and signs for'],
    ['cli/profiles/typed-amount', 'signs nothing for the typed text'],
    [
      'cli/profiles/typed-amount',
      'accepts --yes in place of the typed amount; without --yes and a terminal nothing is signed',
    ],
    ['cli/profiles/typed-amount-flows', 'is needed beside a policy, which has no rule for cards'],
  ],
  'A project file decides nothing about money': [
    [
      'cli/profiles/project',
      'gets no key of %s: exit 2 with the variable that confirms the address, and nothing is sent',
    ],
    ['cli/profiles/project', 'does not select the sandbox without a terminal: exit 4'],
    ['cli/profiles/select', 'include the profile in use when a project file selects another'],
    ['cli/profiles/store', 'the author of a project does not control signatures'],
  ],
  'The sandbox signs for itself alone': [
    ['journeys/key-policy', 'a real chain id is never signed under a sandbox profile of %s'],
    ['journeys/key-policy', 'on Solana the sandbox signs only with a blockhash of its own node'],
  ],
  'Texts cannot be transactions': [
    ['chain/message/solana', 'is refused as base64, base58 and hex of'],
    ['chain/message/solana', 'is refused even if all its bytes are printable'],
    ['cli/commands/key/messages', 'is refused with exit 10 before bursar asks for a password'],
  ],
  'Written before sent': [
    ['crash/order.full', 'sync the hash and the signed bytes before the first byte of execute'],
    ['crash/order.full', 'has the step of a call on the disk before the service reads the call'],
    ['crash/yield-order.full', 'syncs the signed bytes and the hash before the first byte of the broadcast'],
    ['journeys/payment', 'leaves a journal of mode 0600 with every step in order'],
    ['crash/mutants.full', 'a step that is recorded after its call'],
  ],
  'Sent once': [
    ['crash/kill.full', 'is made exactly once after a resume, and leaves no files behind'],
    ['crash/faults.full', 'or 11 with hash and command; a resume sends the same bytes without --yes'],
    ['crash/yield-faults.full', 'has its documented exit code, and a resume completes each operation exactly once'],
    ['crash/mutants.full', 'a transaction that is created again after an unknown outcome'],
  ],
  'Doubt stops the next one': [
    ['crash/at-once.full', 'is refused with exit 11 when the first payment may have been sent'],
    [
      'crash/yield-again.full',
      'just before the sending: signs another transaction only when a node shows that the first is dead',
    ],
    ['journeys/pay-card', 'is not charged a second time by the same command with --yes: exit 11'],
  ],
  'The node decides whether money moved': [
    ['journeys/money-moved.full', 'does not complete the payment %s: exit 8 with the hash, and the payment stays open'],
    ['journeys/money-moved.full', 'whose node stops answering leaves the payment in doubt: exit 11'],
    [
      'journeys/money-moved.full',
      'although the transaction has landed: exit 12, and the error states that the money moved',
    ],
    ['crash/mutants.full', 'a success of the service that counts without a receipt from the node'],
  ],
  'Only reads and builds are repeated': [
    ['client/outcomes', 'is retried only if the endpoint reads or builds, at most three times'],
    ['client/outcomes', 'ends the call at once when the wait exceeds --timeout'],
    ['client/outcomes', 'is described in a sentence for every endpoint that changes something'],
  ],
  'Keys are encrypted files': [
    ['keystore/encrypt', 'has the field names of geth'],
    ['keystore/keystore', 'gets mode 0600 in a folder of mode 0700 under umask 000'],
    ['keystore/keystore', 'with mode 0644 in a folder of mode 0755 is set to 0600 and 0700'],
    ['keystore/keystore', 'rejects a second key with the same name and keeps the first'],
    ['keystore/keystore', 'rejects a key file that is a symbolic link'],
    ['keystore/unlock', 'without a terminal rejects a file without an address'],
    ['keystore/unlock', 'prints a warning of the weak scrypt cost on stderr'],
    ['keystore/clear', 'is rejected with the public half of another key'],
  ],
  'No secret key in options or output': [
    ['cli/command/commands', 'take no secret as the value of an option, except a one-time code and a card token'],
    ['cli/commands/key/secrecy', 'is in stdout, stderr or a file of any command on keys'],
    ['cli/context/surroundings', 'as an option is sent with a warning, also with --quiet'],
    ['cli/context/surroundings', 'is masked in %s'],
    ['client/redaction.full', 'prints no secret that the response with HTTP'],
  ],
  'An API key stays with its host': [
    ['cli/profiles/store', 'is private, refused when others can read it, and refused for another host'],
    ['client/call', 'does not follow a redirect'],
    ['cli/print/hostile-server.full', 'follows no redirect, and its target never gets the key'],
  ],
  'No other host': [
    ['cli/context/connections', 'goes to the service, to a node that the user names, and nowhere else'],
    ['client/call', 'accepts only an https base URL, or http on loopback'],
    ['journeys/node', 'with an address that is not https, or no address'],
  ],
  'A proxy does not see the key': [
    ['cli/context/proxy.full', 'the service is reached; the proxy gets its own password, and never the API key'],
    ['cli/context/proxy.full', 'bursar connects to this machine, also when variables name a proxy'],
    ['cli/context/proxy.full', 'is refused with a hint, and the API key is not sent'],
    ['cli/context/surroundings', 'causes a warning when a call leaves this machine'],
  ],
  'A private home': [['cli/context/surroundings', 'is refused: exit 2 with its chmod, and nothing is sent']],
  'Text of a server is data': [
    ['core/escape', 'escapes terminal control sequences'],
    ['cli/print/hostile-server.full', 'prints no command for terminals and CI that the server sends'],
    ['terminal/remote-text.full', 'a message of the service, its fields and its status draw no line of bursar'],
  ],
  'No option lifts a policy': [
    [
      'journeys/key-policy',
      'no profile, variable, project file, spelling of the address of the service, name of the key or option',
    ],
    ['journeys/key-policy', 'the policy of a profile applies beside it'],
    ['crash/mutants.full', 'the policy of a key that is not read'],
  ],
  'A policy belongs to an address': [
    [
      'cli/commands/key/policy',
      'belongs to the address: it survives another name, a removal, an import and another password',
    ],
  ],
  'Only the password allows more': [
    ['cli/commands/key/policy', 'narrows a policy without the password, and prints the resulting policy'],
    ['cli/commands/key/policy', 'needs the password: a missing or wrong password is exit 2 without a change'],
    ['chain/review/key-policy', 'widens, which decides whether a change of a policy allows more'],
  ],
  'A changed policy stops signatures': [
    ['flows/policy/key-policy', 'stops every signature and names the repair'],
    ['flows/policy/key-policy', 'is refused when its file is an older one or one of another address'],
    ['cli/commands/key/policy', 'nothing is signed, exit 10, and the named command repairs the policy'],
  ],
  'A standing mandate': [
    ['journeys/stated', 'states missing facts, also a price near the market, and nothing beyond its limits'],
    ['journeys/key-policy', 'is the statement for a payment that was not entered here, and needs the password'],
    ['chain/review/key-policy', 'isMandate requires a most_per_transaction for each token'],
  ],
  'Names are those of bursar': [
    ['chain/review/key-policy', 'a token that only a profile names USDT does not count as USDT'],
    ['chain/review/key-policy', 'a chain that only a profile defines is listed by its EIP-155 id'],
  ],
  'Empty is not absent': [
    ['chain/review/policy-evm', 'without entries is no policy'],
    ['chain/review/key-policy', 'policy settings without an effect'],
  ],
  'A refusal is final': [
    ['journeys/policy', 'then exit 10, nothing sent, recorded in the journal'],
    ['chain/review/policy-evm', 'never get a better verdict than without the policy'],
    ['chain/review/policy-evm', 'does not count the fee, and does not allow a receiver outside the requested split'],
  ],
  'Refused early': [
    ['journeys/policy-ahead', 'exit 10, no call to the service, and the journal contains the refusal'],
    ['journeys/policy-ahead', 'is registered, with the warning that no key here can pay it'],
    ['journeys/policy-ahead', 'is checked against its transaction before a signature: exit 10'],
  ],
  'Recipients and contracts': [
    ['chain/review/policy-evm', 'allows %s'],
    ['chain/review/policy-evm', 'refuses %s'],
    ['chain/review/policy-solana', 'allows %s'],
    ['chain/review/policy-solana', 'that lists a program needs no --allow-program'],
  ],
  'Ask, fee, hosts': [
    ['chain/review/key-policy', 'the limits of a key policy'],
    ['chain/review/key-policy', 'allows a listed host and the host of the service, and refuses other hosts'],
    ['journeys/key-policy', 'refuses a payment with exit 10, and nothing is signed'],
    ['journeys/policy', 'refuses a wallet whose family has no chain in the policy'],
  ],
  'Limits by token': [
    ['chain/review/policy-evm', 'adds earlier outflows of the same token on any chain'],
    ['chain/review/key-policy', 'the limits of a key policy'],
  ],
  'The last 24 hours': [
    ['flows/policy/gate', 'is free again after 24 hours, and not a moment earlier'],
    ['flows/policy/gate', 'counts the same bytes once, so that signed bytes can be sent'],
    ['crash/same-nonce.full', 'counts a transaction and its replacement with the same nonce once'],
    ['journeys/policy', 'counts a payment that is only signed, and the same bytes may then be executed'],
    ['chain/review/policy-solana', 'adds earlier outflows to the outflow of a deposit'],
  ],
  'One day for an address': [
    ['journeys/key-policy', 'an address has one day for all profiles'],
    ['journal/reserved', 'apart for real chains and those of the sandbox'],
    ['flows/policy/gate', 'never sign more together than the daily limit'],
    ['journeys/key-policy', 'an operation that counts for the day cannot be forgotten: exit 10'],
  ],
  'What cannot be compared is refused': [
    ['chain/review/policy-evm', 'refuses a call whose amount and receivers are unknown'],
  ],
  Pins: [
    ['chain/evm/node', 'passes when the simulation shows exactly the requested amount'],
    ['chain/review/pins', 'refuses a call with %s, even with a matching simulation and --allow-blind'],
    ['chain/review/pins', 'the receivers of a pinned call in the simulation'],
  ],
};
