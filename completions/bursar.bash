# Completion of bursar for bash. Written by "bursar completion bash".

_bursar_tables() {
  commands= options= arguments=
  case "$1" in
    '') commands='demo quote products pay worker order kyc yield review key login logout whoami profile journal sandbox alias completion explain doctor open smoke webhook api openapi commands version help' ;;
    'pay') commands='run bulk bulk-status bulk-withdraw register transaction sign execute status resume list show forget' ;;
    'order') commands='create list update enable disable toggle export apply' ;;
    'kyc') commands='prepare send-otp verify-otp challenge prepare-wallet wallet-prove create status start' ;;
    'yield') commands='strategies opportunities best deposit withdraw rebalance sign broadcast earnings list show resume forget' ;;
    'key') commands='new import list show export rename passwd remove policy sign-message verify-message' ;;
    'profile') commands='list use show set remove' ;;
    'journal') commands='init join migrate export verify upgrade' ;;
    'sandbox') commands='start stop status open reset logs fund balance inbox kyc pix card clock advance snapshot restore trigger fault events chain tenant' ;;
    'alias') commands='set list delete' ;;
    'smoke') commands='list run record' ;;
    'webhook') commands='listen list show replay prune' ;;
    'help') commands='demo quote products pay worker order kyc yield review key login logout whoami profile journal sandbox alias completion explain doctor open smoke webhook api openapi commands version payments scripts exit-codes environment formatting safety' ;;
    'help pay') commands='run bulk bulk-status bulk-withdraw register transaction sign execute status resume list show forget' ;;
    'help order') commands='create list update enable disable toggle export apply' ;;
    'help kyc') commands='prepare send-otp verify-otp challenge prepare-wallet wallet-prove create status start' ;;
    'help yield') commands='strategies opportunities best deposit withdraw rebalance sign broadcast earnings list show resume forget' ;;
    'help key') commands='new import list show export rename passwd remove policy sign-message verify-message' ;;
    'help profile') commands='list use show set remove' ;;
    'help journal') commands='init join migrate export verify upgrade' ;;
    'help sandbox') commands='start stop status open reset logs fund balance inbox kyc pix card clock advance snapshot restore trigger fault events chain tenant' ;;
    'help alias') commands='set list delete' ;;
    'help smoke') commands='list run record' ;;
    'help webhook') commands='listen list show replay prune' ;;
  esac
  case "$1" in
    'quote') options='--pair=- --try-one=- --try-two=- --amount=- --watch --every=-' ;;
    'pay run') options='--executor-id=api_transaction|order_transaction --order-code=@orders --gateway-method=direct|subs --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --to-chain=@evm-chains --on-ramp --no-on-ramp --transaction-type=crypto|pixcrypto|fiatcrypto|cardcrypto|cardfiat --payer-email=- --payer-wallet=- --chain-name=@evm-chains --payer-token-symbol=- --payer-cpf=- --payer-name=- --payer-document=- --payer-document-type=PASSPORT|CPF|CNPJ --payer-ip=- --session-id=- --public-client-id=- --webhook-url=- --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --card-token=- --statement-descriptor=- --address-country=- --address-state=- --address-city=- --address-neighborhood=- --address-street=- --address-number=- --address-zipcode=- --address-complement=- --phone-country=- --phone-area=- --phone-number=- --card-file=@files --no-wait --body=@files --key=@evm-keys --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --pay-at-most=- --rpc-url=- --intent=-' ;;
    'pay bulk') options='--check --batch=- --max-total=- --results=@files --concurrency=- --rate=- --doubt-wait=- --queue=- --replace --key=@evm-keys --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --rpc-url=-' ;;
    'pay bulk-status') options='--queue=- --watch --every=-' ;;
    'pay bulk-withdraw') options='--queue=-' ;;
    'pay register') options='--executor-id=api_transaction|order_transaction --order-code=@orders --gateway-method=direct|subs --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --to-chain=@evm-chains --on-ramp --no-on-ramp --public-client-id=- --webhook-url=- --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files' ;;
    'pay transaction') options='--transaction-type=crypto|pixcrypto|fiatcrypto|cardcrypto|cardfiat --payer-email=- --payer-wallet=- --chain-name=@evm-chains --payer-token-symbol=- --payer-cpf=- --payer-name=- --payer-document=- --payer-document-type=PASSPORT|CPF|CNPJ --payer-ip=- --session-id=- --card-token=- --statement-descriptor=- --address-country=- --address-state=- --address-city=- --address-neighborhood=- --address-street=- --address-number=- --address-zipcode=- --address-complement=- --phone-country=- --phone-area=- --phone-number=- --card-file=@files --amount-from=- --from-currency-symbol=- --pay-at-most=- --body=@files' ;;
    'pay sign') options='--unsigned=@files --key=@evm-keys --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --rpc-url=- --executor-id=api_transaction|order_transaction --order-code=@orders --gateway-method=direct|subs --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --to-chain=@evm-chains --on-ramp --no-on-ramp --transaction-type=crypto|pixcrypto|fiatcrypto|cardcrypto|cardfiat --payer-email=- --payer-wallet=- --chain-name=@evm-chains --payer-token-symbol=- --payer-cpf=- --payer-name=- --payer-document=- --payer-document-type=PASSPORT|CPF|CNPJ --payer-ip=- --session-id=- --public-client-id=- --webhook-url=- --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files --pay-at-most=-' ;;
    'pay execute') options='--key=@evm-keys --signed-transaction=- --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --rpc-url=- --executor-id=api_transaction|order_transaction --order-code=@orders --gateway-method=direct|subs --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --to-chain=@evm-chains --on-ramp --no-on-ramp --transaction-type=crypto|pixcrypto|fiatcrypto|cardcrypto|cardfiat --payer-email=- --payer-wallet=- --chain-name=@evm-chains --payer-token-symbol=- --payer-cpf=- --payer-name=- --payer-document=- --payer-document-type=PASSPORT|CPF|CNPJ --payer-ip=- --session-id=- --public-client-id=- --webhook-url=- --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files --pay-at-most=-' ;;
    'pay status') options='--wait' ;;
    'pay resume') options='--all --key=@evm-keys --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --rpc-url=- --card-token=- --statement-descriptor=- --address-country=- --address-state=- --address-city=- --address-neighborhood=- --address-street=- --address-number=- --address-zipcode=- --address-complement=- --phone-country=- --phone-area=- --phone-number=- --card-file=@files --new-api-key --executor-id=api_transaction|order_transaction --order-code=@orders --gateway-method=direct|subs --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --to-chain=@evm-chains --on-ramp --no-on-ramp --transaction-type=crypto|pixcrypto|fiatcrypto|cardcrypto|cardfiat --payer-email=- --payer-wallet=- --chain-name=@evm-chains --payer-token-symbol=- --payer-cpf=- --payer-name=- --payer-document=- --payer-document-type=PASSPORT|CPF|CNPJ --payer-ip=- --session-id=- --public-client-id=- --webhook-url=- --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files --pay-at-most=-' ;;
    'pay list') options='--open --state=success|error|expired|set_aside|sent|in_doubt|payable|needs_identity|declined|unfinished|refused|failed|registered|created|signed --limit=- --all --per=payment|operation --watch --every=-' ;;
    'worker') options='--queue=- --max-total=- --until-empty --results=@files --concurrency=- --rate=- --doubt-wait=- --key=@evm-keys --password-file=@files --password-stdin --password-keyring --allow-blind --allow-recipient=- --fee-at-most=- --rpc-url=-' ;;
    'order create') options='--executor-id=- --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --on-ramp --no-on-ramp --gateway-method=direct|subs --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files' ;;
    'order list') options='--page=- --limit=- --all --gateway-method=direct|subs --on-ramp --no-on-ramp --active --no-active' ;;
    'order update') options='--executor-id=- --from-currency-symbol=- --amount-from=- --to-currency-symbol=- --on-ramp --no-on-ramp --gateway-method=direct|subs --allow=pixcrypto|cardcrypto|cardfiat|cryptopix|crypto --split=- --body=@files' ;;
    'order export') options='--out=@files --format=yaml|json --portable' ;;
    'order apply') options='--file=@files --disable-others' ;;
    'kyc prepare') options='--email=- --body=@files' ;;
    'kyc send-otp') options='--email=- --body=@files' ;;
    'kyc verify-otp') options='--email=- --code=- --code-stdin --otp-stdin --body=@files' ;;
    'kyc challenge') options='--wallet=- --purpose=- --body=@files' ;;
    'kyc prepare-wallet') options='--wallet=- --message=- --signed-bytes=- --email=- --body=@files' ;;
    'kyc wallet-prove') options='--key=@keys --email=- --password-file=@files --password-stdin --password-keyring' ;;
    'kyc create') options='--email=- --wallet=- --body=@files' ;;
    'kyc status') options='--email=- --wallet=- --wait' ;;
    'kyc start') options='--email=- --key=@keys --code-stdin --otp-stdin --otp-sent --kyc-type=- --no-open --no-wait --wait --password-file=@files --password-stdin --password-keyring' ;;
    'yield strategies') options='--refresh' ;;
    'yield deposit') options='--provider=@providers --chain-name=@yield-chains --asset=@assets --wallet=- --amount=- --sign --broadcast --key=@solana-keys --password-file=@files --password-stdin --password-keyring --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --intent=- --body=@files' ;;
    'yield withdraw') options='--provider=@providers --chain-name=@yield-chains --asset=@assets --wallet=- --amount=- --sign --broadcast --key=@solana-keys --password-file=@files --password-stdin --password-keyring --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --intent=- --body=@files' ;;
    'yield rebalance') options='--chain-name=@yield-chains --amount=- --wallet=- --signer=- --asset=@assets --symbol=- --token-mint=- --mint=- --provider-out=@providers --provider-in=@providers --provider=@providers --sign --broadcast --key=@solana-keys --password-file=@files --password-stdin --password-keyring --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --intent=- --one-by-one --body=@files' ;;
    'yield sign') options='--transaction=@files --key=@solana-keys --password-file=@files --password-stdin --password-keyring --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --kind=deposit|withdraw|rebalance --chain-name=@yield-chains --amount=- --wallet=- --signer=- --asset=@assets --symbol=- --token-mint=- --mint=- --provider-out=@providers --provider-in=@providers --provider=@providers --body=@files' ;;
    'yield broadcast') options='--chain-name=@yield-chains --op-signed=- --one-by-one --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --kind=deposit|withdraw|rebalance --amount=- --wallet=- --signer=- --asset=@assets --symbol=- --token-mint=- --mint=- --provider-out=@providers --provider-in=@providers --provider=@providers --body=@files' ;;
    'yield earnings') options='--provider=@providers --chain-name=@yield-chains --asset=@assets --wallet=- --key=@solana-keys' ;;
    'yield list') options='--open --state=settled|set_aside|sent|in_doubt|declined|unfinished|refused|failed|signed --limit=- --all --watch --every=-' ;;
    'yield resume') options='--all --key=@solana-keys --password-file=@files --password-stdin --password-keyring --rpc-url=- --allow-program=- --allow-recipient=- --fee-at-most=- --new-api-key' ;;
    'review') options='--allow-blind --allow-program=- --allow-recipient=- --fee-at-most=- --rpc-url=-' ;;
    'key new') options='--chain=evm|solana --password-file=@files --password-stdin --password-keyring' ;;
    'key import') options='--chain=evm|solana --file=@files --source-password-file=@files --private-key-stdin --mnemonic-stdin --passphrase-file=@files --path=- --password-file=@files --password-stdin --password-keyring' ;;
    'key export') options='--format=v3|bursar|private-key|solana-keypair --out=@files --password-file=@files --password-stdin --password-keyring' ;;
    'key passwd') options='--password-file=@files --password-stdin --password-keyring --new-password-file=@files --new-password-stdin' ;;
    'key policy') options='--password-file=@files --password-stdin --password-keyring' ;;
    'key sign-message') options='--message=- --password-file=@files --password-stdin --password-keyring' ;;
    'key verify-message') options='--address=- --message=- --signature=-' ;;
    'login') options='--api-key-file=@files --api-key-stdin --insecure-storage --type-amount-above=-' ;;
    'logout') options='--forget' ;;
    'whoami') options='--offline' ;;
    'profile set') options='--file=@files' ;;
    'journal init') options='--lease=-' ;;
    'journal join') options='--key-stdin' ;;
    'journal migrate') options='--to=-' ;;
    'sandbox start') options='--port=- --foreground --until-stdin-ends --temporary --ephemeral' ;;
    'sandbox status') options='--watch --every=-' ;;
    'sandbox logs') options='--status=- --method=GET|POST|PATCH|DELETE --path=- --all --bodies --follow --lines=-' ;;
    'sandbox fund') options='--chain=ethereum|polygon|bsc|base|arbitrum|solana --token=- --amount=- --balances' ;;
    'sandbox balance') options='--chain=ethereum|polygon|bsc|base|arbitrum|solana --all' ;;
    'sandbox kyc') options='--approve --decline --review --expire --blocklist --quota=-' ;;
    'sandbox pix') options='--pay --refuse --expire' ;;
    'sandbox card') options='--approve --refuse' ;;
    'sandbox snapshot') options='--list' ;;
    'sandbox trigger') options='--webhook-url=- --amount=- --chain=ethereum|polygon|bsc|base|arbitrum --release=-' ;;
    'sandbox fault') options='--count=- --retry-after=- --clear' ;;
    'sandbox events') options='--show=- --resend=- --deliveries=- --targets --send-to=loopback|any' ;;
    'sandbox tenant') options='--without-tenant' ;;
    'doctor') options='--offline' ;;
    'smoke list') options='--arazzo' ;;
    'smoke run') options='--input=- --inputs=@files --key=@keys --password-file=@files --password-stdin --password-keyring --reporter=terminal|tap|junit|github|ndjson --live --max-amount=-' ;;
    'smoke record') options='--out=@files --name=- --last=-' ;;
    'webhook listen') options='--port=- --forward-to=- --status=- --verify --count=- --idle=- --public-url=-' ;;
    'webhook list') options='--status=- --limit=-' ;;
    'webhook show') options='--body' ;;
    'webhook replay') options='--forward-to=- --since=- --until=- --status=-' ;;
    'webhook prune') options='--days=- --megabytes=-' ;;
    'api') options='--field=- --raw-field=- --input=@files --header=- --include --paginate' ;;
    'openapi') options='--format=json|yaml --control --signer' ;;
  esac
  case "$1" in
    '') arguments='@aliases' ;;
    'quote') arguments='- -' ;;
    'pay bulk') arguments='@files' ;;
    'pay bulk-status') arguments='-' ;;
    'pay bulk-withdraw') arguments='-' ;;
    'pay transaction') arguments='@payments' ;;
    'pay sign') arguments='@payments' ;;
    'pay execute') arguments='@payments' ;;
    'pay status') arguments='@payments' ;;
    'pay resume') arguments='@pay-open' ;;
    'pay show') arguments='@pay-operations' ;;
    'pay forget') arguments='@pay-operations' ;;
    'order update') arguments='@orders' ;;
    'order enable') arguments='@orders' ;;
    'order disable') arguments='@orders' ;;
    'order toggle') arguments='@orders' ;;
    'kyc create') arguments='-' ;;
    'yield strategies') arguments='@assets' ;;
    'yield opportunities') arguments='@assets' ;;
    'yield best') arguments='@assets' ;;
    'yield show') arguments='@yield-operations' ;;
    'yield resume') arguments='@yield-open' ;;
    'yield forget') arguments='@yield-operations' ;;
    'review') arguments='@files' ;;
    'key new') arguments='-' ;;
    'key import') arguments='-' ;;
    'key show') arguments='@keys' ;;
    'key export') arguments='@keys' ;;
    'key rename') arguments='@keys -' ;;
    'key passwd') arguments='@keys' ;;
    'key remove') arguments='@keys' ;;
    'key policy') arguments='show|set|unset @keys -' ;;
    'key sign-message') arguments='@keys' ;;
    'profile use') arguments='@profiles' ;;
    'profile show') arguments='@profiles' ;;
    'profile set') arguments='@profiles -' ;;
    'profile remove') arguments='@profiles' ;;
    'journal export') arguments='@files' ;;
    'sandbox open') arguments='payments|requests|orders|inbox|webhooks|kyc|yield|faults|chains' ;;
    'sandbox fund') arguments='@keys' ;;
    'sandbox balance') arguments='@keys' ;;
    'sandbox inbox') arguments='-' ;;
    'sandbox kyc') arguments='-' ;;
    'sandbox pix') arguments='@waiting-pix' ;;
    'sandbox card') arguments='@waiting-cards' ;;
    'sandbox clock') arguments='-' ;;
    'sandbox advance') arguments='-' ;;
    'sandbox snapshot') arguments='-' ;;
    'sandbox restore') arguments='-' ;;
    'sandbox trigger') arguments='registered|retry|processing|received|success|error' ;;
    'sandbox fault') arguments='pay.register|pay.transaction|pay.execute|pay.status|products.list|order.create|order.list|order.update|order.toggle|kyc.prepare|kyc.challenge|kyc.prepare-wallet|kyc.send-otp|kyc.verify-otp|kyc.create|kyc.status|yield.strategies|yield.strategies-of|yield.opportunities|yield.opportunities-of|yield.deposit|yield.withdraw|yield.rebalance|yield.broadcast|yield.earnings|quote.market @fault-kinds' ;;
    'sandbox events') arguments='@payments' ;;
    'sandbox chain') arguments='enable|disable|ethereum|polygon|bsc|base|arbitrum|solana @switchable-chains' ;;
    'alias set') arguments='@aliases -' ;;
    'alias delete') arguments='@aliases' ;;
    'completion') arguments='bash|zsh|fish|powershell' ;;
    'explain') arguments='0|1|2|3|4|5|6|7|8|9|10|11|12|13|130|unauthorized|customer_not_logged|validation_error|invalid_parameters|invalid_chain|payment_not_found|invalid_payment_status|missing_unsigned_transaction|invalid_signed_transaction|stale_transaction_nonce|payment_failed|finalizer_payment_order_on_chain_failed|blockchain_transaction_failed|kyc_verification_required|kyc_not_approved|no_fields_to_update|order_not_found|order_limit_reached|missing_params|email_already_verified|otp_invalid|otp_expired|otp_max_attempts|user_not_found|server_error|server_failed|invalid_wallet|invalid_signature|wallet_already_linked|identity_not_verified|user_not_prepared|verify_quota_exceeded|method_not_found|kyc_not_found|params_mismatch|pair_not_found|signed_transaction_missing|solana_blockhash_expired|rebalance_transaction_too_large|get_rebalance_opportunities_failed|usage|invalid_input|unreadable_file|file_exists|unwritable_file|bad_settings|key_not_found|key_exists|wrong_password|damaged_key_file|journal_unwritable|journal_unreachable|journal_damaged|confirmation_needed|declined|no_api_key|not_found|unavailable|unexpected_answer|sandbox_unavailable|identity_gate|limit_reached|not_final|rejected|refused_by_review|outcome_unknown|bad_signature|smoke_failed|rows_failed|interrupted|unwritable_output|internal' ;;
    'open') arguments='payment|dashboard|reference @payments' ;;
    'smoke list') arguments='crypto-payment|checkout-payment|kyc-email|kyc-wallet|yield|reads' ;;
    'smoke run') arguments='crypto-payment|checkout-payment|kyc-email|kyc-wallet|yield|reads' ;;
    'webhook show') arguments='@webhooks' ;;
    'webhook replay') arguments='@webhooks' ;;
    'api') arguments='GET|POST|PATCH|PUT|DELETE -' ;;
  esac
  options="$options --profile=@profiles --base-url=- --json --envelope --fields=- --jq=- --quiet --verbose --debug --dry-run --curl --timeout=- --yes --no-input --no-color"
}

