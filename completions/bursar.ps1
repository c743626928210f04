# Completion of bursar for PowerShell. Written by "bursar completion powershell".

Register-ArgumentCompleter -Native -CommandName bursar -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = @{
    '' = [ordered]@{ 'demo' = 'Take a payment in the sandbox, from registration to the chain'; 'quote' = 'Ask for the spot price of a pair'; 'products' = 'List the products and methods that are enabled'; 'pay' = 'Register, sign, execute and follow payments'; 'worker' = 'Pay the rows of a queue that machines share'; 'order' = 'Keep reusable order templates'; 'kyc' = 'Verify a payer''s identity'; 'yield' = 'Compare, enter and leave lending markets'; 'review' = 'Show what a transaction does, without signing it'; 'key' = 'Keep the keys that sign'; 'login' = 'Keep the API key of a service, and make a profile of it'; 'logout' = 'Remove the API key of a profile'; 'whoami' = 'Show the service of commands, its user, and what decided it'; 'profile' = 'Keep profiles: services and how to work with them'; 'journal' = 'Keep the journal in a database that machines share'; 'sandbox' = 'Run the whole service on this machine'; 'alias' = 'Keep short names for commands'; 'completion' = 'Print the completion script of a shell'; 'explain' = 'Explain an error or an exit code, and what to do'; 'doctor' = 'Check the setup of this machine, and show what to do'; 'open' = 'Open a payment, the dashboard or the API reference in a browser'; 'smoke' = 'Run flows of the service as smoke tests'; 'webhook' = 'Receive webhooks, keep them, and send them again'; 'api' = 'Send a request of your own to the service'; 'openapi' = 'Print the service as an OpenAPI 3.1 document'; 'commands' = 'List all commands, as data for tools too'; 'version' = 'Print the version'; 'help' = 'Print the help of a command, or of a topic' }
    'pay' = [ordered]@{ 'run' = 'Take a payment from registration to its end, whatever the method'; 'bulk' = 'Pay the rows of a file, each exactly once'; 'bulk-status' = 'Show how many rows of a queued batch are paid, from any machine'; 'bulk-withdraw' = 'Take the rows of a batch back that no worker has started'; 'register' = 'Register a payment'; 'transaction' = 'Create the payer transaction of a payment'; 'sign' = 'Review and sign a payment''s transaction, send nothing'; 'execute' = 'Send the signed transaction of a payment through the service'; 'status' = 'Show the state of a payment'; 'resume' = 'Find out what became of a payment, and bring it to its end'; 'list' = 'List the payments that were started on this machine'; 'show' = 'Show what the journal has of one payment'; 'forget' = 'Remove a payment from the journal' }
    'order' = [ordered]@{ 'create' = 'Create an order'; 'list' = 'List orders, newest first'; 'update' = 'Change fields of an order'; 'enable' = 'Activate an order if it is inactive'; 'disable' = 'Deactivate an order if it is active'; 'toggle' = 'Switch an order on or off'; 'export' = 'Write all orders to a file for order apply'; 'apply' = 'Create and change orders to match a file' }
    'kyc' = [ordered]@{ 'prepare' = 'Prepare a user for KYC by e-mail'; 'send-otp' = 'Send a one-time code to an e-mail address'; 'verify-otp' = 'Verify an e-mail address by its one-time code'; 'challenge' = 'Get a challenge that proves a wallet'; 'prepare-wallet' = 'Prepare a user for KYC by a proven wallet'; 'wallet-prove' = 'Prove to the service that you own the wallet of a key'; 'create' = 'Open a hosted verification session'; 'status' = 'Show the verification of a user'; 'start' = 'Take a user through all remaining KYC steps' }
    'yield' = [ordered]@{ 'strategies' = 'List yield strategies'; 'opportunities' = 'List tokens that would yield more elsewhere'; 'best' = 'Name the strategy that yields most for a token now'; 'deposit' = 'Build an unsigned deposit'; 'withdraw' = 'Build an unsigned withdrawal'; 'rebalance' = 'Build an unsigned move between providers'; 'sign' = 'Review and sign a Solana transaction, send nothing'; 'broadcast' = 'Broadcast a signed yield transaction'; 'earnings' = 'Show the positions of a wallet'; 'list' = 'List the operations that were started on this machine'; 'show' = 'Show what the journal has of one operation'; 'resume' = 'Find out what became of an operation, and bring it to its end'; 'forget' = 'Remove an operation from the journal' }
    'key' = [ordered]@{ 'new' = 'Create a new key'; 'import' = 'Import a key from a file, a private key or a mnemonic'; 'list' = 'List the keys'; 'show' = 'Show the chain, address, file and policy of a key, never its secret'; 'export' = 'Export a key as an encrypted file or unencrypted'; 'rename' = 'Rename a key'; 'passwd' = 'Change the password of a key'; 'remove' = 'Remove a key permanently'; 'policy' = 'Show or change what a key may sign'; 'sign-message' = 'Sign a text with a key'; 'verify-message' = 'Check that an address signed a text' }
    'profile' = [ordered]@{ 'list' = 'List the profiles'; 'use' = 'Set the default profile'; 'show' = 'Show a profile and its settings, never its API key'; 'set' = 'Change settings of a profile'; 'remove' = 'Remove a profile and its API key' }
    'journal' = [ordered]@{ 'init' = 'Make a journal in a PostgreSQL database, for several machines'; 'join' = 'Use the journal of another machine, with its key'; 'migrate' = 'Move the operations of this home to a journal in a database'; 'export' = 'Write every entry of the journal to a file, one a line'; 'verify' = 'Read every operation, and say which cannot be read'; 'upgrade' = 'Bring the tables of the database to the version of this bursar' }
    'sandbox' = [ordered]@{ 'start' = 'Start the sandbox in the background, or print its address'; 'stop' = 'Stop the sandbox; its state stays'; 'status' = 'Show whether the sandbox runs, its addresses, and which chains run'; 'open' = 'Open the dashboard of the sandbox in a browser'; 'reset' = 'Delete all payments, orders and balances of the sandbox'; 'logs' = 'Show the requests to the sandbox and the messages of its process'; 'fund' = 'Give a key or an address test coins and tokens'; 'balance' = 'Show the balances of a key, of an address, or of all keys'; 'inbox' = 'Show the e-mails of the sandbox, newest first'; 'kyc' = 'Decide the verification of a user, as its provider would'; 'pix' = 'Pay a Pix charge of the sandbox, or show its code'; 'card' = 'Approve or refuse a pending card of the sandbox'; 'clock' = 'Show the sandbox''s clock, or move it forward'; 'advance' = 'Move the sandbox''s clock forward'; 'snapshot' = 'Take a snapshot of the whole sandbox'; 'restore' = 'Restore a snapshot of the whole sandbox'; 'trigger' = 'Bring a new payment to a state, with its webhooks'; 'fault' = 'Make the next calls of an endpoint fail, or show which will'; 'events' = 'Show the webhooks of the sandbox and their deliveries, newest first, or send one again'; 'chain' = 'List the chains and their addresses, or switch one off or on'; 'tenant' = 'Make an API key of a new tenant of the sandbox' }
    'alias' = [ordered]@{ 'set' = 'Store a name for a command with its options'; 'list' = 'List the aliases'; 'delete' = 'Remove an alias' }
    'smoke' = [ordered]@{ 'list' = 'List the flows of the package, or the inputs of a flow'; 'run' = 'Run flows against the service as a smoke test'; 'record' = 'Write the last requests of the sandbox as a flow' }
    'webhook' = [ordered]@{ 'listen' = 'Receive webhooks on this machine, and keep them'; 'list' = 'List the received webhooks, newest first'; 'show' = 'Show a received webhook with its headers and its payload'; 'replay' = 'Send received webhooks again, with the same bytes'; 'prune' = 'Remove old webhooks from this machine' }
    'help' = [ordered]@{ 'demo' = 'Take a payment in the sandbox, from registration to the chain'; 'quote' = 'Ask for the spot price of a pair'; 'products' = 'List the products and methods that are enabled'; 'pay' = 'Register, sign, execute and follow payments'; 'worker' = 'Pay the rows of a queue that machines share'; 'order' = 'Keep reusable order templates'; 'kyc' = 'Verify a payer''s identity'; 'yield' = 'Compare, enter and leave lending markets'; 'review' = 'Show what a transaction does, without signing it'; 'key' = 'Keep the keys that sign'; 'login' = 'Keep the API key of a service, and make a profile of it'; 'logout' = 'Remove the API key of a profile'; 'whoami' = 'Show the service of commands, its user, and what decided it'; 'profile' = 'Keep profiles: services and how to work with them'; 'journal' = 'Keep the journal in a database that machines share'; 'sandbox' = 'Run the whole service on this machine'; 'alias' = 'Keep short names for commands'; 'completion' = 'Print the completion script of a shell'; 'explain' = 'Explain an error or an exit code, and what to do'; 'doctor' = 'Check the setup of this machine, and show what to do'; 'open' = 'Open a payment, the dashboard or the API reference in a browser'; 'smoke' = 'Run flows of the service as smoke tests'; 'webhook' = 'Receive webhooks, keep them, and send them again'; 'api' = 'Send a request of your own to the service'; 'openapi' = 'Print the service as an OpenAPI 3.1 document'; 'commands' = 'List all commands, as data for tools too'; 'version' = 'Print the version'; 'payments' = 'The calls of a payment in their order, its states, and how long to wait'; 'scripts' = 'A smoke test for CI, and what scripts can rely on'; 'exit-codes' = 'What each exit code means, and how an answer becomes one'; 'environment' = 'Every variable that is read, and what outranks what'; 'formatting' = 'Tables, TSV, JSON, fields and colour'; 'safety' = 'Why nothing is paid twice, and what is asked before money moves' }
    'help pay' = [ordered]@{ 'run' = 'Take a payment from registration to its end, whatever the method'; 'bulk' = 'Pay the rows of a file, each exactly once'; 'bulk-status' = 'Show how many rows of a queued batch are paid, from any machine'; 'bulk-withdraw' = 'Take the rows of a batch back that no worker has started'; 'register' = 'Register a payment'; 'transaction' = 'Create the payer transaction of a payment'; 'sign' = 'Review and sign a payment''s transaction, send nothing'; 'execute' = 'Send the signed transaction of a payment through the service'; 'status' = 'Show the state of a payment'; 'resume' = 'Find out what became of a payment, and bring it to its end'; 'list' = 'List the payments that were started on this machine'; 'show' = 'Show what the journal has of one payment'; 'forget' = 'Remove a payment from the journal' }
    'help order' = [ordered]@{ 'create' = 'Create an order'; 'list' = 'List orders, newest first'; 'update' = 'Change fields of an order'; 'enable' = 'Activate an order if it is inactive'; 'disable' = 'Deactivate an order if it is active'; 'toggle' = 'Switch an order on or off'; 'export' = 'Write all orders to a file for order apply'; 'apply' = 'Create and change orders to match a file' }
    'help kyc' = [ordered]@{ 'prepare' = 'Prepare a user for KYC by e-mail'; 'send-otp' = 'Send a one-time code to an e-mail address'; 'verify-otp' = 'Verify an e-mail address by its one-time code'; 'challenge' = 'Get a challenge that proves a wallet'; 'prepare-wallet' = 'Prepare a user for KYC by a proven wallet'; 'wallet-prove' = 'Prove to the service that you own the wallet of a key'; 'create' = 'Open a hosted verification session'; 'status' = 'Show the verification of a user'; 'start' = 'Take a user through all remaining KYC steps' }
    'help yield' = [ordered]@{ 'strategies' = 'List yield strategies'; 'opportunities' = 'List tokens that would yield more elsewhere'; 'best' = 'Name the strategy that yields most for a token now'; 'deposit' = 'Build an unsigned deposit'; 'withdraw' = 'Build an unsigned withdrawal'; 'rebalance' = 'Build an unsigned move between providers'; 'sign' = 'Review and sign a Solana transaction, send nothing'; 'broadcast' = 'Broadcast a signed yield transaction'; 'earnings' = 'Show the positions of a wallet'; 'list' = 'List the operations that were started on this machine'; 'show' = 'Show what the journal has of one operation'; 'resume' = 'Find out what became of an operation, and bring it to its end'; 'forget' = 'Remove an operation from the journal' }
    'help key' = [ordered]@{ 'new' = 'Create a new key'; 'import' = 'Import a key from a file, a private key or a mnemonic'; 'list' = 'List the keys'; 'show' = 'Show the chain, address, file and policy of a key, never its secret'; 'export' = 'Export a key as an encrypted file or unencrypted'; 'rename' = 'Rename a key'; 'passwd' = 'Change the password of a key'; 'remove' = 'Remove a key permanently'; 'policy' = 'Show or change what a key may sign'; 'sign-message' = 'Sign a text with a key'; 'verify-message' = 'Check that an address signed a text' }
    'help profile' = [ordered]@{ 'list' = 'List the profiles'; 'use' = 'Set the default profile'; 'show' = 'Show a profile and its settings, never its API key'; 'set' = 'Change settings of a profile'; 'remove' = 'Remove a profile and its API key' }
    'help journal' = [ordered]@{ 'init' = 'Make a journal in a PostgreSQL database, for several machines'; 'join' = 'Use the journal of another machine, with its key'; 'migrate' = 'Move the operations of this home to a journal in a database'; 'export' = 'Write every entry of the journal to a file, one a line'; 'verify' = 'Read every operation, and say which cannot be read'; 'upgrade' = 'Bring the tables of the database to the version of this bursar' }
    'help sandbox' = [ordered]@{ 'start' = 'Start the sandbox in the background, or print its address'; 'stop' = 'Stop the sandbox; its state stays'; 'status' = 'Show whether the sandbox runs, its addresses, and which chains run'; 'open' = 'Open the dashboard of the sandbox in a browser'; 'reset' = 'Delete all payments, orders and balances of the sandbox'; 'logs' = 'Show the requests to the sandbox and the messages of its process'; 'fund' = 'Give a key or an address test coins and tokens'; 'balance' = 'Show the balances of a key, of an address, or of all keys'; 'inbox' = 'Show the e-mails of the sandbox, newest first'; 'kyc' = 'Decide the verification of a user, as its provider would'; 'pix' = 'Pay a Pix charge of the sandbox, or show its code'; 'card' = 'Approve or refuse a pending card of the sandbox'; 'clock' = 'Show the sandbox''s clock, or move it forward'; 'advance' = 'Move the sandbox''s clock forward'; 'snapshot' = 'Take a snapshot of the whole sandbox'; 'restore' = 'Restore a snapshot of the whole sandbox'; 'trigger' = 'Bring a new payment to a state, with its webhooks'; 'fault' = 'Make the next calls of an endpoint fail, or show which will'; 'events' = 'Show the webhooks of the sandbox and their deliveries, newest first, or send one again'; 'chain' = 'List the chains and their addresses, or switch one off or on'; 'tenant' = 'Make an API key of a new tenant of the sandbox' }
    'help alias' = [ordered]@{ 'set' = 'Store a name for a command with its options'; 'list' = 'List the aliases'; 'delete' = 'Remove an alias' }
    'help smoke' = [ordered]@{ 'list' = 'List the flows of the package, or the inputs of a flow'; 'run' = 'Run flows against the service as a smoke test'; 'record' = 'Write the last requests of the sandbox as a flow' }
    'help webhook' = [ordered]@{ 'listen' = 'Receive webhooks on this machine, and keep them'; 'list' = 'List the received webhooks, newest first'; 'show' = 'Show a received webhook with its headers and its payload'; 'replay' = 'Send received webhooks again, with the same bytes'; 'prune' = 'Remove old webhooks from this machine' }
  }
  $options = @{
    'quote' = '--pair=- --try-one=- --try-two=- --amount=- --watch --every=-'
    'pay run' = '--executor-id=api_transaction|order_transaction --order-code=@orders --gateway-method=direct|subs --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --to-chain=@evm-chains --on-ramp --no-on-ramp --transaction-type=crypto|pixcrypto|fiatcrypto|cardcrypto|cardfiat --payer-email=- --payer-wallet=- --chain-name=@evm-chains --payer-token-symbol=- --payer-cpf=- --payer-name=- --payer-document=- --payer-document-type=PASSPORT|CPF|CNPJ --payer-ip=- --session-id=- --public-client-id=- --webhook-url=- --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --card-token=- --statement-descriptor=- --address-country=- --address-state=- --address-city=- --address-neighborhood=- --address-street=- --address-number=- --address-zipcode=- --address-complement=- --phone-country=- --phone-area=- --phone-number=- --card-file=@files --no-wait --body=@files --key=@evm-keys --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --pay-at-most=- --rpc-url=- --intent=-'
    'pay bulk' = '--check --batch=- --max-total=- --results=@files --concurrency=- --rate=- --doubt-wait=- --queue=- --replace --key=@evm-keys --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --rpc-url=-'
    'pay bulk-status' = '--queue=- --watch --every=-'
    'pay bulk-withdraw' = '--queue=-'
    'pay register' = '--executor-id=api_transaction|order_transaction --order-code=@orders --gateway-method=direct|subs --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --to-chain=@evm-chains --on-ramp --no-on-ramp --public-client-id=- --webhook-url=- --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files'
    'pay transaction' = '--transaction-type=crypto|pixcrypto|fiatcrypto|cardcrypto|cardfiat --payer-email=- --payer-wallet=- --chain-name=@evm-chains --payer-token-symbol=- --payer-cpf=- --payer-name=- --payer-document=- --payer-document-type=PASSPORT|CPF|CNPJ --payer-ip=- --session-id=- --card-token=- --statement-descriptor=- --address-country=- --address-state=- --address-city=- --address-neighborhood=- --address-street=- --address-number=- --address-zipcode=- --address-complement=- --phone-country=- --phone-area=- --phone-number=- --card-file=@files --amount-from=- --from-currency-symbol=- --pay-at-most=- --body=@files'
    'pay sign' = '--unsigned=@files --key=@evm-keys --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --rpc-url=- --executor-id=api_transaction|order_transaction --order-code=@orders --gateway-method=direct|subs --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --to-chain=@evm-chains --on-ramp --no-on-ramp --transaction-type=crypto|pixcrypto|fiatcrypto|cardcrypto|cardfiat --payer-email=- --payer-wallet=- --chain-name=@evm-chains --payer-token-symbol=- --payer-cpf=- --payer-name=- --payer-document=- --payer-document-type=PASSPORT|CPF|CNPJ --payer-ip=- --session-id=- --public-client-id=- --webhook-url=- --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files --pay-at-most=-'
    'pay execute' = '--key=@evm-keys --signed-transaction=- --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --rpc-url=- --executor-id=api_transaction|order_transaction --order-code=@orders --gateway-method=direct|subs --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --to-chain=@evm-chains --on-ramp --no-on-ramp --transaction-type=crypto|pixcrypto|fiatcrypto|cardcrypto|cardfiat --payer-email=- --payer-wallet=- --chain-name=@evm-chains --payer-token-symbol=- --payer-cpf=- --payer-name=- --payer-document=- --payer-document-type=PASSPORT|CPF|CNPJ --payer-ip=- --session-id=- --public-client-id=- --webhook-url=- --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files --pay-at-most=-'
    'pay status' = '--wait'
    'pay resume' = '--all --key=@evm-keys --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --rpc-url=- --card-token=- --statement-descriptor=- --address-country=- --address-state=- --address-city=- --address-neighborhood=- --address-street=- --address-number=- --address-zipcode=- --address-complement=- --phone-country=- --phone-area=- --phone-number=- --card-file=@files --new-api-key --executor-id=api_transaction|order_transaction --order-code=@orders --gateway-method=direct|subs --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --to-chain=@evm-chains --on-ramp --no-on-ramp --transaction-type=crypto|pixcrypto|fiatcrypto|cardcrypto|cardfiat --payer-email=- --payer-wallet=- --chain-name=@evm-chains --payer-token-symbol=- --payer-cpf=- --payer-name=- --payer-document=- --payer-document-type=PASSPORT|CPF|CNPJ --payer-ip=- --session-id=- --public-client-id=- --webhook-url=- --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files --pay-at-most=-'
    'pay list' = '--open --state=success|error|expired|set_aside|sent|in_doubt|payable|needs_identity|declined|unfinished|refused|failed|registered|created|signed --limit=- --all --per=payment|operation --watch --every=-'
    'worker' = '--queue=- --max-total=- --until-empty --results=@files --concurrency=- --rate=- --doubt-wait=- --key=@evm-keys --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --rpc-url=-'
    'order create' = '--executor-id=- --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --on-ramp --no-on-ramp --gateway-method=direct|subs --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files'
    'order list' = '--page=- --limit=- --all --gateway-method=direct|subs --on-ramp --no-on-ramp --active --no-active'
    'order update' = '--executor-id=- --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --on-ramp --no-on-ramp --gateway-method=direct|subs --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files'
    'order export' = '--out=@files --format=yaml|json --portable'
    'order apply' = '--file=@files --disable-others'
    'kyc prepare' = '--email=- --body=@files'
    'kyc send-otp' = '--email=- --body=@files'
    'kyc verify-otp' = '--email=- --code=- --code-stdin --otp-stdin --body=@files'
    'kyc challenge' = '--wallet=- --purpose=- --body=@files'
    'kyc prepare-wallet' = '--wallet=- --message=- --signed-bytes=- --email=- --body=@files'
    'kyc wallet-prove' = '--key=@keys --email=- --password-file=@files --password-stdin --password-keyring'
    'kyc create' = '--email=- --wallet=- --body=@files'
    'kyc status' = '--email=- --wallet=- --wait'
    'kyc start' = '--email=- --key=@keys --code-stdin --otp-stdin --otp-sent --kyc-type=- --no-open --no-wait --wait --password-file=@files --password-stdin --password-keyring'
    'yield strategies' = '--refresh'
    'yield deposit' = '--provider=@providers --chain-name=@yield-chains --asset=@assets --wallet=- --amount=- --sign --broadcast --key=@solana-keys --password-file=@files --password-stdin --password-keyring --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --intent=- --body=@files'
    'yield withdraw' = '--provider=@providers --chain-name=@yield-chains --asset=@assets --wallet=- --amount=- --sign --broadcast --key=@solana-keys --password-file=@files --password-stdin --password-keyring --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --intent=- --body=@files'
    'yield rebalance' = '--chain-name=@yield-chains --amount=- --wallet=- --signer=- --asset=@assets --symbol=- --token-mint=- --mint=- --provider-out=@providers --provider-in=@providers --provider=@providers --sign --broadcast --key=@solana-keys --password-file=@files --password-stdin --password-keyring --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --intent=- --one-by-one --body=@files'
    'yield sign' = '--transaction=@files --key=@solana-keys --password-file=@files --password-stdin --password-keyring --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --kind=deposit|withdraw|rebalance --chain-name=@yield-chains --amount=- --wallet=- --signer=- --asset=@assets --symbol=- --token-mint=- --mint=- --provider-out=@providers --provider-in=@providers --provider=@providers --body=@files'
    'yield broadcast' = '--chain-name=@yield-chains --op-signed=- --one-by-one --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --kind=deposit|withdraw|rebalance --amount=- --wallet=- --signer=- --asset=@assets --symbol=- --token-mint=- --mint=- --provider-out=@providers --provider-in=@providers --provider=@providers --body=@files'
    'yield earnings' = '--provider=@providers --chain-name=@yield-chains --asset=@assets --wallet=- --key=@solana-keys'
    'yield list' = '--open --state=settled|set_aside|sent|in_doubt|declined|unfinished|refused|failed|signed --limit=- --all --watch --every=-'
    'yield resume' = '--all --key=@solana-keys --password-file=@files --password-stdin --password-keyring --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --new-api-key'
    'review' = '--allow-blind --allow-program=- --allow-recipient=- --fee-at-most=- --rpc-url=-'
    'key new' = '--chain=evm|solana --password-file=@files --password-stdin --password-keyring'
    'key import' = '--chain=evm|solana --file=@files --source-password-file=@files --private-key-stdin --mnemonic-stdin --passphrase-file=@files --path=- --password-file=@files --password-stdin --password-keyring'
    'key export' = '--format=v3|bursar|private-key|solana-keypair --out=@files --password-file=@files --password-stdin --password-keyring'
    'key passwd' = '--password-file=@files --password-stdin --password-keyring --new-password-file=@files --new-password-stdin'
    'key policy' = '--password-file=@files --password-stdin --password-keyring'
    'key sign-message' = '--message=- --password-file=@files --password-stdin --password-keyring'
    'key verify-message' = '--address=- --message=- --signature=-'
    'login' = '--api-key-file=@files --api-key-stdin --insecure-storage --type-amount-above=-'
    'logout' = '--forget'
    'whoami' = '--offline'
    'profile set' = '--file=@files'
    'journal init' = '--lease=-'
    'journal join' = '--key-stdin'
    'journal migrate' = '--to=-'
    'sandbox start' = '--port=- --foreground --until-stdin-ends --temporary --ephemeral'
    'sandbox status' = '--watch --every=-'
    'sandbox logs' = '--status=- --method=GET|POST|PATCH|DELETE --path=- --all --bodies --follow --lines=-'
    'sandbox fund' = '--chain=ethereum|polygon|bsc|base|arbitrum|solana --token=- --amount=- --balances'
    'sandbox balance' = '--chain=ethereum|polygon|bsc|base|arbitrum|solana --all'
    'sandbox kyc' = '--approve --decline --review --expire --blocklist --quota=-'
    'sandbox pix' = '--pay --refuse --expire'
    'sandbox card' = '--approve --refuse'
    'sandbox snapshot' = '--list'
    'sandbox trigger' = '--webhook-url=- --amount=- --chain=ethereum|polygon|bsc|base|arbitrum --release=-'
    'sandbox fault' = '--count=- --retry-after=- --clear'
    'sandbox events' = '--show=- --resend=- --deliveries=- --targets --send-to=loopback|any'
    'sandbox tenant' = '--without-tenant'
    'doctor' = '--offline'
    'smoke list' = '--arazzo'
    'smoke run' = '--input=- --inputs=@files --key=@keys --password-file=@files --password-stdin --password-keyring --reporter=terminal|tap|junit|github|ndjson --live --max-amount=-'
    'smoke record' = '--out=@files --name=- --last=-'
    'webhook listen' = '--port=- --forward-to=- --status=- --verify --count=- --idle=- --public-url=-'
    'webhook list' = '--status=- --limit=-'
    'webhook show' = '--body'
    'webhook replay' = '--forward-to=- --since=- --until=- --status=-'
    'webhook prune' = '--days=- --megabytes=-'
    'api' = '--field=- --raw-field=- --input=@files --header=- --include --paginate'
    'openapi' = '--format=json|yaml --control --signer'
  }
  $places = @{
    '' = '@aliases'
    'quote' = '- -'
    'pay bulk' = '@files'
    'pay bulk-status' = '-'
    'pay bulk-withdraw' = '-'
    'pay transaction' = '@payments'
    'pay sign' = '@payments'
    'pay execute' = '@payments'
    'pay status' = '@payments'
    'pay resume' = '@pay-open'
    'pay show' = '@pay-operations'
    'pay forget' = '@pay-operations'
    'order update' = '@orders'
    'order enable' = '@orders'
    'order disable' = '@orders'
    'order toggle' = '@orders'
    'kyc create' = '-'
    'yield strategies' = '@assets'
    'yield opportunities' = '@assets'
    'yield best' = '@assets'
    'yield show' = '@yield-operations'
    'yield resume' = '@yield-open'
    'yield forget' = '@yield-operations'
    'review' = '@files'
    'key new' = '-'
    'key import' = '-'
    'key show' = '@keys'
    'key export' = '@keys'
    'key rename' = '@keys -'
    'key passwd' = '@keys'
    'key remove' = '@keys'
    'key policy' = 'show|set|unset @keys -'
    'key sign-message' = '@keys'
    'profile use' = '@profiles'
    'profile show' = '@profiles'
    'profile set' = '@profiles -'
    'profile remove' = '@profiles'
    'journal export' = '@files'
    'sandbox open' = 'payments|requests|orders|inbox|webhooks|kyc|yield|faults|chains'
    'sandbox fund' = '@keys'
    'sandbox balance' = '@keys'
    'sandbox inbox' = '-'
    'sandbox kyc' = '-'
    'sandbox pix' = '@waiting-pix'
    'sandbox card' = '@waiting-cards'
    'sandbox clock' = '-'
    'sandbox advance' = '-'
    'sandbox snapshot' = '-'
    'sandbox restore' = '-'
    'sandbox trigger' = 'registered|retry|processing|received|success|error'
    'sandbox fault' = 'pay.register|pay.transaction|pay.execute|pay.status|products.list|order.create|order.list|order.update|order.toggle|kyc.prepare|kyc.challenge|kyc.prepare-wallet|kyc.send-otp|kyc.verify-otp|kyc.create|kyc.status|yield.strategies|yield.strategies-of|yield.opportunities|yield.opportunities-of|yield.deposit|yield.withdraw|yield.rebalance|yield.broadcast|yield.earnings|quote.market @fault-kinds'
    'sandbox events' = '@payments'
    'sandbox chain' = 'enable|disable|ethereum|polygon|bsc|base|arbitrum|solana @switchable-chains'
    'alias set' = '@aliases -'
    'alias delete' = '@aliases'
    'completion' = 'bash|zsh|fish|powershell'
    'explain' = '0|1|2|3|4|5|6|7|8|9|10|11|12|13|130|unauthorized|customer_not_logged|validation_error|invalid_parameters|invalid_chain|payment_not_found|invalid_payment_status|missing_unsigned_transaction|invalid_signed_transaction|stale_transaction_nonce|payment_failed|finalizer_payment_order_on_chain_failed|blockchain_transaction_failed|kyc_verification_required|kyc_not_approved|no_fields_to_update|order_not_found|order_limit_reached|missing_params|email_already_verified|otp_invalid|otp_expired|otp_max_attempts|user_not_found|server_error|server_failed|invalid_wallet|invalid_signature|wallet_already_linked|identity_not_verified|user_not_prepared|verify_quota_exceeded|method_not_found|kyc_not_found|params_mismatch|pair_not_found|signed_transaction_missing|solana_blockhash_expired|rebalance_transaction_too_large|get_rebalance_opportunities_failed|usage|invalid_input|unreadable_file|file_exists|unwritable_file|bad_settings|key_not_found|key_exists|wrong_password|damaged_key_file|journal_unwritable|journal_unreachable|journal_damaged|confirmation_needed|declined|no_api_key|not_found|unavailable|unexpected_answer|sandbox_unavailable|identity_gate|limit_reached|not_final|rejected|refused_by_review|outcome_unknown|bad_signature|smoke_failed|rows_failed|interrupted|unwritable_output|internal'
    'open' = 'payment|dashboard|reference @payments'
    'smoke list' = 'crypto-payment|checkout-payment|kyc-email|kyc-wallet|yield|reads'
    'smoke run' = 'crypto-payment|checkout-payment|kyc-email|kyc-wallet|yield|reads'
    'webhook show' = '@webhooks'
    'webhook replay' = '@webhooks'
    'api' = 'GET|POST|PATCH|PUT|DELETE -'
  }
  $says = @{
    '--signer' = 'Another name of wallet'
    '--control' = 'Describe the sandbox''s control API instead'
    '--format' = 'Format of the file'
    '--paginate' = 'Read all pages of a list, and print them as one'
    '--include' = 'Print status and headers of the answer, then its whole body'
    '--header' = 'A header of the request'
    '--input' = 'An input of the flows'
    '--raw-field' = 'A field whose value is text'
    '--field' = 'A field: true, false, null and numbers are JSON, @FILE is the text of a file'
    '--megabytes' = 'Keep at most this much'
    '--days' = 'Keep the deliveries of this many days'
    '--status' = 'Only this status: 404, 4xx, or a status such as quote_ok'
    '--until' = 'Up to this time'
    '--since' = 'From this time on: 2026-11-28T10:00:00Z, or 2h for two hours ago'
    '--forward-to' = 'Post the same bytes to this address; never with a key'
    '--body' = 'Fields as JSON or YAML; options override them'
    '--limit' = 'How many at most'
    '--public-url' = 'Address of your tunnel to this machine, to print in its place'
    '--idle' = 'End after this time without a delivery'
    '--count' = 'How many calls fail'
    '--verify' = 'Read each payment back: has the service the payload''s status, or a later one?'
    '--port' = 'Port of the sandbox'
    '--last' = 'Only the last requests'
    '--name' = 'Name of the flow'
    '--out' = 'File to create, never overwritten'
    '--max-amount' = 'The most that the whole run may pay of a token; required on a live service'
    '--live' = 'Run against a service that is no sandbox'
    '--reporter' = 'Report: terminal, tap, junit, github, ndjson'
    '--password-keyring' = 'Take the password from the system''s keyring, where you stored it'
    '--password-stdin' = 'Read the password of the key from standard input'
    '--password-file' = 'File that holds the password of the key'
    '--key' = 'Key that signs'
    '--inputs' = 'Inputs as JSON or YAML'
    '--arazzo' = 'Print the flows as an Arazzo document'
    '--offline' = 'Do not call the service'
    '--without-tenant' = 'A key of no tenant: orders answer customer_not_logged'
    '--send-to' = 'Send webhooks only to this machine, or to every address'
    '--targets' = 'Show where webhooks may go'
    '--deliveries' = 'Show each attempt to send the webhook with this number, and the answers'
    '--resend' = 'Send the webhook again, and print the answer'
    '--show' = 'Show the webhook with this number: its body, state and attempts'
    '--clear' = 'Remove the faults that wait, all or those of ENDPOINT'
    '--retry-after' = 'Send this Retry-After'
    '--release' = 'Send the saved transaction of a payment in processing'
    '--chain' = 'Chain family of the key'
    '--amount' = 'Also show what amount A is worth at the quote, in both directions, as exact decimals'
    '--webhook-url' = 'Where the service posts changes of the payment'
    '--list' = 'List the snapshots, and take none'
    '--refuse' = 'The bank refuses'
    '--approve' = 'Approve the user'
    '--expire' = 'Let the session expire'
    '--pay' = 'The payer pays'
    '--quota' = 'Allow N sessions a month, for all users'
    '--blocklist' = 'Decline: document or face is on a blocklist'
    '--review' = 'Send the user to a manual review'
    '--decline' = 'Decline the user'
    '--all' = 'Every unfinished one of this service, those in doubt first'
    '--balances' = 'Give nothing: show its balances'
    '--token' = 'Only this token or coin'
    '--lines' = 'How many of the last entries'
    '--follow' = 'Print new entries until Ctrl-C or the end of --timeout'
    '--bodies' = 'Add query, request and answer, redacted'
    '--path' = 'Derivation path of the mnemonic'
    '--method' = 'Only this HTTP method'
    '--every' = 'With --watch: seconds between two reads'
    '--watch' = 'Repeat the call until Ctrl-C or the end of --timeout'
    '--ephemeral' = 'Store nothing: the state is deleted when it stops'
    '--temporary' = 'With --foreground: use a new private home, store nothing, and remove the home at the end'
    '--until-stdin-ends' = 'With --foreground: stop when standard input ends'
    '--foreground' = 'Stay in this process until Ctrl-C'
    '--to' = 'The database, as in BURSAR_JOURNAL'
    '--key-stdin' = 'Read the key from standard input'
    '--lease' = 'How long a stopped process keeps its operations, from 3 to 600'
    '--file' = 'Orders as YAML or JSON'
    '--forget' = 'Also remove the profile and its settings'
    '--type-amount-above' = 'Ask you to type the amount of payments above AMOUNT; TOKEN * is any other token'
    '--insecure-storage' = 'Store the key in a file that only you can read, instead of the keyring'
    '--api-key-stdin' = 'Read the API key from standard input'
    '--api-key-file' = 'File with the API key, readable only by its owner'
    '--signature' = 'Output of key sign-message: hex, or base58 for Solana'
    '--message' = 'The exact text of the challenge'
    '--address' = 'Address of the signer, EVM or Solana'
    '--new-password-stdin' = 'Read the new password from standard input'
    '--new-password-file' = 'File with the new password'
    '--passphrase-file' = 'File with the passphrase of the mnemonic, if it has one'
    '--mnemonic-stdin' = 'Read a mnemonic of 12 to 24 words from standard input'
    '--private-key-stdin' = 'Read a private key from standard input: hex, or base58 for Solana'
    '--source-password-file' = 'File with the password of --file'
    '--rpc-url' = 'A node of the chain: it is asked before signing, and shows whether money moved'
    '--fee-at-most' = 'The most that the fee may cost, in the chain''s coin'
    '--allow-recipient' = 'An address outside the split that may receive'
    '--allow-program' = 'A program that the review does not understand and that may be called'
    '--allow-blind' = 'Sign a call that the review does not understand'
    '--new-api-key' = 'The API key was replaced since the start: continue with the new one'
    '--state' = 'Only in this state'
    '--open' = 'Only what is not finished, or in doubt'
    '--wallet' = 'Wallet of the user: an EVM or Solana address'
    '--asset' = 'Symbol of the token'
    '--chain-name' = 'Chain that the payer pays from'
    '--provider' = 'Provider of the strategy: provider_a or provider_b'
    '--provider-in' = 'Provider to deposit with: provider_a or provider_b'
    '--provider-out' = 'Provider to withdraw from: provider_a or provider_b'
    '--mint' = 'Another name of asset'
    '--token-mint' = 'Another name of asset'
    '--symbol' = 'Another name of asset'
    '--kind' = 'What the transaction is for: a statement, as the options of that operation are; not sent'
    '--one-by-one' = 'Send two transactions by two calls, the second when the first has landed'
    '--op-signed' = 'Signed transaction as base64; two for a dual rebalance'
    '--transaction' = 'File with the transaction'
    '--intent' = 'Your own name for this operation: with the same journal, the same name gets the first one again'
    '--broadcast' = 'Sign it, and send it through the service (or --rpc-url)'
    '--sign' = 'Review what was built and sign it with the key; send nothing'
    '--refresh' = 'Ask the service anew; otherwise what it said in the last 10 hours counts'
    '--wait' = 'Wait until the payment is final or --timeout is over'
    '--no-wait' = 'Pix and cards: answer as soon as the payer can pay; pay resume waits'
    '--no-open' = 'Show the address of the page without opening a browser'
    '--kyc-type' = 'Kind of verification'
    '--otp-sent' = 'A code was already sent: do not send another one'
    '--otp-stdin' = 'The same as --code-stdin'
    '--code-stdin' = 'Read the code from standard input'
    '--email' = 'E-mail address of the user'
    '--signed-bytes' = 'Signature of it: hex for EVM, base58 for Solana'
    '--purpose' = 'What the proof is for; kyc when not given'
    '--code' = 'The one-time code'
    '--disable-others' = 'Deactivate the orders that are not in the file'
    '--portable' = 'Omit ids, to create the same orders in another account'
    '--split' = 'A receiver and its percentage; they sum to 100'
    '--allow' = 'A method that the payer may use; the others are off'
    '--gateway-method' = 'One-time payment or recurring subscription'
    '--no-on-ramp' = 'The opposite of --on-ramp'
    '--on-ramp' = 'On-ramp instead of off-ramp; incoming payments are never on-ramp'
    '--to-currency-symbol' = 'Currency that the receivers get'
    '--amount-from' = 'Amount in the source currency'
    '--from-currency-symbol' = 'Currency that the amount is in'
    '--executor-id' = 'Who executes the payment: the API, or a checkout of an order'
    '--no-active' = 'Show only inactive orders; reads every page'
    '--active' = 'Show only active orders; reads every page'
    '--page' = 'Which page, from 1'
    '--doubt-wait' = 'How long a row in doubt keeps its wallet waiting'
    '--rate' = 'The most calls a second'
    '--concurrency' = 'The most calls at a time; fewer while the service is slow'
    '--results' = 'Append each change of a row as a line of JSON'
    '--until-empty' = 'End when no row of these wallets is left'
    '--max-total' = 'The most that all rows may pay of a token, such as 500=USDT'
    '--queue' = 'Database with the queue and the journal, as in BURSAR_JOURNAL'
    '--per' = 'A row for each payment, or for each of its operations'
    '--pay-at-most' = 'The most to pay, in what the payer pays with, for a price in another currency'
    '--public-client-id' = 'Public client id of the tenant'
    '--session-id' = 'Fraud-prevention session; needed with a card token'
    '--payer-ip' = 'IP address of the payer; needed with a card token'
    '--payer-document-type' = 'Which document that is'
    '--payer-document' = 'Number of a document of the payer'
    '--payer-name' = 'Full name of the payer'
    '--payer-cpf' = 'CPF or CNPJ of the payer'
    '--payer-token-symbol' = 'Token that the payer pays with'
    '--payer-wallet' = 'Wallet of the payer'
    '--payer-email' = 'E-mail address of the payer'
    '--transaction-type' = 'How the payer pays'
    '--to-chain' = 'Chain on which the receivers get it'
    '--order-code' = 'Order that the payment belongs to; makes it a checkout'
    '--card-file' = 'Raw card details as JSON, passed on unchanged and never kept'
    '--phone-number' = 'Number of the phone within the area'
    '--phone-area' = 'Area code of the phone'
    '--phone-country' = 'Country code of the phone'
    '--address-complement' = 'Apartment, floor or the like'
    '--address-zipcode' = 'Postal code; its digits are sent'
    '--address-number' = 'Number of the house'
    '--address-street' = 'Street of the address'
    '--address-neighborhood' = 'Neighborhood of the address'
    '--address-city' = 'City of the address'
    '--address-state' = 'State or province'
    '--address-country' = 'Country of the billing address'
    '--statement-descriptor' = 'What the card statement shows'
    '--card-token' = 'Tokenized card; needs --payer-ip and --session-id'
    '--signed-transaction' = 'Bytes signed elsewhere: hex, or @FILE'
    '--unsigned' = 'A crypto_tx instead of a payment id, or the whole answer of pay transaction --json'
    '--replace' = 'With --queue: withdraw rows of the batch that are not in FILE and not started'
    '--batch' = 'Name that keeps the ids of this file apart from those of others'
    '--check' = 'Check the file, show its totals, and send nothing'
    '--try-two' = 'Pair that is tried second, the other way round'
    '--try-one' = 'Pair that is tried first'
    '--pair' = 'Pair as an exchange writes it, such as BTCUSDT'
    '--no-color' = 'No colour'
    '--no-input' = 'Never ask; what is missing is an error'
    '--yes' = 'Answer every confirmation with yes'
    '--timeout' = 'Longest time for the whole command, without its questions'
    '--curl' = 'Print the request as a curl command, send nothing'
    '--dry-run' = 'Print the request, send nothing'
    '--debug' = 'Show requests and answers on stderr, secrets masked'
    '--verbose' = 'Print more on stderr'
    '--quiet' = 'Print only errors and warnings about money on stderr'
    '--jq' = 'Print what a jq expression makes of the JSON; jq need not be installed'
    '--fields' = 'Print only these fields'
    '--envelope' = 'Print the service''s whole envelope (implies --json)'
    '--json' = 'Print one JSON document, on success and on failure'
    '--base-url' = 'Address of the service'
    '--profile' = 'Profile of the service to talk to; sandbox is built in'
  }
  $globals = '--profile=@profiles --base-url=- --json --envelope --fields=- --jq=- --quiet --verbose --debug --dry-run --curl --timeout=- --yes --no-input --no-color'
  $elements = @($commandAst.CommandElements | Where-Object { $_.Extent.StartOffset -lt $cursorPosition } | ForEach-Object { $_.ToString() })
  $program = $elements[0]
  $words = @($elements | Select-Object -Skip 1)
  if ($wordToComplete -and $words.Count -gt 0) { $words = @($words | Select-Object -SkipLast 1) }
  $typed = ''
  $source = ''
  $given = 0

  # What the value of an option may be; nothing for a switch.
  function Find-Source($command, $flag) {
    foreach ($one in ("$($options[$command]) $globals" -split ' ')) {
      if ($one.StartsWith("$flag=")) { return $one.Substring($flag.Length + 1) }
    }
    return ''
  }

  foreach ($word in $words) {
    if ($source) { $source = '' }
    elseif ($word -like '-*=*') { continue }
    elseif ($word -like '-*') { $source = Find-Source $typed $word }
    elseif ($commands.ContainsKey($typed) -and $commands[$typed].Contains($word)) { $typed = "$typed $word".Trim() }
    else { $given++ }
  }

  $before = ''
  $current = "$wordToComplete".TrimStart("'", '"')
  if (-not $source -and $current -like '--*=*') {
    $flag, $current = $current -split '=', 2
    $source = Find-Source $typed $flag
    $before = "$flag="
  }
  elseif (-not $source -and $current -like '-*') {
    ("$($options[$typed]) $globals").Trim() -split ' ' | ForEach-Object { ($_ -split '=', 2)[0] } |
      Where-Object { $_.StartsWith($current) } |
      ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterName', "$($says[$_]) ") }
    return
  }
  elseif (-not $source -and $commands.ContainsKey($typed)) {
    if ($given -gt 0) { return }
    $commands[$typed].GetEnumerator() | Where-Object { $_.Key.StartsWith($current) } |
      ForEach-Object { [System.Management.Automation.CompletionResult]::new($_.Key, $_.Key, 'ParameterValue', $_.Value) }
    $source = "$($places[$typed])"
  }
  elseif (-not $source) {
    $source = @("$($places[$typed])" -split ' ')[$given]
  }

  if (-not $source -or $source -eq '-' -or $source -eq '@files') { return }
  $values = if ($source.StartsWith('@')) { & $program completion --values $source.Substring(1) '--' $words $current 2>$null } else { $source -split '\|' }
  $values | Where-Object { $_.StartsWith($current) } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new("$before$_", $_, 'ParameterValue', $_) }
}
