import { InputType, ObjectType } from 'type-graphql';
import { fields, flag, inputs, nullable, text, texts, time } from '../../../../shared/graphql/fields.js';

const nameText = 'Name of the exchange: 2 to 30 lower-case letters, digits and hyphens, beginning with a letter';
const exchangeText = 'Id of the exchange in ccxt: `binance`';
const symbolsText = 'Markets that are traded there, such as `BTC/BRL`';
const feeText = 'of a trade, in percent of its value, from 0 to 10 with at most 6 decimals';
const sandboxText = 'Whether it is the test system of the exchange';

@ObjectType({
  simpleResolvers: true,
  description: 'An exchange that an operator added. `tradingVenues` has its state.',
})
export class ConfiguredVenue extends fields({
  name: text(`${nameText}.`),
  exchange: text(`${exchangeText}.`),
  symbols: texts(`${symbolsText}.`),
  sandbox: flag(`${sandboxText}.`),
  makerFee: nullable.decimal(`Fee of a maker ${feeText}. Null for the fee that the exchange reports.`),
  takerFee: nullable.decimal(`Fee of a taker ${feeText}. Null for the fee that the exchange reports.`),
  settings: text('Further settings of ccxt, as JSON.'),
  createdAt: time('Time at which it was added.'),
  retiredAt: nullable.time('Time since which it gets no orders; null while it is in use.'),
}) {}

@InputType({ description: 'An exchange to be added, with the keys of an account of the platform there.' })
export class TradingVenueInput extends inputs({
  name: text(`${nameText}. A name can be used only once.`, { maxLength: 30 }),
  exchange: text(`${exchangeText}.`, { maxLength: 40 }),
  symbols: texts(`${symbolsText}: 1 to 50 of \`tradingMarkets\`.`, { maxLength: 30, maxItems: 50 }),
  apiKey: text('Key of the API. Encrypted, and never shown.'),
  secret: text('Secret of the key. Encrypted, and never shown.', { maxLength: 10_000 }),
  password: nullable.text('Passphrase of the key, if the exchange uses one. Encrypted, and never shown.', {
    maxLength: 10_000,
  }),
  sandbox: flag(`${sandboxText}: rejected with 422 in an installation with real money.`, { defaultValue: false }),
  makerFee: nullable.decimal(
    `Fee of a maker ${feeText}; give it together with \`takerFee\`, or omit both for the fees that the exchange reports.`,
  ),
  takerFee: nullable.decimal(
    `Fee of a taker ${feeText}; give it together with \`makerFee\`, or omit both for the fees that the exchange reports.`,
  ),
  settings: nullable.text(
    'Further settings of ccxt as a JSON object: `hostname`, `urls.api`, `has`, `options`. No secrets.',
    { maxLength: 10_000 },
  ),
}) {}