# What the value of an option may be; nothing for a switch.
_bursar_source() {
  local option
  source=
  for option in $options; do
    case "$option" in "$1="*) source="${option#*=}" ;; esac
  done
}

_bursar_offer() {
  local value
  while IFS= read -r value; do
    case "$value" in "$current"*) COMPREPLY+=("$value") ;; esac
  done
}

_bursar_values() {
  case "$source" in
    @files)
      compopt -o filenames 2>/dev/null
      _bursar_offer < <(compgen -f -- "$current")
      ;;
    @*)
      _bursar_offer < <("$program" completion --values "${source#@}" -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      ;;
    -) ;;
    *) _bursar_offer <<<"${source//|/$'\n'}" ;;
  esac
}

_bursar() {
  local program="$1" current="${COMP_WORDS[COMP_CWORD]}"
  # A quote that was opened is part of the word; the values have none.
  current=${current#[\"\']}
  local commands options arguments source='' typed='' word i
  local -a positions
  COMPREPLY=()
  _bursar_tables ''
  positions=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    if [[ "$word" == '=' ]]; then continue; fi
    if [[ -n "$source" ]]; then
      source=
    elif [[ "$word" == -* ]]; then
      _bursar_source "$word"
    elif [[ " $commands " == *" $word "* ]]; then
      typed="${typed:+$typed }$word"
      _bursar_tables "$typed"
    else
      positions+=("$word")
    fi
  done
  if [[ "$current" == '=' ]]; then current=; fi
  if [[ -n "$source" ]]; then
    _bursar_values
  elif [[ "$current" == -* ]]; then
    for word in $options; do _bursar_offer <<<"${word%%=*}"; done
  elif [[ -n "$commands" ]]; then
    if [[ ${#positions[@]} -gt 0 ]]; then return; fi
    _bursar_offer <<<"${commands// /$'\n'}"
    source="${arguments:--}" && _bursar_values
  else
    set -- $arguments
    shift "${#positions[@]}" 2>/dev/null && source="${1:--}" && _bursar_values
  fi
}

complete -F _bursar bursar
