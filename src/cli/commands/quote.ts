import { market } from '../../contract/quote/market.ts';
import { derive } from '../derive.ts';
import type { Argument } from '../options.ts';

const FROM: Argument = { name: 'FROM', says: 'Asset to price, such as BTC', isOptional: true };
const TO: Argument = { name: 'TO', says: 'Asset to price it in, such as USDT', isOptional: true };

export const quote = derive(market, {
  words: ['quote'],
  arguments: { from: FROM, to: TO },
  examples: ['quote BTC USDT', 'quote ETH SOL --json --fields price', 'quote --pair BTCUSDT'],
});
