/**
 * Tables copied by hand from the service's document and from no other source. The tests compare the registry with these
 * tables.
 */

/** The section Endpoints, in the order of the document. */
export const DOCUMENTED_ENDPOINTS = `
pay.register         POST  /payment/register/intents-create-order
pay.transaction      POST  /payment/register/intents-create-transaction
pay.execute          POST  /payment/execute/on-chain
pay.status           GET   /payment/{id}/status
products.list        GET   /config/products
order.create         POST  /order/create
order.list           GET   /order/list
order.update         PATCH /order/{order_id}
order.toggle         PATCH /order/{order_id}/toggle
kyc.prepare          POST  /kyc/prepare
kyc.challenge        POST  /security/wallet/challenge
kyc.prepare-wallet   POST  /kyc/prepare-wallet
kyc.send-otp         POST  /security/email/send-otp
kyc.verify-otp       POST  /security/email/verify-otp
kyc.create           POST  /kyc/create/{kyc_type}
kyc.status           GET   /kyc/status
yield.strategies     GET   /yield/strategies
yield.strategies-of  GET   /yield/strategies/{asset_symbol}
yield.opportunities  GET   /yield/rebalance-opportunities
yield.opportunities-of GET /yield/rebalance-opportunities/{asset_symbol}
yield.deposit        POST  /yield/deposit
yield.withdraw       POST  /yield/withdraw
yield.rebalance      PATCH /yield/rebalance
yield.broadcast      POST  /yield/broadcast
yield.earnings       GET   /yield/earnings
quote.market         GET   /quote/market
`;

/** Each success: endpoint, HTTP code, status, and whether the response has data. */
export const DOCUMENTED_SUCCESSES = `
pay.register         201 payment_registered data
pay.transaction      201 payment_registered data
pay.execute          200 payment_confirmed data
pay.execute          200 payment_received data
pay.status           200 payment_found data
order.create         200 order_created data
order.list           200 orders_listed data
order.update         200 order_updated data
order.toggle         200 order_activated data
order.toggle         200 order_deactivated data
kyc.prepare          201 user_prepared -
kyc.prepare          200 user_already_prepared data
kyc.challenge        201 challenge_created data
kyc.prepare-wallet   201 user_prepared data
kyc.prepare-wallet   200 user_already_prepared data
kyc.send-otp         201 otp_sent -
kyc.verify-otp       200 email_verified -
kyc.create           201 kyc_session_created data
kyc.status           200 kyc_status_retrieved data
yield.strategies     200 get_yield_strategies_ok data
yield.strategies-of  200 get_yield_strategies_ok data
yield.opportunities  200 get_rebalance_opportunities_ok data
yield.opportunities-of 200 get_rebalance_opportunity_by_symbol_ok data
yield.deposit        200 deposit_yield_strategy_ok data
yield.withdraw       200 withdraw_yield_strategy_ok data
yield.rebalance      200 rebalance_yield_strategy_ok data
yield.broadcast      200 broadcast_operation_yield_strategy_ok data
yield.earnings       200 get_earnings_position data
quote.market         200 quote_ok data
`;

/** The section Errors: HTTP code (? if the document does not show it), status, and the endpoints of the condition. */
export const DOCUMENTED_ERRORS = `
401 unauthorized                  *
401 customer_not_logged           order.create order.list order.update order.toggle
400 validation_error              pay.register pay.transaction
400 invalid_parameters            pay.execute order.create order.list yield.deposit yield.withdraw yield.rebalance
400 invalid_chain                 pay.execute
404 payment_not_found             pay.execute
409 invalid_payment_status        pay.execute
409 missing_unsigned_transaction  pay.execute
400 invalid_signed_transaction    pay.execute
400 stale_transaction_nonce       pay.execute
500 payment_failed                pay.execute
500 finalizer_payment_order_on_chain_failed pay.execute
500 blockchain_transaction_failed pay.execute
?   kyc_verification_required     pay.transaction
?   kyc_not_approved              pay.transaction
400 no_fields_to_update           order.update
404 order_not_found               order.update order.toggle
429 order_limit_reached           order.create
400 missing_params                kyc.prepare kyc.send-otp kyc.verify-otp kyc.status
400 email_already_verified        kyc.send-otp kyc.verify-otp
400 otp_invalid                   kyc.verify-otp
400 otp_expired                   kyc.verify-otp
400 otp_max_attempts              kyc.verify-otp
404 user_not_found                kyc.send-otp kyc.verify-otp
500 server_error                  kyc.send-otp kyc.verify-otp
500 server_failed                 kyc.prepare kyc.create kyc.status
400 invalid_wallet                kyc.challenge
401 invalid_signature             kyc.prepare-wallet
409 wallet_already_linked         kyc.prepare-wallet
403 identity_not_verified         kyc.create
403 user_not_prepared             kyc.create
429 verify_quota_exceeded         kyc.create
404 method_not_found              kyc.create
404 kyc_not_found                 kyc.status
400 params_mismatch               quote.market yield.earnings
400 pair_not_found                quote.market
400 signed_transaction_missing    yield.broadcast
409 solana_blockhash_expired      yield.broadcast
413 rebalance_transaction_too_large yield.rebalance
502 get_rebalance_opportunities_failed yield.opportunities yield.opportunities-of
`;

/**
 * The section States and transitions, with the conditions that its text states: machine, from, to, trigger. A payment
 * may fail in "any state along the way". `x x` is a state that does not change because the call is refused.
 */
export const DOCUMENTED_TRANSITIONS = `
payment -          registered register
payment registered processing execute
payment retry      processing execute
payment processing processing signed
payment processing success    confirmed
payment processing received   bridged
payment received   success    paid-out
payment registered error      failure
payment retry      error      failure
payment processing error      failure
payment received   error      failure
payment processing processing refused
payment received   received   refused
payment success    success    refused
payment error      error      refused
order   -          active     create
order   active     inactive   toggle
order   inactive   active     toggle
kyc     -          pending    prepare
`;

/** The words of each line of a table. */
export const rowsOf = (table: string): readonly (readonly string[])[] =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
